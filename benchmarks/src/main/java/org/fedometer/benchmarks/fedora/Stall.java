package org.fedometer.benchmarks.fedora;

import java.util.List;
import java.util.Locale;
import org.fedometer.benchmarks.fedora.RequestLog.Request;

/**
 * How a command held up the load. Between two requests that end one after the other lies a gap. The
 * longest one before the command is usual; each longer one afterwards counts as a stall, with all
 * of its length.
 *
 * @param stalledNanos all stalls together
 * @param beyondUsualNanos what of it is longer than the usual gap
 * @param longestGapNanos stall or not
 * @param longestRequestNanos of the requests that ended since the command
 * @param failedRequests since the command
 * @param usualGapNanos the longest gap before the command
 * @param usualRequestNanos the longest request before the command
 */
record Stall(
    long stalledNanos,
    long beyondUsualNanos,
    long longestGapNanos,
    long longestRequestNanos,
    long failedRequests,
    long usualGapNanos,
    long usualRequestNanos) {

  /**
   * @param before requests that ended before the command, in the order of their ends; two or more
   * @param since those that ended since, in the same order; one or more
   */
  static Stall of(List<Request> before, List<Request> since) {
    if (before.size() < 2 || since.isEmpty()) {
      throw new IllegalArgumentException(
          "A stall is told by two requests before it and one after it at least, not by "
              + before.size()
              + " and "
              + since.size()
              + ".");
    }
    long usualGapNanos = 0;
    for (int i = 1; i < before.size(); i++) {
      usualGapNanos =
          Math.max(usualGapNanos, before.get(i).endNanos() - before.get(i - 1).endNanos());
    }
    long stalledNanos = 0;
    long beyondUsualNanos = 0;
    long longestGapNanos = 0;
    Request last = before.get(before.size() - 1);
    for (Request request : since) {
      long gapNanos = request.endNanos() - last.endNanos();
      longestGapNanos = Math.max(longestGapNanos, gapNanos);
      if (gapNanos > usualGapNanos) {
        stalledNanos += gapNanos;
        beyondUsualNanos += gapNanos - usualGapNanos;
      }
      last = request;
    }
    return new Stall(
        stalledNanos,
        beyondUsualNanos,
        longestGapNanos,
        longest(since),
        since.stream().filter(request -> !request.ingested()).count(),
        usualGapNanos,
        longest(before));
  }

  double stalledSeconds() {
    return stalledNanos / 1e9;
  }

  /**
   * @param command such as {@code live attach}
   */
  String describe(String command) {
    return String.format(
        Locale.ROOT,
        "%s stalled requests for %.2f s in total, longest gap %d ms, failed requests %d%n"
            + "  %.2f s of that beyond the usual gap; longest request %d ms; in the minute before:"
            + " longest gap %d ms, longest request %d ms",
        command,
        stalledSeconds(),
        longestGapNanos / 1_000_000,
        failedRequests,
        beyondUsualNanos / 1e9,
        longestRequestNanos / 1_000_000,
        usualGapNanos / 1_000_000,
        usualRequestNanos / 1_000_000);
  }

  private static long longest(List<Request> requests) {
    return requests.stream().mapToLong(Request::durationNanos).max().orElse(0);
  }
}

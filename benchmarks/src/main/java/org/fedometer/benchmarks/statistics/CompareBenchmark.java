package org.fedometer.benchmarks.statistics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.fedometer.analysis.statistics.Comparison;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Resampling;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.analysis.statistics.SteadyState;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.analysis.statistics.WithinRun;

/**
 * How long the statistics of a comparison take: two runs of so many requests by four workers, as
 * arrays in order of start. Once, in a JVM that has done nothing like it before, as the command
 * does. One run warms up and is steady; the other is slower and jumps to another level and back, so
 * that change points are there to be found. Reading them from a store is not in it.
 */
public final class CompareBenchmark {
  private static final int WORKERS = 4;
  private static final int REPETITIONS = 1_000;
  private static final int MILLION = 1_000_000;

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private CompareBenchmark() {}

  /** Starts and service times, in order of start. */
  private record Requests(long[] startNanos, long[] durationNanos) {}

  /** Argument: how many million requests a run has (10). */
  public static void main(String[] arguments) {
    int requests = (arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10) * MILLION;
    print(
        "%d processors, load %.1f, Java %s, heap of at most %,d MB",
        Runtime.getRuntime().availableProcessors(),
        PROCESS.getSystemLoadAverage(),
        Runtime.version(),
        Runtime.getRuntime().maxMemory() >> 20);
    Requests steady = requests(requests, 1, false);
    Requests jumping = requests(requests, 1.04, true);

    long begin = System.nanoTime();
    long processorBegin = PROCESS.getProcessCpuTime();
    WithinRun baseline = judged("baseline", steady);
    WithinRun contender = judged("contender", jumping);
    List<RatioEstimate> estimates =
        Comparison.judge(
            Comparison.withinRun(List.of(baseline), List.of(contender)),
            Comparison.DEFAULT_THRESHOLD,
            Comparison.DEFAULT_CONFIDENCE);
    double seconds = (System.nanoTime() - begin) / 1e9;
    double processorSeconds = (PROCESS.getProcessCpuTime() - processorBegin) / 1e9;

    for (RatioEstimate estimate : estimates) {
      print(
          "%-10s %.4f [%.4f, %.4f] %s",
          estimate.metric().jsonName(),
          estimate.ratio(),
          estimate.low(),
          estimate.high(),
          estimate.verdict().jsonName());
    }
    print(
        "%.1f s of processor time; load %.1f afterwards",
        processorSeconds, PROCESS.getSystemLoadAverage());
    print(
        "compare: %.1f s for 2 x %d million requests with %,d repetitions",
        seconds, requests / MILLION, REPETITIONS);
  }

  private static WithinRun judged(String name, Requests requests) {
    long begin = System.nanoTime();
    Series series = Series.of(requests.startNanos(), requests.durationNanos());
    long ordered = System.nanoTime();
    SteadyState steadyState =
        SteadyState.of(series, WarmUp.of(series), Comparison.DEFAULT_THRESHOLD, 1);
    long judged = System.nanoTime();
    WithinRun run =
        WithinRun.of(series.from(steadyState.steadyFrom()), new Resampling(REPETITIONS, 1));
    long end = System.nanoTime();
    print(
        "%s: %s from %,d, %d changes; order %.2f s, steady state %.2f s, errors %.2f s",
        name,
        steadyState.state().jsonName(),
        steadyState.steadyFrom(),
        steadyState.changes().size(),
        (ordered - begin) / 1e9,
        (judged - ordered) / 1e9,
        (end - judged) / 1e9);
    return run;
  }

  /** What four workers do, each with its next request when the last is answered. */
  private static Requests requests(int requests, double scale, boolean jumps) {
    SplittableRandom random = new SplittableRandom(jumps ? 1 : 2);
    long[] durations = new SimulatedRequests(0.5, 0.4).durations(requests, random);
    long[] starts = new long[requests];
    PriorityQueue<Long> free = new PriorityQueue<>(List.of(0L, 1L, 2L, 3L).subList(0, WORKERS));
    for (int i = 0; i < requests; i++) {
      double warmUp = 1 + 2 * Math.exp(-i / 50_000.0);
      double regime = jumps && i > requests * 0.6 && i < requests * 0.8 ? 1.15 : 1;
      durations[i] = Math.round(durations[i] * scale * warmUp * regime);
      starts[i] = free.remove();
      free.add(starts[i] + durations[i]);
    }
    return new Requests(starts, durations);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}

package org.fedometer.benchmarks.fedora;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.fedometer.driver.request.RequestEvent;
import org.fedometer.driver.request.RequestListener;

/** Every request of the load, by when it ended. Workers add, the benchmark's thread asks. */
final class RequestLog implements RequestListener {
  private final long originNanos = System.nanoTime();
  private final List<Request> requests = new ArrayList<>();

  /**
   * @param endNanos by {@link #nowNanos}
   * @param durationNanos until its answer was read, or it failed
   * @param ingested whether Fedora said 201
   */
  record Request(long endNanos, long durationNanos, boolean ingested) {}

  /** Nanoseconds since this was made: the clock of all that is asked here. */
  long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public void onRequest(RequestEvent event) {
    Request request =
        new Request(
            event.startNanos() + event.durationNanos() - originNanos,
            event.durationNanos(),
            event.outcome() == RequestEvent.Outcome.INGESTED);
    synchronized (requests) {
      requests.add(request);
    }
  }

  long ingested() {
    synchronized (requests) {
      return requests.stream().filter(Request::ingested).count();
    }
  }

  /** Requests that have not been answered by 201 so far. */
  long failed() {
    synchronized (requests) {
      return requests.stream().filter(request -> !request.ingested()).count();
    }
  }

  /** Requests that ended after the one moment and not after the other, in that order. */
  List<Request> endedWithin(long afterNanos, long untilNanos) {
    synchronized (requests) {
      return requests.stream()
          .filter(request -> request.endNanos() > afterNanos && request.endNanos() <= untilNanos)
          .sorted(Comparator.comparingLong(Request::endNanos))
          .toList();
    }
  }

  long ingestedWithin(long afterNanos, long untilNanos) {
    return endedWithin(afterNanos, untilNanos).stream().filter(Request::ingested).count();
  }
}

package org.fedometer.analysis.compare;

import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.store.RunDocument;

/**
 * The part of a run that is compared: the objects after its warm-up, or those of them by which the
 * repository grew over the same sizes as in the other runs. Immutable.
 *
 * @param requests of the whole run
 * @param first the first object of the part, in order of completion, from 0
 * @param end the object after its last one
 * @param window of the samples that belong to it: from the last answer before the part to the last
 *     answer in it, those of {@code triples.*} to the end of the drain where the part goes to the
 *     run's end
 */
record MeasuredPart(RequestSeries requests, int first, int end, IngestWindow window) {

  /**
   * Of the driver's phases, where the document has them.
   *
   * @param drains whether what is done after the last answer belongs to it, if it goes to the end
   */
  static MeasuredPart of(
      RequestSeries requests, int first, int end, boolean drains, RunDocument run) {
    Series service = requests.service();
    IngestWindow whole = IngestWindow.of(run.phases());
    long start =
        first > 0
            ? requests.completedAtNanos(first - 1)
            : whole.equals(IngestWindow.NONE)
                ? requests.completedAtNanos(0) - service.durationNanos(0)
                : whole.startNanos();
    long lastAnswer = requests.completedAtNanos(end - 1);
    boolean drained = drains && end == service.count() && whole.drained();
    long drainEnd = drained ? whole.drainEndNanos() : lastAnswer;
    return new MeasuredPart(
        requests, first, end, new IngestWindow(start, lastAnswer, Math.max(lastAnswer, drainEnd)));
  }

  /** Objects in it. */
  int objects() {
    return end - first;
  }

  /** Its requests. */
  Series service() {
    return requests.service().slice(first, end);
  }

  /** Without pauses, from the last answer before the part to its last one. */
  double loadedNanos() {
    return requests.clock().loadedNanos(window.ingestEndNanos())
        - requests.clock().loadedNanos(window.startNanos());
  }

  /** By the clock on the wall, pauses included. */
  long nanos() {
    return window.ingestEndNanos() - window.startNanos();
  }

  /** Objects of the part that were completed before a nanoTime. */
  int objectsBefore(long nanoTime) {
    long loaded = requests.clock().loadedNanos(nanoTime);
    Series service = requests.service();
    int low = first;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (service.completionNanos(middle) < loaded) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - first;
  }
}

package org.fedometer.analysis.compare;

import java.util.List;
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
 * @param window of the samples that belong to it: from the last answer before the part, or where
 *     there is none from the begin of the ingest, to the last answer in it, those of {@code
 *     triples.*} to the end of the drain where the part goes to the run's end
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
        first == 0 && !whole.equals(IngestWindow.NONE)
            ? whole.startNanos()
            : requests.clock().nanoTime(service.slice(first, end).beginNanos());
    long lastAnswer = requests.completedAtNanos(end - 1);
    boolean drained = drains && end == service.count() && whole.drained();
    long drainEnd = drained ? whole.drainEndNanos() : lastAnswer;
    return new MeasuredPart(
        requests, first, end, new IngestWindow(start, lastAnswer, Math.max(lastAnswer, drainEnd)));
  }

  int objects() {
    return end - first;
  }

  Series service() {
    return requests.service().slice(first, end);
  }

  /** How long its window is without pauses, to the last answer. */
  double loadedNanos() {
    return requests.clock().loadedNanos(window.ingestEndNanos())
        - requests.clock().loadedNanos(window.startNanos());
  }

  /** Its window without pauses; empty where there was nothing else. */
  List<LoadClock.Stretch> stretches() {
    return requests.clock().stretches(window.startNanos(), window.ingestEndNanos());
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

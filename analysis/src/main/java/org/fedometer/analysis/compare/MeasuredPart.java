package org.fedometer.analysis.compare;

import java.util.List;
import org.fedometer.analysis.IngestWindow;
import org.fedometer.analysis.statistics.Series;
import org.fedometer.store.RunDocument;

/**
 * The compared part of a run: the objects after its warm-up, or those ingested at repository sizes
 * common to all runs. Immutable.
 *
 * @param requests of the whole run
 * @param first first object of the part, in order of completion, from 0
 * @param end object after its last one
 * @param window window of its samples. It starts with the last response before the part, or else
 *     with the ingest. It ends with the part's last response; for {@code triples.*} with the drain,
 *     if the part reaches the run's end
 */
record MeasuredPart(RequestSeries requests, int first, int end, IngestWindow window) {

  /**
   * Uses the driver's phases if the document has them.
   *
   * @param drains whether work after the last response belongs to it, if it reaches the end
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

  /** Returns the window's length without pauses, up to the last response. */
  double loadedNanos() {
    return requests.clock().loadedNanos(window.ingestEndNanos())
        - requests.clock().loadedNanos(window.startNanos());
  }

  /** Returns the window without pauses; empty if it is all paused. */
  List<LoadClock.Stretch> stretches() {
    return requests.clock().stretches(window.startNanos(), window.ingestEndNanos());
  }

  /** Returns the wall-clock length, including pauses. */
  long nanos() {
    return window.ingestEndNanos() - window.startNanos();
  }

  /** Returns the number of the part's objects completed before a nanoTime. */
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

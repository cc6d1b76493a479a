package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;

/**
 * A clock that stops while a load is paused, its driver is absent, or {@link LoadTime} excludes the
 * time otherwise. Outages of Fedora count, since a slow recovery is its own. Immutable.
 */
final class LoadClock {

  /** Times without requests: disjoint, in order; nanoTime. */
  private final List<LoadTime.Gap> gaps;

  private LoadClock(List<LoadTime.Gap> gaps) {
    this.gaps = gaps;
  }

  static LoadClock of(RunDocument run) {
    return new LoadClock(LoadTime.gaps(run));
  }

  /** Returns a nanoTime without preceding gaps. */
  long loadedNanos(long nanoTime) {
    long loaded = nanoTime;
    for (LoadTime.Gap gap : gaps) {
      if (gap.startNanos() >= nanoTime) {
        break;
      }
      loaded -= Math.min(nanoTime, gap.endNanos()) - gap.startNanos();
    }
    return loaded;
  }

  /** A non-empty period in which the clock runs, nanoTime. */
  record Stretch(long startNanos, long endNanos) {}

  /** Returns the periods in which the clock runs: disjoint, in order; possibly empty. */
  List<Stretch> stretches(long fromNanos, long toNanos) {
    List<Stretch> stretches = new ArrayList<>();
    long start = fromNanos;
    for (LoadTime.Gap gap : gaps) {
      add(stretches, start, Math.min(gap.startNanos(), toNanos));
      start = Math.max(start, gap.endNanos());
    }
    add(stretches, start, toNanos);
    return stretches;
  }

  private static void add(List<Stretch> stretches, long startNanos, long endNanos) {
    if (startNanos < endNanos) {
      stretches.add(new Stretch(startNanos, endNanos));
    }
  }

  /** Returns the nanoTime of this clock's time; the first one if it is stopped then. */
  long nanoTime(long loadedNanos) {
    long nanoTime = loadedNanos;
    for (LoadTime.Gap gap : gaps) {
      if (nanoTime <= gap.startNanos()) {
        break;
      }
      nanoTime += gap.nanos();
    }
    return nanoTime;
  }
}

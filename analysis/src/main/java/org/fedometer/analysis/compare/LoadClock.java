package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;

/**
 * A clock that stands still while a load was paused or its driver was not there, and in whatever
 * else is none of the load's time by the rule of {@link LoadTime}. Outages of Fedora count: that it
 * was slow to come back is its own. Immutable.
 */
final class LoadClock {

  /** When nothing was sent: disjoint, by time; nanoTime. */
  private final List<LoadTime.Gap> gaps;

  private LoadClock(List<LoadTime.Gap> gaps) {
    this.gaps = gaps;
  }

  static LoadClock of(RunDocument run) {
    return new LoadClock(LoadTime.gaps(run));
  }

  /** A nanoTime without the gaps before it. */
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

  /** A time in which the clock went, nanoTime; longer than none. */
  record Stretch(long startNanos, long endNanos) {}

  /** When the clock went: disjoint, by time; empty where it stood still all the while. */
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

  /** The nanoTime of a time of this clock; the first one where it stood still. */
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

package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.fedometer.store.RunDocument;

/**
 * A clock that stands still while a load was paused or its driver was not there, by the rule of
 * {@link org.fedometer.store.LoadTime}. Outages of Fedora count: that it was slow to come back is
 * its own. Immutable.
 */
final class LoadClock {

  /** When nothing was sent: disjoint, by time; nanoTime. */
  private final List<Gap> gaps;

  private record Gap(long startNanos, long endNanos) {
    long nanos() {
      return endNanos - startNanos;
    }
  }

  private LoadClock(List<Gap> gaps) {
    this.gaps = List.copyOf(gaps);
  }

  static LoadClock of(RunDocument run) {
    List<Gap> found = new ArrayList<>();
    if (run.load() != null && run.load().pauses() != null) {
      for (RunDocument.Pause pause : run.load().pauses()) {
        if (pause != null) {
          found.add(new Gap(pause.startNanos(), pause.endNanos()));
        }
      }
    }
    if (run.outages() != null) {
      for (RunDocument.Outage outage : run.outages()) {
        if (outage != null && RunDocument.Outage.DRIVER.equals(outage.who())) {
          found.add(new Gap(outage.startNanos(), outage.endNanos()));
        }
      }
    }
    found.removeIf(gap -> gap.nanos() <= 0);
    found.sort(Comparator.comparingLong(Gap::startNanos));
    List<Gap> disjoint = new ArrayList<>();
    for (Gap gap : found) {
      int last = disjoint.size() - 1;
      if (last >= 0 && gap.startNanos() <= disjoint.get(last).endNanos()) {
        Gap before = disjoint.get(last);
        disjoint.set(
            last, new Gap(before.startNanos(), Math.max(before.endNanos(), gap.endNanos())));
      } else {
        disjoint.add(gap);
      }
    }
    return new LoadClock(disjoint);
  }

  /** A nanoTime without the gaps before it. */
  long loadedNanos(long nanoTime) {
    long loaded = nanoTime;
    for (Gap gap : gaps) {
      if (gap.startNanos() >= nanoTime) {
        break;
      }
      loaded -= Math.min(nanoTime, gap.endNanos()) - gap.startNanos();
    }
    return loaded;
  }

  /** The nanoTime of a time of this clock; the first one where it stood still. */
  long nanoTime(long loadedNanos) {
    long nanoTime = loadedNanos;
    for (Gap gap : gaps) {
      if (nanoTime <= gap.startNanos()) {
        break;
      }
      nanoTime += gap.nanos();
    }
    return nanoTime;
  }
}

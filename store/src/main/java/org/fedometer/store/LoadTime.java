package org.fedometer.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How long a run was loaded: the one rule for every rate that is said of it. Stateless. */
public final class LoadTime {
  private LoadTime() {}

  /** A time in which nothing was sent, by nanoTime; longer than none. */
  public record Gap(long startNanos, long endNanos) {

    /** How long it was. */
    public long nanos() {
      return endNanos - startNanos;
    }
  }

  /**
   * Nanoseconds between two times, but for the {@link #gaps} among them.
   *
   * @param load null where nothing is known of it
   * @param outages null in older documents
   */
  public static long between(
      long fromNanos, long toNanos, RunDocument.Load load, List<RunDocument.Outage> outages) {
    long nanos = toNanos - fromNanos;
    for (Gap gap : gaps(load, outages)) {
      nanos -=
          Math.max(0, Math.min(toNanos, gap.endNanos()) - Math.max(fromNanos, gap.startNanos()));
    }
    return nanos;
  }

  /**
   * When the load was paused or its driver not there: disjoint, by time. An outage of Fedora is
   * none: that it was slow to come back is its own.
   *
   * @param load null where nothing is known of it
   * @param outages null in older documents
   */
  public static List<Gap> gaps(RunDocument.Load load, List<RunDocument.Outage> outages) {
    List<Gap> found = new ArrayList<>();
    if (load != null && load.pauses() != null) {
      for (RunDocument.Pause pause : load.pauses()) {
        if (pause != null) {
          found.add(new Gap(pause.startNanos(), pause.endNanos()));
        }
      }
    }
    if (outages != null) {
      for (RunDocument.Outage outage : outages) {
        if (outage != null && RunDocument.Outage.DRIVER.equals(outage.who())) {
          found.add(new Gap(outage.startNanos(), outage.endNanos()));
        }
      }
    }
    found.removeIf(gap -> gap.nanos() <= 0);
    found.sort(Comparator.comparingLong(Gap::startNanos));
    return disjoint(found);
  }

  /** A load that was paused when its driver was killed has a pause within the driver's absence. */
  private static List<Gap> disjoint(List<Gap> byStart) {
    List<Gap> disjoint = new ArrayList<>();
    for (Gap gap : byStart) {
      int last = disjoint.size() - 1;
      if (last >= 0 && gap.startNanos() <= disjoint.get(last).endNanos()) {
        Gap before = disjoint.get(last);
        disjoint.set(
            last, new Gap(before.startNanos(), Math.max(before.endNanos(), gap.endNanos())));
      } else {
        disjoint.add(gap);
      }
    }
    return List.copyOf(disjoint);
  }
}

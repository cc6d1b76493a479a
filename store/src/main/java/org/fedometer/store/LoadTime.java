package org.fedometer.store;

import java.util.List;

/** How long a run was loaded: the one rule for every rate that is said of it. Stateless. */
public final class LoadTime {
  private LoadTime() {}

  /**
   * Nanoseconds between two times, but for those in which the load was paused or its driver not
   * there. An outage of Fedora counts: that it was slow to come back is its own.
   *
   * @param load null where nothing is known of it
   * @param outages null in older documents
   */
  public static long between(
      long fromNanos, long toNanos, RunDocument.Load load, List<RunDocument.Outage> outages) {
    long nanos = toNanos - fromNanos;
    if (load != null && load.pauses() != null) {
      for (RunDocument.Pause pause : load.pauses()) {
        if (pause != null) {
          nanos -= overlap(fromNanos, toNanos, pause.startNanos(), pause.endNanos());
        }
      }
    }
    if (outages != null) {
      for (RunDocument.Outage outage : outages) {
        if (outage != null && RunDocument.Outage.DRIVER.equals(outage.who())) {
          nanos -= overlap(fromNanos, toNanos, outage.startNanos(), outage.endNanos());
        }
      }
    }
    return nanos;
  }

  private static long overlap(long from, long to, long startNanos, long endNanos) {
    return Math.max(0, Math.min(to, endNanos) - Math.max(from, startNanos));
  }
}

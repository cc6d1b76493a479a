package org.fedometer.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How long a run was loaded: the one rule for every rate that is said of it. Stateless. */
public final class LoadTime {
  private LoadTime() {}

  /** A time that is none of the load's, by nanoTime; longer than none. */
  public record Gap(long startNanos, long endNanos) {

    public long nanos() {
      return endNanos - startNanos;
    }
  }

  /**
   * Nanoseconds between two times, but for the {@link #gaps} among them.
   *
   * @param run whose lists may be null, as in older documents
   */
  public static long between(long fromNanos, long toNanos, RunDocument run) {
    long nanos = toNanos - fromNanos;
    for (Gap gap : gaps(run)) {
      nanos -=
          Math.max(0, Math.min(toNanos, gap.endNanos()) - Math.max(fromNanos, gap.startNanos()));
    }
    return nanos;
  }

  /**
   * How long a phase was, in nanoseconds: the ingest as it is in every rate, another from its start
   * to its end.
   *
   * @param phase one of the run's that has ended
   */
  public static long of(RunDocument.Phase phase, RunDocument run) {
    return RunDocument.Phase.INGEST.equals(phase.name())
        ? between(phase.startNanos(), phase.endNanos(), run)
        : phase.endNanos() - phase.startNanos();
  }

  /**
   * When the load was paused, its driver not there, or looking whether Fedora had kept what it had:
   * disjoint, by time. An outage of Fedora is none: that it was slow to come back is its own.
   *
   * @param run whose lists may be null, as in older documents
   */
  public static List<Gap> gaps(RunDocument run) {
    RunDocument.Load load = run.load();
    List<RunDocument.Outage> outages = run.outages();
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
    if (run.phases() != null) {
      for (RunDocument.Phase phase : run.phases()) {
        if (phase != null && RunDocument.Phase.CHECK.equals(phase.name())) {
          found.add(new Gap(phase.startNanos(), phase.endNanos()));
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

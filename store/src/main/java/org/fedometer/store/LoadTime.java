package org.fedometer.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Duration of a run's load: the one rule for all its rates. Stateless. */
public final class LoadTime {
  private LoadTime() {}

  /** A positive interval, by nanoTime, that does not count as load. */
  public record Gap(long startNanos, long endNanos) {

    public long nanos() {
      return endNanos - startNanos;
    }
  }

  /**
   * Returns the nanoseconds between two times, without the {@link #gaps} among them.
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
   * Returns the duration of a phase in nanoseconds: for the ingest as in every rate, for others
   * from start to end.
   *
   * @param phase a finished one of the run
   */
  public static long of(RunDocument.Phase phase, RunDocument run) {
    return RunDocument.Phase.INGEST.equals(phase.name())
        ? between(phase.startNanos(), phase.endNanos(), run)
        : phase.endNanos() - phase.startNanos();
  }

  /**
   * Returns the intervals in which the load was paused, its driver away, or checking whether Fedora
   * had kept its data: disjoint, by time. An outage of Fedora is none: a slow recovery counts as
   * Fedora's time.
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

  /** Merges overlaps: if a driver is killed during a pause, the pause lies within its absence. */
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

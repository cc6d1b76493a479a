package org.fedometer.experiments.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Estimates a run's duration and stored size, by earlier runs. Without comparable ones, uses
 * default values, see {@link Basis}. Immutable.
 */
public final class RunEstimator {

  /** Newer runs are more relevant. */
  private static final int MAX_RUNS = 5;

  /**
   * A rounded, low value, to avoid too short estimates. A warm Fedora 3.8.1 reached 97 to 133 a
   * second on two processors (docs/experiments-and-compare.md), that of the FIZ study 10 on its own
   * machine (docs/fiz-study.md).
   */
  private static final double PLAIN_OBJECTS_PER_SECOND = 40;

  /**
   * A rounded value: the experiment of docs/experiments-and-compare.md, nine runs of 10,000 objects
   * and a killed one in 21 minutes, spent about half of it outside the load.
   */
  private static final double PLAIN_OTHER_SECONDS = 60;

  /** For logs, configuration and telemetry; not measured. */
  private static final long PLAIN_BYTES_OF_RUN = 5_000_000;

  /**
   * About twice the 400 to 700 bytes of samples (docs/long-ingests.md), for requests, traces and
   * unmerged data. Not measured.
   */
  private static final long PLAIN_BYTES_OF_OBJECT = 1_500;

  private final List<KnownRun> known;

  /**
   * A completed run.
   *
   * @param profile name with its changes; null for an unknown Fedora, as of {@code ingest}
   * @param load key that is equal for equal loads
   * @param loadSeconds duration of the load, with the final flush
   * @param otherSeconds duration of everything else: start, verification, removal, sealing
   * @param storedBytes of its folder
   */
  public record KnownRun(
      String profile,
      String load,
      long objects,
      double loadSeconds,
      double otherSeconds,
      long storedBytes) {}

  /** Basis of an estimate, from best to worst. */
  public enum Basis {
    SAME_PROFILE("earlier runs of the same profile and load"),
    SAME_LOAD("earlier runs of the same load under other profiles"),
    PLAIN(
        String.format(
            Locale.ROOT,
            "default values, as no earlier run of this load exists: %.0f objects/s, and"
                + " %.0f s around each run",
            PLAIN_OBJECTS_PER_SECOND,
            PLAIN_OTHER_SECONDS));

    private final String text;

    Basis(String words) {
      this.text = words;
    }

    public String text() {
      return text;
    }
  }

  /**
   * @param seconds duration of the run
   * @param storedBytes of its folder
   */
  public record Estimate(double seconds, long storedBytes, Basis basis) {}

  /**
   * @param known completed runs, newest first
   */
  public RunEstimator(List<KnownRun> known) {
    this.known = List.copyOf(known);
  }

  /**
   * @param profile name with its changes
   * @param load as {@link KnownRun#load}
   * @param ratePerSecond objects due per second, or null
   */
  public Estimate of(String profile, String load, long objects, Double ratePerSecond) {
    List<KnownRun> same = newest(run -> run.load().equals(load) && profile.equals(run.profile()));
    List<KnownRun> others = newest(run -> run.load().equals(load));
    Basis basis =
        !same.isEmpty() ? Basis.SAME_PROFILE : !others.isEmpty() ? Basis.SAME_LOAD : Basis.PLAIN;
    if (basis == Basis.PLAIN) {
      double perSecond = ratePerSecond == null ? PLAIN_OBJECTS_PER_SECOND : ratePerSecond;
      return new Estimate(
          PLAIN_OTHER_SECONDS + objects / perSecond,
          PLAIN_BYTES_OF_RUN + objects * PLAIN_BYTES_OF_OBJECT,
          basis);
    }
    return of(basis == Basis.SAME_PROFILE ? same : others, objects, basis);
  }

  private static Estimate of(List<KnownRun> runs, long objects, Basis basis) {
    double allObjects = runs.stream().mapToLong(KnownRun::objects).sum();
    double loadSeconds = runs.stream().mapToDouble(KnownRun::loadSeconds).sum();
    double storedBytes = runs.stream().mapToLong(KnownRun::storedBytes).sum();
    double other = runs.stream().mapToDouble(KnownRun::otherSeconds).average().orElse(0);
    return new Estimate(
        other + objects * loadSeconds / allObjects,
        (long) (objects * storedBytes / allObjects),
        basis);
  }

  private List<KnownRun> newest(Predicate<KnownRun> alike) {
    List<KnownRun> found = new ArrayList<>();
    for (KnownRun run : known) {
      if (found.size() < MAX_RUNS && run.objects() > 0 && alike.test(run)) {
        found.add(run);
      }
    }
    return found;
  }
}

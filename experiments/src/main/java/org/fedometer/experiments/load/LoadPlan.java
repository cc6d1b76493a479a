package org.fedometer.experiments.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fedometer.analysis.Figures;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.Ends;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.load.Load;
import org.fedometer.experiments.host.Disk;
import org.fedometer.experiments.job.Words;
import org.fedometer.store.DiskRoom;

/**
 * What the user asked of a load besides objects, workers and rate. Immutable.
 *
 * @param steps a ramp or a sweep, or null for neither
 * @param longest how long objects are sent, pauses not counted; null for any time
 * @param leastDiskBytes it ends when the disk has less left; null for no matter
 */
public record LoadPlan(Load.Stepped steps, Duration longest, Long leastDiskBytes) {

  /** So many of a dataset without end, where the user does not say. */
  public static final long STANDARD_OBJECTS = 1000;

  /** One load, to the last object. */
  public static final LoadPlan PLAIN = new LoadPlan(null, null, null);

  public LoadPlan {
    if (longest != null && (longest.isNegative() || longest.isZero())) {
      throw new IllegalArgumentException("--for " + longest + ": give more than nothing");
    }
    if (leastDiskBytes != null && leastDiskBytes < 1) {
      throw new IllegalArgumentException(
          "--until-disk-left " + leastDiskBytes + ": give more than nothing");
    }
  }

  /** Whether it comes to an end by itself in a dataset that has none. */
  public boolean ends() {
    return steps != null || longest != null || leastDiskBytes != null;
  }

  /** When objects are due; the rate, null for a closed loop, counts where there are no steps. */
  public Load load(Double ratePerSecond) {
    if (steps != null) {
      return steps;
    }
    return ratePerSecond == null ? new Load.ClosedLoop() : fixedRate(ratePerSecond);
  }

  /**
   * @param ratePerSecond null for a closed loop
   * @throws IllegalArgumentException one sentence: no load has such a rate
   */
  public static void requireRate(Double ratePerSecond) {
    if (ratePerSecond != null) {
      fixedRate(ratePerSecond);
    }
  }

  private static Load fixedRate(double ratePerSecond) {
    try {
      return new Load.FixedRate(ratePerSecond);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--rate: " + e.getMessage(), e);
    }
  }

  /**
   * What ends the load before its last object.
   *
   * @param data a folder on the disk that the load fills, which may still have to be made; null
   *     where that is on another host
   * @throws IllegalArgumentException one sentence: the end depends on a disk that cannot be seen,
   *     or has come before the beginning
   */
  public Ends driverEnds(Path data) {
    Ends ends = longest == null ? Ends.AT_THE_LAST_OBJECT : Ends.AT_THE_LAST_OBJECT.after(longest);
    if (leastDiskBytes == null) {
      return ends;
    }
    LongSupplier left;
    try {
      left = Disk.leftBytes(data);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    long leftBytes = left.getAsLong();
    if (leftBytes < leastDiskBytes) {
      throw new IllegalArgumentException(
          "--until-disk-left %s: the disk of %s has less left already, %s; nothing would be loaded"
              .formatted(
                  Figures.bytes(leastDiskBytes),
                  DiskRoom.existing(data),
                  Figures.bytes(leftBytes)));
    }
    return ends.untilDiskLeft(left::getAsLong, leastDiskBytes);
  }

  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    if (steps instanceof Load.Ramp ramp) {
      facts.put(
          "ramp",
          plain(ramp.fromPerSecond())
              + ":+"
              + plain(ramp.byPerSecond())
              + "/"
              + Words.exactly(ramp.step()));
    } else if (steps instanceof Load.Sweep sweep) {
      facts.put("sweep", sweep.workers().toString().replaceAll("[\\[\\] ]", ""));
      facts.put(
          "step",
          sweep.step() != null ? Words.exactly(sweep.step()) : sweep.stepObjects() + " objects");
    }
    if (steps != null) {
      facts.put("warm-up", Long.toString(steps.warmUpObjects()));
    }
    if (longest != null) {
      facts.put("for", Words.exactly(longest));
    }
    if (leastDiskBytes != null) {
      facts.put("until-disk-left", Long.toString(leastDiskBytes));
    }
    return facts;
  }

  private static String plain(double rate) {
    return rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate);
  }

  /**
   * How many objects an ingest has; {@link Long#MAX_VALUE} where neither the dataset nor the user
   * says.
   *
   * @param asked by the user, or null
   */
  public static long objects(Long asked, LoadPlan plan, Dataset dataset) {
    if (asked == null) {
      return dataset.size() == Long.MAX_VALUE && !plan.ends() ? STANDARD_OBJECTS : dataset.size();
    }
    dataset.requireObjects(0, asked);
    return asked;
  }

  /**
   * @param objects null where the user does not say
   * @throws IllegalArgumentException one sentence: fewer than one
   */
  public static void requireObjects(Long objects) {
    if (objects != null && objects < 1) {
      throw new IllegalArgumentException("--objects " + objects + ": at least 1 is needed");
    }
  }

  /**
   * @throws IllegalArgumentException one sentence: not 1 to {@link IngestOptions#MOST_WORKERS}
   */
  public static void requireWorkers(int workers) {
    if (workers < 1 || workers > IngestOptions.MOST_WORKERS) {
      throw new IllegalArgumentException(
          "--workers " + workers + ": give 1 to " + IngestOptions.MOST_WORKERS);
    }
  }
}

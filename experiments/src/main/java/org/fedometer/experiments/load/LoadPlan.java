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
 * How a load goes: how much at once, when, and to which end. Immutable.
 *
 * @param objects at least 1, or steps of a mix; null for all of a dataset that ends, and for
 *     {@value #STANDARD_OBJECTS} of one that does not, unless something else ends the load
 * @param workers concurrent requests, 1 to {@value IngestOptions#MOST_WORKERS}
 * @param ratePerSecond how many objects are due in a second where there are no steps; null for a
 *     closed loop
 * @param steps a ramp or a sweep, or null for neither
 * @param longest how long objects are sent, pauses not counted; null for any time
 * @param leastDiskBytes it ends when the disk has less left; null for no matter
 */
public record LoadPlan(
    Long objects,
    int workers,
    Double ratePerSecond,
    Load.Stepped steps,
    Duration longest,
    Long leastDiskBytes) {

  /** So many of a dataset without end, where the user does not say. */
  public static final long STANDARD_OBJECTS = 1000;

  public LoadPlan {
    if (objects != null && objects < 1) {
      throw new IllegalArgumentException("--objects " + objects + ": at least 1 is needed");
    }
    requireWorkers(workers);
    if (ratePerSecond != null) {
      fixedRate(ratePerSecond);
    }
    if (longest != null && (longest.isNegative() || longest.isZero())) {
      throw new IllegalArgumentException("--for " + longest + ": give more than nothing");
    }
    if (leastDiskBytes != null && leastDiskBytes < 1) {
      throw new IllegalArgumentException(
          "--until-disk-left " + leastDiskBytes + ": give more than nothing");
    }
  }

  /** In a closed loop to the last object. */
  public static LoadPlan of(int workers) {
    return new LoadPlan(null, workers, null, null, null, null);
  }

  /** Whether it comes to an end by itself in a dataset that has none. */
  public boolean ends() {
    return steps != null || longest != null || leastDiskBytes != null;
  }

  /** When objects are due. */
  Load load() {
    if (steps != null) {
      return steps;
    }
    return ratePerSecond == null ? new Load.ClosedLoop() : fixedRate(ratePerSecond);
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
   */
  long objectsOf(Dataset dataset) {
    if (objects == null) {
      return dataset.size() == Long.MAX_VALUE && !ends() ? STANDARD_OBJECTS : dataset.size();
    }
    dataset.requireObjects(0, objects);
    return objects;
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

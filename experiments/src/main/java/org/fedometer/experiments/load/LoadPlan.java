package org.fedometer.experiments.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.EndConditions;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.load.Load;
import org.fedometer.experiments.host.Disk;
import org.fedometer.experiments.job.DurationFormat;
import org.fedometer.store.DiskSpace;

/**
 * How a load goes: how much at once, when, and to which end. Immutable.
 *
 * @param objects at least 1, or steps of a mix; null for all of a dataset that ends, and for
 *     {@value #STANDARD_OBJECTS} of one that does not, unless something else ends the load
 * @param workers concurrent requests, 1 to {@value IngestOptions#MAX_WORKERS}
 * @param ratePerSecond how many objects are due in a second where there are no steps; null for a
 *     closed model
 * @param steps a ramp or a sweep, or null for neither
 * @param maxDuration how long objects are sent, pauses not counted; null for any time
 * @param minDiskBytes it ends when the disk has less left; null for no matter
 */
public record LoadPlan(
    Long objects,
    int workers,
    Double ratePerSecond,
    Load.Stepped steps,
    Duration maxDuration,
    Long minDiskBytes) {

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
    if (maxDuration != null && (maxDuration.isNegative() || maxDuration.isZero())) {
      throw new IllegalArgumentException("--duration " + maxDuration + ": give more than nothing");
    }
    if (minDiskBytes != null && minDiskBytes < 1) {
      throw new IllegalArgumentException(
          "--min-free-disk " + minDiskBytes + ": give more than nothing");
    }
  }

  /** In a closed model to the last object. */
  public static LoadPlan of(int workers) {
    return new LoadPlan(null, workers, null, null, null, null);
  }

  /** Whether it comes to an end by itself in a dataset that has none. */
  public boolean ends() {
    return steps != null || maxDuration != null || minDiskBytes != null;
  }

  /** When objects are due. */
  Load load() {
    if (steps != null) {
      return steps;
    }
    return ratePerSecond == null ? new Load.ClosedModel() : fixedRate(ratePerSecond);
  }

  private static Load fixedRate(double ratePerSecond) {
    try {
      return new Load.ArrivalRate(ratePerSecond);
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
  public EndConditions driverEnds(Path data) {
    EndConditions ends =
        maxDuration == null
            ? EndConditions.AT_THE_LAST_OBJECT
            : EndConditions.AT_THE_LAST_OBJECT.withMaxDuration(maxDuration);
    if (minDiskBytes == null) {
      return ends;
    }
    LongSupplier availableBytes;
    try {
      availableBytes = Disk.availableBytes(data);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    long leftBytes = availableBytes.getAsLong();
    if (leftBytes < minDiskBytes) {
      throw new IllegalArgumentException(
          "--min-free-disk %s: the disk of %s has less left already, %s; nothing would be loaded"
              .formatted(
                  NumberFormats.bytes(minDiskBytes),
                  DiskSpace.existing(data),
                  NumberFormats.bytes(leftBytes)));
    }
    return ends.withMinFreeDisk(availableBytes::getAsLong, minDiskBytes);
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
              + DurationFormat.optionValue(ramp.step()));
    } else if (steps instanceof Load.Sweep sweep) {
      facts.put("sweep", sweep.workers().toString().replaceAll("[\\[\\] ]", ""));
      facts.put(
          "step",
          sweep.step() != null
              ? DurationFormat.optionValue(sweep.step())
              : sweep.stepObjects() + " objects");
    }
    if (steps != null) {
      facts.put("warm-up", Long.toString(steps.warmUpObjects()));
    }
    if (maxDuration != null) {
      facts.put("for", DurationFormat.optionValue(maxDuration));
    }
    if (minDiskBytes != null) {
      facts.put("until-disk-left", Long.toString(minDiskBytes));
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
   * @throws IllegalArgumentException one sentence: not 1 to {@link IngestOptions#MAX_WORKERS}
   */
  public static void requireWorkers(int workers) {
    if (workers < 1 || workers > IngestOptions.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "--workers " + workers + ": give 1 to " + IngestOptions.MAX_WORKERS);
    }
  }
}

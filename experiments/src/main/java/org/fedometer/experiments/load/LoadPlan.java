package org.fedometer.experiments.load;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.EndConditions;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.load.Load;
import org.fedometer.experiments.host.Disk;
import org.fedometer.experiments.job.DurationFormat;
import org.fedometer.store.DiskSpace;

/**
 * Size, timing and end of a load. Immutable.
 *
 * @param objects at least 1, or steps of a mix. If null: all of a finite dataset, or {@value
 *     #STANDARD_OBJECTS} of an endless one unless another condition ends the load.
 * @param workers concurrent requests, 1 to {@value IngestOptions#MAX_WORKERS}
 * @param ratePerSecond objects due per second without steps; null for a closed model
 * @param steps a ramp or a sweep, or null for neither
 * @param maxDuration maximum time for sending objects, without pauses; null for no limit
 * @param minDiskBytes free disk space below which it ends; null for no limit
 * @param tags the user's facts about the run, by name; kept in its record
 */
public record LoadPlan(
    Long objects,
    int workers,
    Double ratePerSecond,
    Load.Stepped steps,
    Duration maxDuration,
    Long minDiskBytes,
    Map<String, String> tags) {

  /** Default number of objects of an endless dataset. */
  public static final long STANDARD_OBJECTS = 1000;

  /** What the names of tags begin with among the facts of a workload. */
  public static final String TAG_PREFIX = "tag.";

  private static final int MAX_TAG_LENGTH = 200;
  private static final Pattern TAG_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public LoadPlan {
    if (objects != null && objects < 1) {
      throw new IllegalArgumentException("--objects " + objects + ": give 1 or more");
    }
    requireWorkers(workers);
    if (ratePerSecond != null) {
      fixedRate(ratePerSecond);
    }
    if (maxDuration != null && (maxDuration.isNegative() || maxDuration.isZero())) {
      throw new IllegalArgumentException("--duration " + maxDuration + ": give more than 0");
    }
    if (minDiskBytes != null && minDiskBytes < 1) {
      throw new IllegalArgumentException("--min-free-disk " + minDiskBytes + ": give more than 0");
    }
    tags.forEach(LoadPlan::requireTag);
    tags = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
  }

  /** Creates a plan without tags. */
  public LoadPlan(
      Long objects,
      int workers,
      Double ratePerSecond,
      Load.Stepped steps,
      Duration maxDuration,
      Long minDiskBytes) {
    this(objects, workers, ratePerSecond, steps, maxDuration, minDiskBytes, Map.of());
  }

  private static void requireTag(String name, String value) {
    if (!TAG_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "--tag "
              + name
              + ": a name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins"
              + " with a letter or digit");
    }
    if (value.isBlank() || value.length() > MAX_TAG_LENGTH) {
      throw new IllegalArgumentException(
          "--tag " + name + ": give a value of 1 to " + MAX_TAG_LENGTH + " characters");
    }
  }

  /** Returns a plan in a closed model to the last object. */
  public static LoadPlan of(int workers) {
    return new LoadPlan(null, workers, null, null, null, null);
  }

  /** Returns whether it ends by itself with an endless dataset. */
  public boolean ends() {
    return steps != null || maxDuration != null || minDiskBytes != null;
  }

  /** Returns when objects are due. */
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
   * Returns the conditions that end the load before its last object.
   *
   * @param data a folder, possibly missing yet, on the disk that the load fills; null if on another
   *     host
   * @throws IllegalArgumentException with a one-sentence message, if the disk is not visible, or
   *     the condition already holds
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
          "--min-free-disk %s: the disk of %s has only %s free; nothing would be loaded"
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
      facts.put("duration", DurationFormat.optionValue(maxDuration));
    }
    if (minDiskBytes != null) {
      facts.put("min-free-disk", Long.toString(minDiskBytes));
    }
    tags.forEach((name, value) -> facts.put(TAG_PREFIX + name, value));
    return facts;
  }

  private static String plain(double rate) {
    return rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate);
  }

  /**
   * Returns the number of objects of an ingest; {@link Long#MAX_VALUE} if neither the dataset nor
   * the user limits it.
   */
  long objectsOf(Dataset dataset) {
    if (objects == null) {
      return dataset.size() == Long.MAX_VALUE && !ends() ? STANDARD_OBJECTS : dataset.size();
    }
    dataset.requireObjects(0, objects);
    return objects;
  }

  /**
   * @throws IllegalArgumentException with a one-sentence message, unless 1 to {@link
   *     IngestOptions#MAX_WORKERS}
   */
  public static void requireWorkers(int workers) {
    if (workers < 1 || workers > IngestOptions.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "--workers " + workers + ": give 1 to " + IngestOptions.MAX_WORKERS);
    }
  }
}

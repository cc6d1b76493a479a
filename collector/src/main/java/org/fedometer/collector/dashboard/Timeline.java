package org.fedometer.collector.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.AbstractHistogram;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.wire.record.RequestEncoder;

/**
 * A run's timeline in a bounded number of buckets. If there are too many, adjacent ones are merged
 * and the bucket length doubles. For one thread.
 */
final class Timeline {
  /** Length of a rollup, so that each rollup falls into one bucket. */
  static final int MIN_BUCKET_SECONDS = 10;

  static final int MAX_BUCKETS = 720;
  static final int MAX_OPERATIONS = 8;
  static final String INGEST = RequestEncoder.INGEST;

  private static final long NANOS = 1_000_000_000L;
  private static final String OTHERS = "others";

  private long bucketSeconds = MIN_BUCKET_SECONDS;

  /** Start of the first bucket, in bucket lengths since 1970. */
  private long first;

  private int size;
  private int generation = 1;
  private int firstChanged = Integer.MAX_VALUE;

  final Sums objects = new Sums();
  final Sums failed = new Sums();
  final Latencies latencies = new Latencies();
  final Sums maxLatencyNanos = new Sums(true);
  final Sums gcNanos = new Sums();
  final Sums maxGcNanos = new Sums(true);

  /** Successful requests of other operations, by name. */
  final Map<String, Sums> others = new LinkedHashMap<>();

  final Map<Metric, Means> telemetry = new LinkedHashMap<>();

  /** Self times in nanoseconds, by stage number. */
  final Map<Integer, Sums> stages = new LinkedHashMap<>();

  /**
   * Maps old bucket indexes to new ones.
   *
   * @param first old number of the first bucket
   * @param merged number of buckets merged into one: 1 or 2
   * @param newFirst new number of the first bucket
   */
  record BucketMapping(long first, int merged, long newFirst) {
    int of(int bucket) {
      return Math.toIntExact(Math.floorDiv(first + bucket, (long) merged) - newFirst);
    }
  }

  static int capacityFor(int bucket, int before) {
    return Math.max(bucket + 1, Math.min(MAX_BUCKETS, 2 * before));
  }

  /** Returns a number that changes when buckets get other starts or another length. */
  int generation() {
    return generation;
  }

  /** Invalidates the timeline that viewers have. */
  void newGeneration() {
    generation++;
  }

  /** Returns the start of the first bucket, in seconds since 1970. */
  long from() {
    return first * bucketSeconds;
  }

  long bucketSeconds() {
    return bucketSeconds;
  }

  int size() {
    return size;
  }

  /** Returns the first bucket changed since the last call; the size if none is. */
  int takeFirstChanged() {
    int changed = Math.min(firstChanged, size);
    firstChanged = Integer.MAX_VALUE;
    return changed;
  }

  boolean hasChanged() {
    return firstChanged < Integer.MAX_VALUE;
  }

  // ---- additions ----

  void addRequest(String operation, long endEpochSeconds, long durationNanos, boolean isFailed) {
    int bucket = bucketOf(endEpochSeconds);
    if (isFailed) {
      failed.add(bucket, 1);
    }
    if (operation.equals(INGEST)) {
      objects.add(bucket, isFailed ? 0 : 1);
      latencies.add(bucket, durationNanos);
      maxLatencyNanos.add(bucket, Rollups.recordable(durationNanos));
    } else {
      othersOf(operation).add(bucket, isFailed ? 0 : 1);
    }
  }

  void addRequests(String operation, long endEpochSeconds, long succeeded, long failures) {
    int bucket = bucketOf(endEpochSeconds);
    failed.add(bucket, Math.max(0, failures));
    (operation.equals(INGEST) ? objects : othersOf(operation)).add(bucket, Math.max(0, succeeded));
  }

  void addLatencies(long endEpochSeconds, AbstractHistogram nanos, long maxNanos) {
    int bucket = bucketOf(endEpochSeconds);
    latencies.add(bucket, nanos);
    maxLatencyNanos.add(bucket, Rollups.recordable(maxNanos));
  }

  private Sums othersOf(String operation) {
    Sums known = others.get(operation);
    if (known != null) {
      return known;
    }
    boolean full = others.size() >= MAX_OPERATIONS - 1;
    return others.computeIfAbsent(full ? OTHERS : operation, name -> new Sums());
  }

  void addSelfTime(int stage, long endEpochSeconds, long selfNanos) {
    int bucket = bucketOf(endEpochSeconds);
    stages.computeIfAbsent(stage, number -> new Sums()).add(bucket, Math.max(0, selfNanos));
  }

  void addGc(long startEpochSeconds, long sumNanos, long maxNanos) {
    int bucket = bucketOf(startEpochSeconds);
    gcNanos.add(bucket, Rollups.recordable(sumNanos));
    maxGcNanos.add(bucket, Rollups.recordable(maxNanos));
  }

  void addReading(Metric metric, long epochSeconds, double value, double weight) {
    telemetry
        .computeIfAbsent(metric, any -> new Means(metric.kind() == Metric.Kind.MAXIMUM))
        .add(bucketOf(epochSeconds), value, weight);
  }

  /** Adds an earlier timeline, which is unusable afterwards. */
  void addAll(Timeline other) {
    if (other.size == 0) {
      return;
    }
    long begin = other.from();
    long end = (other.first + other.size) * other.bucketSeconds - 1;
    bucketOf(begin);
    bucketOf(end);
    while (bucketSeconds < other.bucketSeconds) {
      halve();
    }
    while (other.bucketSeconds < bucketSeconds) {
      other.halve();
    }
    BucketMapping to = new BucketMapping(other.first, 1, first);
    objects.addAll(other.objects, to);
    failed.addAll(other.failed, to);
    latencies.addAll(other.latencies, to);
    maxLatencyNanos.addAll(other.maxLatencyNanos, to);
    gcNanos.addAll(other.gcNanos, to);
    maxGcNanos.addAll(other.maxGcNanos, to);
    other.others.forEach((operation, sums) -> othersOf(operation).addAll(sums, to));
    other.telemetry.forEach(
        (metric, means) ->
            telemetry
                .computeIfAbsent(metric, any -> new Means(metric.kind() == Metric.Kind.MAXIMUM))
                .addAll(means, to));
    newGeneration();
    firstChanged = 0;
  }

  /** Adds a stage's earlier self times, under the number it has here. */
  void addAllSelfTimes(int stage, Sums selfNanos, Timeline of) {
    stages
        .computeIfAbsent(stage, number -> new Sums())
        .addAll(selfNanos, new BucketMapping(of.first, 1, first));
  }

  // ---- buckets ----

  /** Converts to seconds; implausible times become times in 1970. */
  static long secondsOf(long epochNanos) {
    return Math.max(0, Math.floorDiv(epochNanos, NANOS));
  }

  private int bucketOf(long epochSeconds) {
    long number = Math.floorDiv(epochSeconds, bucketSeconds);
    if (size == 0) {
      first = number;
      size = 1;
    } else if (number < first || number >= first + size) {
      number = extendTo(epochSeconds);
    }
    int bucket = (int) (number - first);
    firstChanged = Math.min(firstChanged, bucket);
    return bucket;
  }

  private long extendTo(long epochSeconds) {
    long number = Math.floorDiv(epochSeconds, bucketSeconds);
    while (Math.max(number, first + size - 1) - Math.min(number, first) >= MAX_BUCKETS) {
      halve();
      number = Math.floorDiv(epochSeconds, bucketSeconds);
    }
    if (number < first) {
      int before = (int) (first - number);
      move(new BucketMapping(first, 1, number));
      size += before;
      first = number;
    }
    size = (int) Math.max(size, number - first + 1);
    return number;
  }

  private void halve() {
    long newFirst = Math.floorDiv(first, 2L);
    long newLast = Math.floorDiv(first + size - 1, 2L);
    move(new BucketMapping(first, 2, newFirst));
    first = newFirst;
    size = (int) (newLast - newFirst + 1);
    bucketSeconds *= 2;
  }

  private void move(BucketMapping to) {
    objects.move(to);
    failed.move(to);
    latencies.move(to);
    maxLatencyNanos.move(to);
    gcNanos.move(to);
    maxGcNanos.move(to);
    others.values().forEach(column -> column.move(to));
    telemetry.values().forEach(column -> column.move(to));
    stages.values().forEach(column -> column.move(to));
    newGeneration();
    firstChanged = 0;
  }
}

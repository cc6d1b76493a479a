package org.fedometer.attach;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Totals;

/**
 * Sums up the data of a {@code top} in progress: how often each stage ran in an interval, and how
 * long. Counts are differences of the agent's exact totals; self time and percentiles come from
 * copied samples. One thread uses an instance.
 */
public final class LiveStages {
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private final long intervalNanos;
  private final Map<Integer, Stage> stages = new HashMap<>();
  private Totals newest;
  private long newestNanos;
  private Totals base;
  private long baseNanos;

  /**
   * @param interval length of an interval; the agent's totals come once a second, so shorter ones
   *     have no data
   */
  public LiveStages(Duration interval) {
    if (interval.toMillis() < 1) {
      throw new IllegalArgumentException("An interval must be longer than " + interval);
    }
    this.intervalNanos = interval.toNanos();
  }

  /**
   * One stage in one interval. Times are per execution, from start to end, except the self time,
   * which excludes nested stages.
   *
   * @param callsPerSecond finished executions; exact
   * @param failedPerSecond executions that ended by an exception; exact
   * @param selfMillisPerSecond self time of all threads; NaN without samples
   * @param selfShare of the self time of all stages, 0 to 1; NaN without samples
   * @param meanMillis exact
   * @param p50Millis less than 0.1 % off; NaN without samples
   * @param p99Millis less than 0.1 % off; NaN without samples
   */
  public record StageStatistics(
      String stage,
      double callsPerSecond,
      double failedPerSecond,
      double selfMillisPerSecond,
      double selfShare,
      double meanMillis,
      double p50Millis,
      double p99Millis) {}

  /**
   * All stages that ran in an interval, those with most self time first.
   *
   * @param seconds its length
   * @param stages empty if none ran
   * @param samplesCounted executions by the totals
   * @param samplesSeen executions with a copied sample
   */
  public record Interval(
      double seconds, List<StageStatistics> stages, long samplesCounted, long samplesSeen) {
    public Interval {
      stages = List.copyOf(stages);
    }

    /** Returns the calls of one stage; 0 if it did not run. */
    public double callsPerSecond(String stage) {
      return stages.stream()
          .filter(statistics -> statistics.stage().equals(stage))
          .mapToDouble(StageStatistics::callsPerSecond)
          .sum();
    }
  }

  /**
   * Adds a frame; ignores those that are not about stages.
   *
   * @param nowNanos {@code System.nanoTime()} at its arrival
   * @return the interval that this frame ends, if any
   * @throws MalformedFrameException if its payload does not match its type
   */
  public Optional<Interval> add(Frame frame, long nowNanos) throws MalformedFrameException {
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    if (frame.type() == FrameType.STAGES) {
      Dictionary.decode(payload)
          .entries()
          .forEach((id, name) -> stages.computeIfAbsent(id, any -> new Stage(name)));
    } else if (frame.type() == FrameType.SAMPLES) {
      SampleDecoder.decode(
          payload,
          (stageId, threadId, traceId, startNanos, durationNanos, selfNanos, failed) -> {
            Stage stage = stages.get(stageId);
            if (stage != null) {
              stage.add(durationNanos, selfNanos);
            }
          });
    } else if (frame.type() == FrameType.TOTALS) {
      return totals(Totals.decode(payload), nowNanos);
    }
    return Optional.empty();
  }

  private Optional<Interval> totals(Totals totals, long nowNanos) {
    newest = totals;
    newestNanos = nowNanos;
    if (base == null) {
      // Earlier data is incomplete, since samples began to arrive in between.
      begin();
      return Optional.empty();
    }
    // The agent's seconds differ from this process's: this interval may end half a second early.
    long slackNanos = Math.min(intervalNanos / 2, Duration.ofMillis(500).toNanos());
    if (newestNanos - baseNanos < intervalNanos - slackNanos) {
      return Optional.empty();
    }
    Interval interval = interval();
    begin();
    return Optional.of(interval);
  }

  private void begin() {
    base = newest;
    baseNanos = newestNanos;
    stages.values().forEach(Stage::clear);
  }

  private Interval interval() {
    double seconds = (newestNanos - baseNanos) / NANOS_PER_SECOND;
    Map<Integer, Totals.StageTotal> before = new HashMap<>();
    base.stages().forEach(total -> before.put(total.stageId(), total));
    List<StageDelta> ran = new ArrayList<>();
    for (Totals.StageTotal now : newest.stages()) {
      StageDelta stage =
          StageDelta.between(before.get(now.stageId()), now, stages.get(now.stageId()));
      if (stage != null) {
        ran.add(stage);
      }
    }
    double totalSelfNanos = ran.stream().mapToDouble(StageDelta::selfNanosOrZero).sum();
    return new Interval(
        seconds,
        ran.stream()
            .sorted(
                Comparator.comparingDouble(StageDelta::selfNanosOrZero)
                    .thenComparingDouble(StageDelta::sumDurationNanos)
                    .reversed())
            .map(stage -> stage.statistics(seconds, totalSelfNanos))
            .toList(),
        ran.stream().mapToLong(StageDelta::count).sum(),
        ran.stream().mapToLong(stage -> stage.copied().samples()).sum());
  }

  /** The copied samples of a stage in this interval. */
  private static final class Stage {
    private final String name;
    private final Histogram durationNanos = new Histogram(SIGNIFICANT_DIGITS);
    private double selfNanos;

    Stage(String name) {
      this.name = name;
    }

    void add(long sampleDurationNanos, long sampleSelfNanos) {
      durationNanos.recordValue(Math.max(0, sampleDurationNanos));
      selfNanos += Math.max(0, sampleSelfNanos);
    }

    long samples() {
      return durationNanos.getTotalCount();
    }

    void clear() {
      durationNanos.reset();
      selfNanos = 0;
    }
  }

  /** A stage between two totals. */
  private record StageDelta(Stage copied, long count, long failed, long sumDurationNanos) {

    /** Returns null if it did not run, or its name is unknown. */
    static StageDelta between(Totals.StageTotal before, Totals.StageTotal now, Stage copied) {
      long count = now.count() - (before == null ? 0 : before.count());
      if (count <= 0 || copied == null) {
        return null;
      }
      return new StageDelta(
          copied,
          count,
          now.failedCount() - (before == null ? 0 : before.failedCount()),
          now.sumDurationNanos() - (before == null ? 0 : before.sumDurationNanos()));
    }

    boolean hasNoSamples() {
      return copied.samples() == 0;
    }

    /** Extrapolates the copied samples to all executions. */
    double selfNanosOrZero() {
      return hasNoSamples() ? 0 : copied.selfNanos * count / copied.samples();
    }

    StageStatistics statistics(double seconds, double totalSelfNanos) {
      return new StageStatistics(
          copied.name,
          count / seconds,
          failed / seconds,
          hasNoSamples() ? Double.NaN : selfNanosOrZero() / NANOS_PER_MILLI / seconds,
          hasNoSamples()
              ? Double.NaN
              : totalSelfNanos == 0 ? 0 : selfNanosOrZero() / totalSelfNanos,
          sumDurationNanos / NANOS_PER_MILLI / count,
          percentileMillis(50),
          percentileMillis(99));
    }

    private double percentileMillis(double percentile) {
      return hasNoSamples()
          ? Double.NaN
          : copied.durationNanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
  }
}

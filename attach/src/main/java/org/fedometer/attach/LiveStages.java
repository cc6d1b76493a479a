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
 * Adds up what an agent sends while {@code top} goes on: how often each stage ran in an interval,
 * and how long. Counts are differences of the agent's exact totals; own time and percentiles come
 * from the samples that were copied. One thread uses an instance.
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
   * @param interval of the figures; the agent's totals come once a second, so shorter ones have
   *     nothing to go by
   */
  public LiveStages(Duration interval) {
    if (interval.toMillis() < 1) {
      throw new IllegalArgumentException("An interval is longer than " + interval);
    }
    this.intervalNanos = interval.toNanos();
  }

  /**
   * One stage in one interval. Times are of single executions, from start to end, but for the own
   * time, which is what remains without the stages inside.
   *
   * @param callsPerSecond executions that ended; exact
   * @param failedPerSecond those of them that ended by an exception; exact
   * @param ownMillisPerSecond own time spent in it by all threads; NaN where no sample came
   * @param ownShare of the own time of all stages, 0 to 1; NaN where no sample came
   * @param meanMillis exact
   * @param p50Millis less than 0.1 % off; NaN where no sample came
   * @param p99Millis likewise
   */
  public record StageFigures(
      String stage,
      double callsPerSecond,
      double failedPerSecond,
      double ownMillisPerSecond,
      double ownShare,
      double meanMillis,
      double p50Millis,
      double p99Millis) {}

  /**
   * All stages that ran in an interval, those with most own time first.
   *
   * @param seconds how long it was
   * @param stages none where nothing ran
   * @param samplesCounted executions by the totals
   * @param samplesSeen those whose sample was copied
   */
  public record Interval(
      double seconds, List<StageFigures> stages, long samplesCounted, long samplesSeen) {
    public Interval {
      stages = List.copyOf(stages);
    }

    /** Of one stage; 0 where it did not run. */
    public double callsPerSecond(String stage) {
      return stages.stream()
          .filter(figures -> figures.stage().equals(stage))
          .mapToDouble(StageFigures::callsPerSecond)
          .sum();
    }
  }

  /**
   * Takes in a frame; those that are not about stages are passed over.
   *
   * @param nowNanos {@code System.nanoTime()} when it came
   * @return the interval that this frame ends, if it does
   * @throws MalformedFrameException its payload is not what its type says
   */
  public Optional<Interval> take(Frame frame, long nowNanos) throws MalformedFrameException {
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    if (frame.type() == FrameType.STAGES) {
      Dictionary.decode(payload)
          .entries()
          .forEach((id, name) -> stages.computeIfAbsent(id, any -> new Stage(name)));
    } else if (frame.type() == FrameType.SAMPLES) {
      SampleDecoder.decode(
          payload,
          (stageId, threadId, traceId, startNanos, totalNanos, ownNanos, failed) -> {
            Stage stage = stages.get(stageId);
            if (stage != null) {
              stage.add(totalNanos, ownNanos);
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
      // What was before is nobody's: samples began to come somewhere in between.
      begin();
      return Optional.empty();
    }
    // The agent's seconds and ours are not the same: half a second early is this interval's end.
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
    List<Ran> ran = new ArrayList<>();
    for (Totals.StageTotal now : newest.stages()) {
      Ran stage = Ran.between(before.get(now.stageId()), now, stages.get(now.stageId()));
      if (stage != null) {
        ran.add(stage);
      }
    }
    double allOwnNanos = ran.stream().mapToDouble(Ran::ownNanosOrNone).sum();
    return new Interval(
        seconds,
        ran.stream()
            .sorted(
                Comparator.comparingDouble(Ran::ownNanosOrNone)
                    .thenComparingDouble(Ran::totalNanos)
                    .reversed())
            .map(stage -> stage.figures(seconds, allOwnNanos))
            .toList(),
        ran.stream().mapToLong(Ran::count).sum(),
        ran.stream().mapToLong(stage -> stage.seen().samples()).sum());
  }

  /** What was copied of a stage in this interval. */
  private static final class Stage {
    private final String name;
    private final Histogram totalNanos = new Histogram(SIGNIFICANT_DIGITS);
    private double ownNanos;

    Stage(String name) {
      this.name = name;
    }

    void add(long sampleTotalNanos, long sampleOwnNanos) {
      totalNanos.recordValue(Math.max(0, sampleTotalNanos));
      ownNanos += Math.max(0, sampleOwnNanos);
    }

    long samples() {
      return totalNanos.getTotalCount();
    }

    void clear() {
      totalNanos.reset();
      ownNanos = 0;
    }
  }

  /** A stage between two totals. */
  private record Ran(Stage seen, long count, long failed, long totalNanos) {

    /** Null where it did not run, or where nobody said its name. */
    static Ran between(Totals.StageTotal before, Totals.StageTotal now, Stage seen) {
      long count = now.count() - (before == null ? 0 : before.count());
      if (count <= 0 || seen == null) {
        return null;
      }
      return new Ran(
          seen,
          count,
          now.failedCount() - (before == null ? 0 : before.failedCount()),
          now.sumTotalNanos() - (before == null ? 0 : before.sumTotalNanos()));
    }

    boolean unseen() {
      return seen.samples() == 0;
    }

    /** Of all executions, taking those that were not copied to be like the others. */
    double ownNanosOrNone() {
      return unseen() ? 0 : seen.ownNanos * count / seen.samples();
    }

    StageFigures figures(double seconds, double allOwnNanos) {
      return new StageFigures(
          seen.name,
          count / seconds,
          failed / seconds,
          unseen() ? Double.NaN : ownNanosOrNone() / NANOS_PER_MILLI / seconds,
          unseen() ? Double.NaN : allOwnNanos == 0 ? 0 : ownNanosOrNone() / allOwnNanos,
          totalNanos / NANOS_PER_MILLI / count,
          percentileMillis(50),
          percentileMillis(99));
    }

    private double percentileMillis(double percentile) {
      return unseen()
          ? Double.NaN
          : seen.totalNanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
  }
}

package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the figures that {@code top} computes from the agent's copied frames. */
class LiveStagesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final int REQUEST = 0;
  private static final int INGEST = 1;
  private static final int FLUSH = 2;

  private final LiveStages stages = new LiveStages(Duration.ofSeconds(1));

  @BeforeEach
  void names() throws MalformedFrameException {
    Dictionary names =
        new Dictionary().put(REQUEST, "http.request").put(INGEST, "ingest").put(FLUSH, "flush");
    add(FrameType.STAGES, names.encode(), 0);
  }

  @Test
  void countsAndMeansAreDifferencesOfTotals() throws Exception {
    totals(0, total(INGEST, 1000, 7, 9_000 * MILLI));
    samples(INGEST, 100, 3 * MILLI, MILLI);

    LiveStages.Interval interval =
        totals(2 * SECOND, total(INGEST, 1100, 17, 9_300 * MILLI)).orElseThrow();

    assertThat(interval.seconds()).isEqualTo(2);
    LiveStages.StageStatistics ingest = interval.stages().get(0);
    assertThat(ingest.stage()).isEqualTo("ingest");
    assertThat(ingest.callsPerSecond()).isEqualTo(50);
    assertThat(ingest.failedPerSecond()).isEqualTo(5);
    assertThat(ingest.meanMillis()).isEqualTo(3);
    assertThat(ingest.selfMillisPerSecond()).isCloseTo(50, within(1e-9));
    assertThat(ingest.selfShare()).isEqualTo(1);
    assertThat(interval.callsPerSecond("ingest")).isEqualTo(50);
    assertThat(interval.callsPerSecond("flush")).isZero();
    assertThat(interval.samplesSeen()).isEqualTo(interval.samplesCounted()).isEqualTo(100);
  }

  @Test
  void percentilesAreOfTheIntervalsSamples() throws Exception {
    totals(0);
    samples(INGEST, 10, 900 * MILLI, MILLI);
    totals(SECOND, total(INGEST, 10, 0, 9_000 * MILLI));
    samples(INGEST, 98, 2 * MILLI, MILLI);
    samples(INGEST, 2, 50 * MILLI, MILLI);

    LiveStages.StageStatistics ingest =
        totals(2 * SECOND, total(INGEST, 110, 0, 9_296 * MILLI)).orElseThrow().stages().get(0);

    assertThat(ingest.p50Millis()).isCloseTo(2, within(0.01));
    assertThat(ingest.p99Millis()).isCloseTo(50, within(0.1));
  }

  @Test
  void stagesAreOrderedBySelfTime() throws Exception {
    totals(0);
    samples(REQUEST, 10, 10 * MILLI, MILLI);
    samples(INGEST, 10, 9 * MILLI, 9 * MILLI);

    LiveStages.Interval interval =
        totals(SECOND, total(REQUEST, 10, 0, 100 * MILLI), total(INGEST, 10, 0, 90 * MILLI))
            .orElseThrow();

    assertThat(interval.stages())
        .extracting(LiveStages.StageStatistics::stage)
        .containsExactly("ingest", "http.request");
    assertThat(interval.stages())
        .extracting(LiveStages.StageStatistics::selfShare)
        .containsExactly(0.9, 0.1);
  }

  @Test
  void extrapolatesDroppedSamples() throws Exception {
    totals(0);
    samples(INGEST, 25, 4 * MILLI, 2 * MILLI);

    LiveStages.Interval interval =
        totals(SECOND, total(INGEST, 100, 0, 400 * MILLI), total(FLUSH, 1, 0, 7 * MILLI))
            .orElseThrow();

    assertThat(interval.samplesSeen()).isEqualTo(25);
    assertThat(interval.samplesCounted()).isEqualTo(101);
    assertThat(interval.stages().get(0).selfMillisPerSecond()).isCloseTo(200, within(1e-9));
    LiveStages.StageStatistics unseen = interval.stages().get(1);
    assertThat(unseen.meanMillis()).isEqualTo(7);
    assertThat(unseen.selfMillisPerSecond()).isNaN();
    assertThat(unseen.p99Millis()).isNaN();
  }

  @Test
  void anIntervalEndsWithTheTotalsThatComeAboutThen() throws Exception {
    LiveStages ofFive = new LiveStages(Duration.ofSeconds(5));
    for (long second = 0; second < 5; second++) {
      assertThat(ofFive.add(frame(FrameType.TOTALS, totalsOf()), second * SECOND)).isEmpty();
    }
    assertThat(ofFive.add(frame(FrameType.TOTALS, totalsOf()), 5 * SECOND - 3 * MILLI))
        .hasValueSatisfying(interval -> assertThat(interval.stages()).isEmpty());
  }

  @Test
  void whatIsNotAboutStagesIsPassedOver() throws Exception {
    assertThat(stages.add(new Frame((byte) 99, 1, new byte[] {1}), 0)).isEmpty();
    assertThat(add(FrameType.THREADS, new Dictionary().put(1, "main").encode(), 0)).isEmpty();
  }

  private void samples(int stage, int count, long durationNanos, long selfNanos)
      throws MalformedFrameException {
    SampleEncoder samples = new SampleEncoder();
    for (int i = 0; i < count; i++) {
      samples.add(stage, 1, i, 0, durationNanos, selfNanos, false);
    }
    add(FrameType.SAMPLES, samples.finish(), 0);
  }

  private Optional<LiveStages.Interval> totals(long nowNanos, Totals.StageTotal... totals)
      throws MalformedFrameException {
    return add(FrameType.TOTALS, totalsOf(totals), nowNanos);
  }

  private static byte[] totalsOf(Totals.StageTotal... totals) {
    return new Totals(List.of(totals), 0, 0, 0, 0, 0, false).encode();
  }

  private static Totals.StageTotal total(int stage, long count, long failed, long sumNanos) {
    return new Totals.StageTotal(stage, count, failed, sumNanos);
  }

  private Optional<LiveStages.Interval> add(FrameType type, byte[] payload, long nowNanos)
      throws MalformedFrameException {
    return stages.add(frame(type, payload), nowNanos);
  }

  private static Frame frame(FrameType type, byte[] payload) {
    return new Frame(type.code(), 1, payload);
  }
}

package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which ten seconds are sent live, when, and how often. */
class LiveRunPointsTest {
  private static final long BEGIN_SECONDS = 1_795_000_000L;
  private static final Duration GRACE = Duration.ofSeconds(3);

  @TempDir Path folder;
  private final SetClock clock = new SetClock();
  private final List<InfluxPoint> sent = new ArrayList<>();
  private final MissingPoints missingPoints = new MissingPoints("--influx ...");

  @Test
  void tenSecondsAreSentWhenTheyAreOverAndAgainWhenMoreComes() throws Exception {
    LiveRunPoints run = run(false);
    samples(run, 0, 3, 9);
    clock.seconds = 12;
    run.tick(GRACE, this::addFrame);
    assertThat(sent).isEmpty();

    clock.seconds = 13;
    run.tick(GRACE, this::addFrame);
    assertThat(counts()).containsExactly("0: 3");
    run.tick(GRACE, this::addFrame);
    assertThat(counts()).as("nothing new").containsExactly("0: 3");

    samples(run, 5, 14);
    run.tick(GRACE, this::addFrame);
    assertThat(counts()).containsExactly("0: 3", "0: 4");

    run.close(this::addFrame);
    assertThat(counts()).as("the last of the run").containsExactly("0: 3", "0: 4", "10: 1");
  }

  @Test
  void incompleteIntervalsAreReadFromTheStoreLater() throws Exception {
    clock.seconds = 4;
    LiveRunPoints run = run(true);
    samples(run, -20, 1, 9, 10, 11, 25);
    assertThat(run.takeLate(Duration.ofSeconds(15))).isEmpty();
    clock.seconds = 18;
    samples(run, 2);
    clock.seconds = 32;
    assertThat(run.takeLate(Duration.ofSeconds(15))).containsExactly(BEGIN_SECONDS - 20);
    clock.seconds = 33;
    assertThat(run.takeLate(Duration.ofSeconds(15))).containsExactly(BEGIN_SECONDS);
    assertThat(run.takeLate(Duration.ZERO)).isEmpty();

    run.close(this::addFrame);
    assertThat(counts()).containsExactly("10: 2", "20: 1");
    assertThat(run.allLate()).containsExactly(BEGIN_SECONDS - 20, BEGIN_SECONDS);
  }

  @Test
  void lateSourcesAreReadFromTheStore() throws Exception {
    LiveRunPoints run = run(false);
    samples(run, 0);
    // 31 newer ones: from now on minutes ago are late.
    for (int ahead = 0; ahead <= 310; ahead += 10) {
      clock.seconds = ahead;
      samples(run, ahead);
    }
    List<Long> taken = new ArrayList<>();
    for (clock.seconds = 310; clock.seconds < 400; clock.seconds++) {
      samples(run, clock.seconds - 900);
      run.tick(GRACE, this::addFrame);
      taken.addAll(run.takeLate(Duration.ofSeconds(15)));
    }
    assertThat(taken)
        .startsWith(BEGIN_SECONDS - 590, BEGIN_SECONDS - 580)
        .doesNotHaveDuplicates()
        .hasSize(7);
  }

  @Test
  void framesThatWereLeftOutMakeTheirTimeOneForTheExport() throws Exception {
    LiveRunPoints run = run(false);
    samples(run, 1);
    clock.seconds = 5;
    run.missed(false);
    samples(run, 2, 12);
    run.close(this::addFrame);
    assertThat(counts()).containsExactly("10: 1");
  }

  @Test
  void withoutNamesNothingIsSent() throws Exception {
    LiveRunPoints run = run(false);
    run.missed(true);
    samples(run, 2, 12, 1_000);
    run.close(this::addFrame);
    assertThat(sent).isEmpty();
  }

  @Test
  void secondsOfAClockThatIsFarAheadDoNotPushOutRealOnes() throws Exception {
    LiveRunPoints run = run(false);
    samples(run, 1, 2);
    for (int wrong = 1; wrong <= 100; wrong++) {
      samples(run, wrong * 1_000);
    }
    samples(run, 3, 69);
    run.close(this::addFrame);
    assertThat(counts()).containsExactly("0: 3", "60: 1");
  }

  @Test
  void skipsImpossibleTimes() throws Exception {
    LiveRunPoints run = run(false);
    List<Long> times = new ArrayList<>();
    GcEncoder collections = new GcEncoder();
    collections.add("G1", "minor", "", Long.MAX_VALUE, 1_000, 2, 1);
    collections.add("G1", "minor", "", 5, 1_000, 2, 1);
    run.addFrame(
        source(),
        frame(FrameType.GC, collections.finish()),
        (name, point) -> times.add(point.epochNanos()));
    TelemetryEncoder readings = new TelemetryEncoder();
    readings.add(Long.MAX_VALUE - 1_000, 0, 1);
    readings.add(7, 0, 1);
    run.addFrame(
        source(),
        frame(FrameType.TELEMETRY, readings.finish()),
        (name, point) -> times.add(point.epochNanos()));
    long begin = BEGIN_SECONDS * 1_000_000_000L;
    assertThat(times).containsExactly(begin + 5, begin + 7);
  }

  @Test
  void pointsNeverDecrease() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      sent.clear();
      clock.seconds = 0;
      Random random = new Random(seed);
      LiveRunPoints run = run(false);
      Map<Long, Long> come = new HashMap<>();
      for (int i = 0; i < 300; i++) {
        clock.seconds += random.nextInt(10);
        long at = Math.max(0, clock.seconds - random.nextInt(random.nextInt(10) == 0 ? 900 : 15));
        samples(run, at);
        come.merge(at / 10 * 10, 1L, Long::sum);
        if (random.nextInt(3) == 0) {
          run.tick(GRACE, this::addFrame);
        }
      }
      run.close(this::addFrame);

      Map<Long, Long> last = new TreeMap<>();
      for (InfluxPoint point : sent) {
        long begin = point.epochNanos() / 1_000_000_000L - BEGIN_SECONDS;
        long count = (Long) point.fields().get("count");
        assertThat(count)
            .as("seed %d", seed)
            .isBetween(last.getOrDefault(begin, 0L), come.get(begin));
        last.put(begin, count);
      }
      long newest = clock.seconds / 10 * 10;
      for (long begin = newest; begin > newest - 200; begin -= 10) {
        if (come.containsKey(begin)) {
          assertThat(last).as("seed %d", seed).containsEntry(begin, come.get(begin));
        }
      }
    }
  }

  private LiveRunPoints run(boolean sealedBefore) throws Exception {
    LiveRunPoints run =
        new LiveRunPoints(new RunFolder(folder.resolve("run")), sealedBefore, clock, missingPoints);
    run.addFrame(
        source(),
        frame(FrameType.STAGES, new Dictionary().put(0, "ingest").encode()),
        this::addFrame);
    return run;
  }

  /** One sample each that ended so many seconds after the begin. */
  private void samples(LiveRunPoints run, long... seconds) {
    SampleEncoder samples = new SampleEncoder();
    for (long second : seconds) {
      samples.add(0, 1, 1, second * 1_000_000_000L, 1_000, 1_000, false);
    }
    run.addFrame(source(), frame(FrameType.SAMPLES, samples.finish()), this::addFrame);
  }

  private void addFrame(String run, InfluxPoint point) {
    assertThat(run).isEqualTo("run");
    assertThat(point.tags()).containsEntry("stage", "ingest");
    sent.add(point);
  }

  private List<String> counts() {
    return sent.stream()
        .map(
            point ->
                point.epochNanos() / 1_000_000_000L
                    - BEGIN_SECONDS
                    + ": "
                    + point.fields().get("count"))
        .toList();
  }

  private static Frame frame(FrameType type, byte[] payload) {
    return new Frame(type.code(), 1, payload);
  }

  private static SegmentSource source() {
    Hello hello = Hello.builder(new UUID(1, 1), "agent").runName("run").build();
    return new SegmentSource(0, hello, 0, 0, BEGIN_SECONDS * 1000);
  }

  private static final class SetClock extends Clock {
    long seconds;

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(BEGIN_SECONDS + seconds);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}

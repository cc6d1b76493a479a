package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest during which the time of day leaps, for a whole host or for the collector's or Fedora's
 * alone: every object is there in the end, once, and no figure knows of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClockStepsIT {
  private static final Duration PATIENCE = Site.PATIENCE;
  private static final int OBJECTS = 120;
  private static final int OBJECTS_A_SECOND = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How far a clock may leap; further than any tolerance of the driver, and less than it. */
  private static final Duration[] LEAPS = {
    Duration.ofHours(-1), Duration.ofHours(1), Duration.ofSeconds(-5), Duration.ofSeconds(5)
  };

  private WallClock ofFedora;
  private WallClock ofDriver;
  private WallClock ofCollector;
  private Site site;
  private Fedometer.Call collector;
  private int collectorPort;
  private ObservedIngest latest;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    ofFedora = WallClock.orSkip(folder.resolve("clock-of-fedora"));
    ofDriver = WallClock.orSkip(folder.resolve("clock-of-driver"));
    ofCollector = WallClock.orSkip(folder.resolve("clock-of-collector"));
    site = new Site(folder, "mptstore-postgresql", ofFedora.entrance(), ofDriver.entrance());
    collector =
        site.fedometer()
            .by(ofCollector.entrance())
            .startWithStore("collect", "--listen", "127.0.0.1:0", "--keep-age", "1d");
    String address = collector.address();
    collectorPort = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** What a test that failed has left. */
  @AfterEach
  void end() throws Exception {
    if (latest != null) {
      latest.close();
    }
  }

  @AfterAll
  void takeDown() throws Exception {
    if (collector != null) {
      collector.process().destroy();
      collector.await(PATIENCE);
    }
    if (site != null) {
      site.close();
    }
  }

  @Test
  @Tag("endurance")
  void anIngestOnAHostWhoseClockLeapsIsKilledAndResumed() throws Exception {
    Trials.of(
        "clock-step-host",
        trial -> {
          String name = "host-" + trial.number();
          Duration leap = LEAPS[trial.number() % LEAPS.length];
          leap(Duration.ZERO, ofFedora, ofDriver, ofCollector);
          Instant before = Instant.now();
          long begin = System.nanoTime();
          ObservedIngest ingest = ingest(name);
          int moment = trial.between(10, OBJECTS / 3);
          ingest.awaitBegun(moment);
          leap(leap, ofFedora, ofDriver, ofCollector);
          ingest.awaitBegun(moment + 25);

          ingest.driver().process().destroyForcibly().waitFor();
          JsonNode report = site.resume(name).expect(ExitCode.DONE).json();
          ingest.detach().expect(ExitCode.DONE);

          assertThat(report.at("/outages").size()).as("the driver was not there").isEqualTo(1);
          assertEven(name, ingest, ingest.assertWhole(2 * OBJECTS_A_SECOND), before, begin);
          trial.note("requestsMissing", ingest.requestsMissing());
          trial.note("leapSeconds", leap.toSeconds());
          trial.note("leaptAtObject", moment);
          trial.note("objects", OBJECTS);
        });
  }

  @Test
  @Tag("endurance-only")
  void aCollectorWhoseClockLeapsSealsOnAndDeletesNothing() throws Exception {
    Trials.of(
        "clock-step-collector",
        trial -> {
          String name = "collector-" + trial.number();
          Duration leap = trial.number() % 3 == 2 ? Duration.ofDays(3) : LEAPS[trial.between(0, 3)];
          assertOneLeaps(trial, name, leap, ofCollector);
          assertThat(collector.err()).doesNotContain("deleted, ");
        });
  }

  @Test
  @Tag("endurance-only")
  void aFedoraWhoseClockLeapsIsLoadedOn() throws Exception {
    Trials.of(
        "clock-step-fedora",
        trial ->
            assertOneLeaps(
                trial, "fedora-" + trial.number(), LEAPS[trial.number() % LEAPS.length], ofFedora));
  }

  @Test
  @Tag("endurance-only")
  void aDriverWhoseClockLeapsLoadsOn() throws Exception {
    Trials.of(
        "clock-step-driver",
        trial ->
            assertOneLeaps(
                trial, "driver-" + trial.number(), LEAPS[trial.number() % LEAPS.length], ofDriver));
  }

  private void assertOneLeaps(Trials.Trial trial, String name, Duration leap, WallClock clock)
      throws Exception {
    leap(Duration.ZERO, ofFedora, ofDriver, ofCollector);
    Instant before = Instant.now();
    long begin = System.nanoTime();
    ObservedIngest ingest = ingest(name);
    int moment = trial.between(10, OBJECTS / 2);
    ingest.awaitBegun(moment);
    leap(leap, clock);
    ingest.end();

    assertEven(name, ingest, ingest.assertWhole(), before, begin);
    trial.note("leapSeconds", leap.toSeconds());
    trial.note("leaptAtObject", moment);
    trial.note("objects", OBJECTS);
  }

  private ObservedIngest ingest(String name) throws Exception {
    latest =
        new ObservedIngest(
            site,
            name,
            OBJECTS,
            new ObservedIngest.Ways(collectorPort, collectorPort, site.port()),
            List.of("--log-level", "info"),
            "--rate",
            Integer.toString(OBJECTS_A_SECOND),
            "--workers",
            "2");
    return latest;
  }

  private static void leap(Duration leap, WallClock... clocks) throws Exception {
    for (WallClock clock : clocks) {
      clock.isAhead(leap);
    }
  }

  /**
   * The run is whole, and its figures are those of a clock that has not leapt.
   *
   * @param before when it had not begun, by this machine's clock and by {@code System.nanoTime()}
   */
  private void assertEven(
      String name, ObservedIngest ingest, JsonNode report, Instant before, long beforeNanos)
      throws Exception {
    double seconds = (System.nanoTime() - beforeNanos) / 1e9;
    assertThat(OBJECTS / report.at("/throughput/objectsPerSecond").asDouble())
        .as("seconds of load: %s", report.at("/throughput"))
        .isBetween(1.0, seconds);
    assertThat(report.at("/latency/maxMillis").asDouble())
        .as("%s", report.at("/latency"))
        .isBetween(0.0, seconds * 1000);
    String outside = " < 0 OR %1$s > " + (long) (seconds * 1e9);
    JsonNode found =
        ingest.ask(
            "samples",
            "count(*) FROM samples WHERE own_nanos < 0 OR total_nanos"
                + outside.formatted("total_nanos"),
            "requests",
            "count(*) FROM requests WHERE duration_nanos" + outside.formatted("duration_nanos"),
            "ingests",
            "count(*) FROM samples WHERE stage = 'ingest'",
            "inSlots",
            "sum(count) FROM rollups WHERE stage = 'ingest'");
    assertThat(found.get("samples").asLong())
        .as("samples that take less than no time, or more than there was")
        .isZero();
    assertThat(found.get("requests").asLong()).as("requests likewise").isZero();
    assertThat(found.get("inSlots").asLong())
        .as("each ingest in one slot of the rollups")
        .isEqualTo(found.get("ingests").asLong());
    JsonNode run =
        JSON.readTree(
            site.fedometer().store().resolve("runs").resolve(name).resolve("run.json").toFile());
    Instant started = Instant.parse(run.at("/started").asText());
    Instant ended = Instant.parse(run.at("/ended").asText());
    assertThat(started).isBetween(before.minusSeconds(1), before.plusSeconds((long) seconds + 1));
    assertThat((double) Duration.between(started, ended).toMillis() / 1000)
        .as("from the beginning to the end: %s", run)
        .isBetween(0.0, seconds);
    long ofLoad = 0;
    for (JsonNode phase : run.at("/phases")) {
      long nanos = phase.at("/endNanos").asLong() - phase.at("/startNanos").asLong();
      assertThat(nanos).as("%s", phase).isBetween(0L, (long) (seconds * 1e9));
      ofLoad += nanos;
    }
    assertThat(ofLoad / 1e9).isPositive().isLessThan(seconds);
    for (JsonNode outage : run.at("/outages")) {
      assertThat(outage.at("/endNanos").asLong() - outage.at("/startNanos").asLong())
          .as("%s", outage)
          .isBetween(0L, (long) (seconds * 1e9));
    }
    assertReadable(name);
  }

  private void assertReadable(String name) throws Exception {
    Fedometer.Call text =
        site.fedometer().startWithStore("report", name).await(PATIENCE).expect(ExitCode.DONE);
    assertThat(text.out()).contains("120").doesNotContain("NaN");
    Fedometer.Call logs =
        site.fedometer()
            .startWithStore("logs", name, "--json")
            .await(PATIENCE)
            .expect(ExitCode.DONE);
    assertThat(logs.json()).isNotNull();
  }
}

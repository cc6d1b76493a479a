package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest during which the time of day leaps, for a whole host or for the driver's, the
 * collector's or Fedora's alone: every object is there in the end, once, and no figure knows of it.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClockStepsIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;
  private static final int OBJECTS = 120;
  private static final int OBJECTS_A_SECOND = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A row is an ingest with its request as the driver has timed it, and its sample. */
  private static final String TIMED_BY_BOTH =
      " FROM requests r JOIN traces t USING (traceparent) JOIN samples s"
          + " ON s.source = t.source AND s.trace = t.trace AND s.stage = 'ingest'";

  /** Objects of a run that is closed when the collector's clock leaps by days. */
  private static final int OBJECTS_BEFORE = 20;

  /** How far a clock may leap; further than any tolerance of the driver, and less than it. */
  private static final Duration[] JUMPS = {
    Duration.ofHours(1), Duration.ofHours(-1), Duration.ofSeconds(-5), Duration.ofSeconds(5)
  };

  /** Objects are due at even distances; a driver that is killed leaves out one of these. */
  private static final double MIN_LOAD_SECONDS = (OBJECTS - 3.0) / OBJECTS_A_SECOND;

  /** Less than any leap, and more than goes by between the load's beginning and a request. */
  private static final double TOLERANCE_SECONDS = 2;

  private WallClock ofFedora;
  private WallClock ofDriver;
  private WallClock ofCollector;
  private Site site;
  private CollectorInForeground collector;
  private ObservedIngest latest;

  /** When a trial's commands began and ended, by clocks that do not leap. */
  private record Span(Instant began, long beganNanos, long endedNanos) {
    double seconds() {
      return (endedNanos - beganNanos) / 1e9;
    }
  }

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    ofFedora = WallClock.createOrSkip(folder.resolve("clock-of-fedora"));
    ofDriver = WallClock.createOrSkip(folder.resolve("clock-of-driver"));
    ofCollector = WallClock.createOrSkip(folder.resolve("clock-of-collector"));
    site =
        new Site(folder, "mptstore-postgresql", ofFedora.commandPrefix(), ofDriver.commandPrefix());
    collector =
        new CollectorInForeground(
            site.fedometer().withPrefix(ofCollector.commandPrefix()), "--max-age", "1d");
  }

  /** Cleans up after a failed test. */
  @AfterEach
  void end() throws Exception {
    if (latest != null) {
      latest.close();
    }
  }

  @AfterAll
  void tearDown() throws Exception {
    try {
      if (site != null) {
        site.close();
      }
    } finally {
      for (WallClock clock : Arrays.asList(ofFedora, ofDriver, ofCollector)) {
        if (clock != null) {
          clock.close();
        }
      }
    }
  }

  @Test
  void hostClockJumpsAndKilledIngestResumes() throws Exception {
    Trials.of(
        "clock-step-host",
        trial -> {
          String name = "host-" + trial.number();
          Duration leap = jumpOf(trial);
          jump(Duration.ZERO, ofFedora, ofDriver, ofCollector);
          Instant began = Instant.now();
          long beganNanos = System.nanoTime();
          ObservedIngest ingest = ingest(name);
          int moment = trial.between(10, OBJECTS / 3);
          ingest.awaitBegun(moment);
          long leaptNanos = System.nanoTime();
          jump(leap, ofFedora, ofDriver, ofCollector);
          ingest.awaitBegun(moment + 25);

          ingest.driver().process().destroyForcibly().waitFor();
          Fedometer.Call resumed = site.resume(name);
          Span span = new Span(began, beganNanos, System.nanoTime());
          JsonNode report = resumed.expect(ExitCode.DONE).json();
          ingest.detach().expect(ExitCode.DONE);

          assertThat(report.at("/outages").size()).as("the driver was not there").isEqualTo(1);
          assertMonotonic(name, ingest, ingest.assertComplete(2 * OBJECTS_A_SECOND), span);
          JsonNode outage = document(name).at("/outages/0");
          assertThat((outage.at("/startNanos").asLong() - leaptNanos) / 1e9)
              .as("seconds from the leap to the outage, as the driver was killed then: %s", outage)
              .isGreaterThan(-TOLERANCE_SECONDS);
          trial.note("requestsMissing", ingest.requestsMissing());
          trial.note("leapSeconds", leap.toSeconds());
          trial.note("leaptAtObject", moment);
          trial.note("objects", OBJECTS);
        });
  }

  @Test
  @Tag("endurance")
  void collectorClockJumpsAndSealingContinues() throws Exception {
    Trials.of(
        "clock-step-collector",
        trial -> assertOneJumps(trial, "collector-" + trial.number(), jumpOf(trial), ofCollector));
  }

  /**
   * Uses a collector per trial: one that distrusts its clock does so for a day, and logs it once.
   */
  @Test
  @Tag("endurance")
  void collectorClockJumpsByDaysAndNothingIsDeleted() throws Exception {
    Trials.of(
        "clock-step-collector-days",
        trial -> {
          String closed = "closed-" + trial.number();
          jump(Duration.ZERO, ofFedora, ofDriver, ofCollector);
          site.startIngest(closed, OBJECTS_BEFORE, "--collector", collector.address())
              .await(TIMEOUT)
              .expect(ExitCode.DONE);
          collector.stop();
          collector.start();
          Duration leap = Duration.ofDays(trial.between(2, 30));
          assertOneJumps(trial, "days-" + trial.number(), leap, ofCollector);

          await()
              .atMost(TIMEOUT)
              .until(() -> collector.err().contains("more than a day later than expected"));
          JsonNode report =
              site.fedometer()
                  .startWithStore("report", closed, "--json")
                  .await(TIMEOUT)
                  .expect(ExitCode.DONE)
                  .json();
          assertThat(report.at("/objects/ingested").asLong()).isEqualTo(OBJECTS_BEFORE);
          assertThat(collector.err()).doesNotContain(": deleted, ");
        });
  }

  @Test
  @Tag("endurance")
  void fedoraClockJumpsAndLoadContinues() throws Exception {
    Trials.of(
        "clock-step-fedora",
        trial -> assertOneJumps(trial, "fedora-" + trial.number(), jumpOf(trial), ofFedora));
  }

  @Test
  @Tag("endurance")
  void driverClockJumpsAndLoadContinues() throws Exception {
    Trials.of(
        "clock-step-driver",
        trial -> assertOneJumps(trial, "driver-" + trial.number(), jumpOf(trial), ofDriver));
  }

  private static Duration jumpOf(Trials.Trial trial) {
    return JUMPS[trial.choose(JUMPS.length)];
  }

  private void assertOneJumps(Trials.Trial trial, String name, Duration leap, WallClock clock)
      throws Exception {
    jump(Duration.ZERO, ofFedora, ofDriver, ofCollector);
    Instant began = Instant.now();
    long beganNanos = System.nanoTime();
    ObservedIngest ingest = ingest(name);
    int moment = trial.between(10, OBJECTS / 2);
    ingest.awaitBegun(moment);
    jump(leap, clock);
    ingest.driver().await(TIMEOUT);
    Span span = new Span(began, beganNanos, System.nanoTime());
    ingest.end();

    assertMonotonic(name, ingest, ingest.assertComplete(), span);
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
            new ObservedIngest.Ports(collector.port(), collector.port(), site.port()),
            List.of("--log-level", "info", "--log-rate", "100000"),
            "--rate",
            Integer.toString(OBJECTS_A_SECOND),
            "--workers",
            "2");
    return latest;
  }

  private static void jump(Duration leap, WallClock... clocks) throws Exception {
    for (WallClock clock : clocks) {
      clock.setAhead(leap);
    }
  }

  /** The figures of a run that is whole are those of clocks that have not leapt. */
  private void assertMonotonic(String name, ObservedIngest ingest, JsonNode report, Span span)
      throws Exception {
    JsonNode found = found(ingest, span);
    assertTimesAreOfThisHost(found, ingest.requestsMissing());
    assertRates(found, report, span);
    assertDocument(name, found, report, span);
    assertReadable(name);
  }

  /** System.nanoTime() is one clock for all processes of this host, the test's among them. */
  private static JsonNode found(ObservedIngest ingest, Span span) throws Exception {
    return ingest.queryNumbers(
        "firstNanos",
        "min(start_nanos) FROM requests",
        "lastNanos",
        "max(start_nanos + duration_nanos) FROM requests",
        "samples",
        "count(*) FROM samples WHERE self_nanos < 0 OR duration_nanos < 0 OR start_nanos < "
            + span.beganNanos()
            + " OR start_nanos + duration_nanos > "
            + System.nanoTime(),
        "requests",
        "count(*) FROM requests WHERE duration_nanos < 0 OR intended_start_nanos < "
            + span.beganNanos()
            + " OR start_nanos + duration_nanos > "
            + span.endedNanos(),
        "timedByBoth",
        "count(DISTINCT object_index)" + TIMED_BY_BOTH,
        "apart",
        "count(*)"
            + TIMED_BY_BOTH
            + " WHERE s.start_nanos < r.start_nanos"
            + " OR s.start_nanos + s.duration_nanos > r.start_nanos + r.duration_nanos",
        "ingests",
        "count(*) FROM samples WHERE stage = 'ingest'",
        "inSlots",
        "sum(count) FROM rollups WHERE stage = 'ingest'");
  }

  private static void assertTimesAreOfThisHost(JsonNode found, long requestsMissing) {
    assertThat(found.get("samples").asLong())
        .as("samples from before or after the ingest, or that took less than no time")
        .isZero();
    assertThat(found.get("requests").asLong()).as("requests likewise").isZero();
    assertThat(found.get("timedByBoth").asLong())
        .as("objects whose ingest the driver has timed, and the agent")
        .isGreaterThanOrEqualTo(OBJECTS - requestsMissing);
    assertThat(found.get("apart").asLong())
        .as("ingests that Fedora began before their request, or ended after its answer")
        .isZero();
    assertThat(found.get("inSlots").asLong())
        .as("each ingest in one slot of the rollups")
        .isEqualTo(found.get("ingests").asLong());
  }

  private static void assertRates(JsonNode found, JsonNode report, Span span) {
    double ofLoad = report.at("/throughput/ingest/seconds").asDouble();
    double fromFirstToLast =
        (found.get("lastNanos").asLong() - found.get("firstNanos").asLong()) / 1e9;
    assertThat(ofLoad)
        .as("seconds of load: %s", report.at("/throughput"))
        .isBetween(MIN_LOAD_SECONDS, fromFirstToLast + TOLERANCE_SECONDS);
    assertThat(report.at("/throughput/seconds").asDouble())
        .as("with the last flush: %s", report.at("/throughput"))
        .isBetween(ofLoad, span.seconds());
    assertThat(report.at("/latency/maxMillis").asDouble())
        .as("%s", report.at("/latency"))
        .isBetween(0.0, fromFirstToLast * 1000);
  }

  private void assertDocument(String name, JsonNode found, JsonNode report, Span span)
      throws Exception {
    JsonNode run = document(name);
    Instant first = span.began().plusNanos(found.get("firstNanos").asLong() - span.beganNanos());
    Instant started = Instant.parse(run.at("/started").asText());
    assertThat(started)
        .as("before the first request: %s", run)
        .isBetween(span.began().minusSeconds(1), first.plusSeconds(1));
    Instant ended = Instant.parse(run.at("/ended").asText());
    assertThat(Duration.between(started, ended).toMillis() / 1000.0)
        .as("seconds from the beginning to the end: %s", run)
        .isBetween(report.at("/throughput/ingest/seconds").asDouble(), span.seconds());
    assertThat(run.at("/phases")).isNotEmpty();
    run.at("/phases").forEach(phase -> assertWithin(phase, span));
    run.at("/outages").forEach(outage -> assertWithin(outage, span));
  }

  /** Checks that start and end are within the span. */
  private static void assertWithin(JsonNode lasting, Span span) {
    long startNanos = lasting.at("/startNanos").asLong();
    assertThat(startNanos).as("beginning of %s", lasting).isGreaterThan(span.beganNanos());
    assertThat(lasting.at("/endNanos").asLong())
        .as("end of %s", lasting)
        .isBetween(startNanos, span.endedNanos());
  }

  private JsonNode document(String name) throws Exception {
    return JSON.readTree(
        site.fedometer().store().resolve("runs").resolve(name).resolve("run.json").toFile());
  }

  private void assertReadable(String name) throws Exception {
    Fedometer.Call text =
        site.fedometer().startWithStore("report", name).await(TIMEOUT).expect(ExitCode.DONE);
    assertThat(text.out()).contains("Run " + name).doesNotContain("NaN");
    JsonNode logs =
        site.fedometer()
            .startWithStore("runs", "logs", name, "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    assertThat(
            StreamSupport.stream(logs.at("/lines").spliterator(), false)
                .map(line -> line.at("/message").asText())
                .filter(message -> message.startsWith("Completed ingest(")))
        .as("lines of Fedora's log, one for each ingest")
        .hasSize(OBJECTS);
  }
}

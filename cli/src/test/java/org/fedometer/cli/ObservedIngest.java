package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fedometer.cli.terminal.ExitCode;

/** An ingest into a {@link Site}, with an agent in Fedora, whose samples are one run with it. */
final class ObservedIngest implements AutoCloseable {
  private static final Duration PATIENCE = Site.PATIENCE;

  /** More objects than a test waits for: {@link #cutShort} ends such a load. */
  static final int ENDLESS = 100_000;

  /** Of such a load: a hundred objects are read back. */
  private static final int LEAST_OBJECTS = 120;

  static final String INGESTS_COUNTED = "sum(count - failed) FROM totals WHERE stage = 'ingest'";

  static final String SAMPLES_TWICE =
      "count(*) - count(DISTINCT (source, thread, stage, trace, start_nanos, total_nanos))"
          + " FROM samples";

  static final String REQUESTS_TWICE =
      "count(*) - count(DISTINCT (source, traceparent)) FROM requests";

  static final String OBJECTS_ASKED_FOR =
      "count(DISTINCT object_index) FROM requests WHERE operation = 'ingest'";

  private final Site site;
  private final Fedometer kept;
  private final String name;
  private long objects;
  private final Fedometer.Call driver;
  private boolean detached;
  private long requestsMissing;

  /** Where an agent sends to, and a driver. */
  record Ways(int agentsCollector, int driversCollector, int driversFedora) {}

  /**
   * Attaches the agent and starts the driver; the collector has the site's store.
   *
   * @param name of the run, and the namespace of its PIDs
   * @param ways ports
   * @param agentOptions of {@code attach}
   * @param driverOptions of {@code ingest}
   */
  ObservedIngest(
      Site site,
      String name,
      long objects,
      Ways ways,
      List<String> agentOptions,
      String... driverOptions)
      throws Exception {
    this(site, site.fedometer(), name, objects, ways, agentOptions, driverOptions);
  }

  /** The same with a collector that has any store. */
  ObservedIngest(
      Site site,
      CollectorInForeground collector,
      String name,
      long objects,
      List<String> agentOptions,
      String... driverOptions)
      throws Exception {
    this(
        site,
        collector.fedometer(),
        name,
        objects,
        new Ways(collector.port(), collector.port(), site.port()),
        agentOptions,
        driverOptions);
  }

  private ObservedIngest(
      Site site,
      Fedometer kept,
      String name,
      long objects,
      Ways ways,
      List<String> agentOptions,
      String... driverOptions)
      throws Exception {
    this.site = site;
    this.kept = kept;
    this.name = name;
    this.objects = objects;
    List<String> attach = new ArrayList<>(List.of("attach", fedora()));
    attach.addAll(List.of("--collector", loopback(ways.agentsCollector())));
    attach.addAll(List.of("--run-name", name, "--json"));
    attach.addAll(agentOptions);
    site.fedometer().start(attach.toArray(String[]::new)).await(PATIENCE).expect(ExitCode.DONE);
    List<String> options = new ArrayList<>(Arrays.asList(driverOptions));
    options.addAll(List.of("--collector", loopback(ways.driversCollector()), "--join"));
    driver = site.startIngest(ways.driversFedora(), name, objects, options.toArray(String[]::new));
  }

  private String fedora() throws Exception {
    return Long.toString(site.process("Fedora").pid());
  }

  private static String loopback(int port) {
    return "127.0.0.1:" + port;
  }

  Fedometer.Call driver() {
    return driver;
  }

  long begun() throws Exception {
    return Journals.begun(site.journal(name));
  }

  /** Until the driver has begun so many objects. */
  void awaitBegun(long number) {
    site.awaitBegun(driver, name, number);
  }

  /** Until the driver has begun so many objects more than it has now. */
  void awaitMore(long number) {
    site.awaitMore(driver, name, number);
  }

  /** What the agent says of itself. */
  JsonNode agent() throws Exception {
    return site.agent();
  }

  /** Waits for the driver, and takes the agent out of Fedora. */
  void end() throws Exception {
    driver.await(PATIENCE.multipliedBy(2)).expect(ExitCode.DONE);
    detach().expect(ExitCode.DONE);
  }

  /**
   * Ends a load that is longer than a test waits for, by {@code load stop} and a last second of it,
   * and takes the agent out of Fedora. The objects are then those that were begun.
   */
  void cutShort() throws Exception {
    awaitBegun(LEAST_OBJECTS);
    site.fedometer().start("load", "stop", name).await(PATIENCE).expect(ExitCode.DONE);
    driver.await(PATIENCE).expect(ExitCode.INTERRUPTED);
    JsonNode report = site.resume(name, "--for", "1s").expect(ExitCode.DONE).json();
    objects = report.at("/objects/ingested").asLong();
    detach().expect(ExitCode.DONE);
  }

  Fedometer.Call detach() throws Exception {
    detached = true;
    return site.fedometer().start("detach", fedora(), "--json").await(PATIENCE);
  }

  /** Known from the beginning, or since {@link #cutShort}. */
  long objects() {
    return objects;
  }

  /** Asks until all that was sent is sealed, with the agent's last totals. */
  JsonNode report() {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(
            () -> kept.startWithStore("report", name, "--json").await(PATIENCE).json(),
            report ->
                report.at("/samples/sources/0/finalTotals").asBoolean()
                    && !report.at("/problems").toString().contains("not sealed"));
  }

  /**
   * Fedora holds every object once and whole; each of its ingests was timed once; each request is
   * on record once; nothing was dropped or lost on the way.
   *
   * @return the report
   */
  JsonNode assertWhole() throws Exception {
    return assertWhole(0);
  }

  /**
   * The same.
   *
   * @param mostRequestsMissing as the driver was killed; that they are is told
   */
  JsonNode assertWhole(int mostRequestsMissing) throws Exception {
    JsonNode report = report();
    Reports.assertWhole(report, objects);
    assertThat(report.at("/samples/lost").asLong()).as("%s", report.at("/samples")).isZero();
    assertThat(report.at("/samples/dropped").asLong()).isZero();
    JsonNode found =
        ask(
            "ingests",
            "count(*) FROM samples WHERE stage = 'ingest' AND NOT failed",
            "counted",
            INGESTS_COUNTED);
    assertThat(found.get("ingests").asLong())
        .as("ingests that Fedora did, in samples: %s", found)
        .isEqualTo(objects);
    assertThat(found.get("counted").asLong())
        .as("ingests that Fedora did, as it counted them: %s", found)
        .isEqualTo(objects);
    requestsMissing = Reports.assertOnRecordOnce(kept, report, objects, mostRequestsMissing);
    assertEveryObjectIsThere();
    return report;
  }

  /**
   * The same, where Fedora and the driver were not disturbed: there is one request for each object,
   * and nothing is wrong with the run. Puts on record how much there was.
   */
  void assertNobodyWasHeldUp(Trials.Trial trial) throws Exception {
    JsonNode report = assertWhole();
    assertThat(report.at("/endedWell").asBoolean()).as("%s", report.at("/problems")).isTrue();
    assertThat(report.at("/requests/failed").asLong()).isZero();
    assertThat(one("count(*) FROM requests WHERE operation = 'ingest'"))
        .as("requests, one an object")
        .isEqualTo(objects);
    assertThat(one("count(DISTINCT trace) FROM samples WHERE stage = 'ingest'"))
        .as("traces, one an object")
        .isEqualTo(objects);
    trial.note("objects", objects);
    trial.note("samples", report.at("/samples/received").asLong());
    trial.note("samplesLost", report.at("/samples/lost").asLong());
    trial.note("requestsMissing", requestsMissing);
  }

  /**
   * @param found what {@link #ask} was answered to the two
   */
  void assertNothingTwice(JsonNode found) {
    assertThat(found.get("twice").asLong()).as("samples that are there twice").isZero();
    assertThat(found.get("requestsTwice").asLong()).as("requests that are there twice").isZero();
  }

  /** Known when it was found whole. */
  long requestsMissing() {
    return requestsMissing;
  }

  void assertEveryObjectIsThere() throws Exception {
    JsonNode verified = site.verifyEverything(kept, name);
    assertThat(verified.at("/objectsFound").asLong()).isEqualTo(objects);
  }

  /** The number that a query over this run has for an answer. */
  long one(String query) throws Exception {
    return ask("it", query).get("it").asLong();
  }

  /**
   * Numbers that queries over this run have for an answer.
   *
   * @param namesAndQueries in turns; a query is what follows SELECT
   */
  JsonNode ask(String... namesAndQueries) throws Exception {
    return kept.ask(name, namesAndQueries);
  }

  /** Ends what a test that failed has left. */
  @Override
  public void close() throws Exception {
    driver.process().destroyForcibly().waitFor();
    if (!detached) {
      detach();
    }
  }
}

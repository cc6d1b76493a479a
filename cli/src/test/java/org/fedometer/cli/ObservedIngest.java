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
  private static final Duration TIMEOUT = Site.TIMEOUT;

  /** More objects than a test waits for: {@link #cutShort} ends such a load. */
  static final int ENDLESS = 100_000;

  /** Minimum of such a load: a hundred objects are read back. */
  private static final int MIN_OBJECTS = 120;

  static final String INGESTS_COUNTED = "sum(count - failed) FROM totals WHERE stage = 'ingest'";

  static final String SAMPLES_TWICE =
      "count(*) - count(DISTINCT (source, thread, stage, trace, start_nanos, duration_nanos))"
          + " FROM samples";

  static final String REQUESTS_TWICE =
      "count(*) - count(DISTINCT (source, traceparent)) FROM requests";

  static final String OBJECTS_REQUESTED =
      "count(DISTINCT object_index) FROM requests WHERE operation = 'ingest'";

  private final Site site;
  private final Fedometer storeOwner;
  private final String name;
  private long objects;
  private final Fedometer.Call driver;
  private boolean detached;
  private long requestsMissing;

  /** Where an agent sends to, and a driver. */
  record Ports(int agentsCollector, int driversCollector, int driversFedora) {}

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
      Ports ways,
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
        new Ports(collector.port(), collector.port(), site.port()),
        agentOptions,
        driverOptions);
  }

  private ObservedIngest(
      Site site,
      Fedometer storeOwner,
      String name,
      long objects,
      Ports ways,
      List<String> agentOptions,
      String... driverOptions)
      throws Exception {
    this.site = site;
    this.storeOwner = storeOwner;
    this.name = name;
    this.objects = objects;
    List<String> attach = new ArrayList<>(List.of("attach", fedora()));
    attach.addAll(List.of("--collector", loopback(ways.agentsCollector())));
    attach.addAll(List.of("--name", name, "--json"));
    attach.addAll(agentOptions);
    site.fedometer().start(attach.toArray(String[]::new)).await(TIMEOUT).expect(ExitCode.DONE);
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

  /** Returns the agent's state. */
  JsonNode agent() throws Exception {
    return site.agent();
  }

  /** Waits for the driver, and removes the agent from Fedora. */
  void end() throws Exception {
    driver.await(TIMEOUT.multipliedBy(2)).expect(ExitCode.DONE);
    detach().expect(ExitCode.DONE);
  }

  /**
   * Ends a long load with {@code load stop} and a final second, and removes the agent from Fedora.
   * The objects are then those that were begun.
   */
  void cutShort() throws Exception {
    awaitBegun(MIN_OBJECTS);
    site.fedometer().start("load", "stop", name).await(TIMEOUT).expect(ExitCode.DONE);
    driver.await(TIMEOUT).expect(ExitCode.INTERRUPTED);
    JsonNode report = site.resume(name, "--duration", "1s").expect(ExitCode.DONE).json();
    objects = report.at("/objects/ingested").asLong();
    detach().expect(ExitCode.DONE);
  }

  Fedometer.Call detach() throws Exception {
    detached = true;
    return site.fedometer().start("detach", fedora(), "--json").await(TIMEOUT);
  }

  /** Known from the beginning, or since {@link #cutShort}. */
  long objects() {
    return objects;
  }

  /** Asks until all that was sent is sealed, with the agent's last totals. */
  JsonNode report() {
    return await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(
            () -> storeOwner.startWithStore("report", name, "--json").await(TIMEOUT).json(),
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
  JsonNode assertComplete() throws Exception {
    return assertComplete(0);
  }

  /**
   * As above.
   *
   * @param maxRequestsMissing if the driver was killed; the report must state them
   */
  JsonNode assertComplete(int maxRequestsMissing) throws Exception {
    JsonNode report = report();
    Reports.assertComplete(report, objects);
    assertThat(report.at("/samples/lost").asLong()).as("%s", report.at("/samples")).isZero();
    assertThat(report.at("/samples/dropped").asLong()).isZero();
    JsonNode found =
        queryNumbers(
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
    requestsMissing = Reports.assertRecordedOnce(storeOwner, report, objects, maxRequestsMissing);
    assertEveryObjectIsThere();
    return report;
  }

  /**
   * The same, where Fedora and the driver were not disturbed: there is one request for each object,
   * and nothing is wrong with the run. Puts on record how much there was.
   */
  void assertUndisturbed(Trials.Trial trial) throws Exception {
    JsonNode report = assertComplete();
    assertThat(report.at("/endedWell").asBoolean()).as("%s", report.at("/problems")).isTrue();
    assertThat(report.at("/requests/failed").asLong()).isZero();
    assertThat(queryNumber("count(*) FROM requests WHERE operation = 'ingest'"))
        .as("requests, one an object")
        .isEqualTo(objects);
    assertThat(queryNumber("count(DISTINCT trace) FROM samples WHERE stage = 'ingest'"))
        .as("traces, one an object")
        .isEqualTo(objects);
    trial.note("objects", objects);
    trial.note("samples", report.at("/samples/received").asLong());
    trial.note("samplesLost", report.at("/samples/lost").asLong());
    trial.note("requestsMissing", requestsMissing);
  }

  /**
   * @param found what {@link #queryNumbers} was answered to the two
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
    JsonNode verified = site.verifyEverything(storeOwner, name);
    assertThat(verified.at("/objectsFound").asLong()).isEqualTo(objects);
  }

  /** The number that a query over this run has for an answer. */
  long queryNumber(String query) throws Exception {
    return queryNumbers("it", query).get("it").asLong();
  }

  /**
   * Numbers that queries over this run have for an answer.
   *
   * @param namesAndQueries in turns; a query is what follows SELECT
   */
  JsonNode queryNumbers(String... namesAndQueries) throws Exception {
    return storeOwner.queryNumbers(name, namesAndQueries);
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

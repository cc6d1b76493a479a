package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.driver.journal.Journal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * An ingest during which the agent comes, is given other options, pauses and goes, or during which
 * Fedora's webapp is loaded anew: no object suffers, and every sample is accounted for.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentUnderLoadIT {
  private static final Duration TIMEOUT = Site.TIMEOUT;

  /** A copy of the agent that stays would be some 500. */
  private static final int CLASS_NOISE = 200;

  private static final String AGENTS_LOADER = "org.fedometer.agent.IsolatedClassLoader";
  private static final String WEBAPPS_LOADER = "org.apache.catalina.loader.WebappClassLoader";

  private Site site;
  private Fedometer fedometer;
  private FedoraJvm jvm;
  private String pid;
  private CollectorInForeground collector;
  private Path folder;

  @BeforeAll
  void bringUp(@TempDir Path folder) throws Exception {
    this.folder = folder;
    bringUp("first");
  }

  private void bringUp(String name) throws Exception {
    site = new Site(Files.createDirectory(folder.resolve(name)), "mptstore-postgresql");
    fedometer = site.fedometer();
    jvm = new FedoraJvm(site.process("Fedora"));
    pid = Long.toString(site.process("Fedora").pid());
  }

  @AfterAll
  void tearDown() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  /** Cleans up after a failed test. */
  @AfterEach
  void endCollector() throws Exception {
    if (collector != null) {
      collector.close();
    }
  }

  @Test
  void attachingAndDetachingDisturbsNoRequest() throws Exception {
    Trials.of("attach-under-load", trial -> attachAndDetach(trial, "some-" + trial.number(), 2));
  }

  @Test
  @Tag("endurance")
  void tenAttachesLeaveNothingBehind() throws Exception {
    Trials.of(
        "attach-ten-times",
        trial -> attachAndDetach(trial, "many-" + trial.number(), 10, "--rate", "40"));
  }

  /**
   * @param load a closed model of four workers, or another; every object of it is verified
   */
  private void attachAndDetach(Trials.Trial trial, String name, int rounds, String... load)
      throws Exception {
    collector = new CollectorInForeground(fedometer);
    String agents = "agents-" + name;
    Fedometer.Call driver = site.startIngest(name, ObservedIngest.ENDLESS, load);
    site.awaitMore(driver, name, 10);
    List<Window> windows = new ArrayList<>();
    long recorded = 0;
    long classesAfterOne = 0;
    for (int round = 1; round <= rounds; round++) {
      attach(agents);
      windows.add(recordedWhile(() -> site.awaitMore(driver, name, trial.between(1, 60))));
      if (trial.between(0, 1) == 0) {
        attach(agents, otherOptions(trial));
        windows.add(recordedWhile(() -> site.awaitMore(driver, name, trial.between(1, 60))));
      }
      if (trial.between(0, 1) == 0) {
        agent("pause");
        site.awaitMore(driver, name, trial.between(1, 30));
        agent("resume");
        windows.add(recordedWhile(() -> site.awaitMore(driver, name, trial.between(1, 60))));
      }
      recorded += detach().get("samples").asLong();
      assertThat(jvm.threads()).doesNotContain("fedometer");
      await().atMost(TIMEOUT).until(() -> jvm.live(AGENTS_LOADER) == 0);
      site.awaitMore(driver, name, trial.between(1, 30));
      if (round == 1) {
        classesAfterOne = jvm.classes();
      }
    }
    assertThat(jvm.classes()).isLessThan(classesAfterOne + CLASS_NOISE);

    endAndVerify(trial, driver, name);
    JsonNode requests =
        fedometer.query(
            name,
            "SELECT count(*) AS requests,"
                + " count(*) FILTER (WHERE status = 201 AND attempt = 1) AS fine"
                + " FROM requests");
    assertThat(requests.at("/0/fine").asLong())
        .as("no request was refused, and none was sent twice")
        .isPositive()
        .isEqualTo(requests.at("/0/requests").asLong());
    assertThat(samplesThatAreComplete(trial, agents))
        .as("those of the agents that went and of those that were replaced")
        .isGreaterThanOrEqualTo(recorded);
    assertTraced(trial, name, agents, windows);
    trial.note("rounds", rounds);
  }

  @Test
  @Tag("endurance")
  void timesAReloadedWebapp() throws Exception {
    Trials.of(
        "webapp-reloaded",
        trial ->
            reload(
                trial,
                "reload-" + trial.number(),
                () -> {
                  long reloads = tomcatLog("Reloading Context with name [/fedora] is completed");
                  Files.setLastModifiedTime(
                      webapp().resolve("WEB-INF/web.xml"), FileTime.from(Instant.now()));
                  awaitTomcat("Reloading Context with name [/fedora] is completed", reloads);
                }));
  }

  /** Meanwhile Tomcat answers 404 in Fedora's place. */
  @Test
  @Tag("endurance")
  void timesARedeployedWebapp() throws Exception {
    Trials.of(
        "webapp-redeployed",
        trial -> {
          String name = "redeploy-" + trial.number();
          JsonNode report = reload(trial, name, this::undeployAndRedeploy);
          assertThat(outageSeconds(report))
              .as("an outage of Fedora: %s", report.at("/outages"))
              .isPositive();
          assertNoObjectFailedBy404(trial, name);
        });
  }

  private void undeployAndRedeploy() throws Exception {
    String undeployed = "Undeploying context [/fedora]";
    String deployed = "webapps/fedora has finished";
    long before = tomcatLog(undeployed);
    long deployments;
    Path aside = site.home().resolve("webapp-aside");
    Files.move(webapp(), aside);
    try {
      awaitTomcat(undeployed, before);
      awaitTomcatsNextLook();
      assertThat(statusOfFedora()).isEqualTo(404);
      deployments = tomcatLog(deployed);
    } finally {
      Files.move(aside, webapp());
    }
    awaitTomcat(deployed, deployments);
  }

  /**
   * Waits for Tomcat's next check. Tomcat logs an undeployment before it deletes the webapp's
   * folder. A later deployment in the same thread shows that it has finished.
   */
  private void awaitTomcatsNextLook() throws Exception {
    String deployed = "webapps/empty has finished";
    long before = tomcatLog(deployed);
    Path empty = Files.createDirectory(webapp().resolveSibling("empty"));
    awaitTomcat(deployed, before);
    Files.delete(empty);
  }

  /** No driver, the one that was resumed included, has ended an object by such an answer. */
  private void assertNoObjectFailedBy404(Trials.Trial trial, String name) throws Exception {
    JsonNode statuses =
        fedometer.query(
            name,
            """
            WITH objects AS (
              SELECT arg_max(status, start_nanos) AS latest,
                     count(*) FILTER (WHERE status = 404) AS times
              FROM requests WHERE operation = 'ingest' GROUP BY source, object_index)
            SELECT count(*) FILTER (WHERE latest = 404) AS failed, sum(times)::BIGINT AS answered
            FROM objects""");
    assertThat(statuses.at("/0/failed").asLong())
        .as("objects whose last answer was 404: %s", statuses)
        .isZero();
    trial.note("requestsAnswered404", statuses.at("/0/answered").asLong());
  }

  /**
   * Uses a new Fedora, since its initial webapp may be unloaded. Afterwards Tomcat starts it in a
   * permanent thread, where Woodstox keeps buffers by a soft reference. They retain the webapp's
   * loader until memory is scarce, with or without an agent.
   */
  private JsonNode reload(Trials.Trial trial, String name, Action loadAnew) throws Exception {
    tearDown();
    bringUp(name);
    collector = new CollectorInForeground(fedometer);
    String agents = "agents-" + name;
    long loaders = jvm.live(WEBAPPS_LOADER);
    attach(agents);
    Fedometer.Call driver = site.startIngest(name, ObservedIngest.ENDLESS);
    int moment = trial.between(20, 300);
    site.awaitMore(driver, name, moment);

    loadAnew.run();

    site.awaitMore(driver, name, 20);
    Window after = recordedWhile(() -> site.awaitMore(driver, name, 100));
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(jvm.live(WEBAPPS_LOADER))
                    .as("the loader before is collected, though the agent is there")
                    .isEqualTo(loaders));
    JsonNode report = endAndVerify(trial, driver, name);
    detach();
    assertThat(samplesThatAreComplete(trial, agents)).isPositive();
    assertTraced(trial, name, agents, List.of(after));
    trial.note("loadedAnewAtObject", moment);
    trial.note("outageSeconds", outageSeconds(report));
    return report;
  }

  /** Returns Fedora's outages as seen by the driver. */
  private static double outageSeconds(JsonNode report) {
    double seconds = 0;
    for (JsonNode outage : report.at("/outages")) {
      if (outage.get("who").asText().equals("fedora")) {
        seconds += outage.get("seconds").asDouble();
      }
    }
    return seconds;
  }

  /** By System.nanoTime(), which is the clock of requests and samples, too. */
  private record Window(long fromNanos, long toNanos) {}

  @FunctionalInterface
  private interface Action {
    void run() throws Exception;
  }

  private static Window recordedWhile(Action action) throws Exception {
    long fromNanos = System.nanoTime();
    action.run();
    return new Window(fromNanos, System.nanoTime());
  }

  private void attach(String runName, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("attach", pid, "--name", runName, "--json"));
    arguments.addAll(Arrays.asList(more));
    JsonNode attached =
        fedometer
            .startWithStore(arguments.toArray(String[]::new))
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    assertThat(attached.get("state").asText()).isEqualTo("recording");
    assertThat(attached.get("connected").asBoolean()).isTrue();
  }

  private static String[] otherOptions(Trials.Trial trial) {
    return trial.between(0, 1) == 0
        ? new String[] {"--memory", "16m", "--log-level", "info", "--telemetry-interval", "500ms"}
        : new String[] {
          "--stage",
          "my.describe=execution(* org.fcrepo.server.access.Access.describeRepository(..))"
        };
  }

  private void agent(String verb) throws Exception {
    fedometer.start("agent", verb, pid).await(TIMEOUT).expect(ExitCode.DONE);
  }

  private JsonNode detach() throws Exception {
    return fedometer.start("detach", pid, "--json").await(TIMEOUT).expect(ExitCode.DONE).json();
  }

  /** Ends the load, and looks at every object of it. Then all that was sent is sealed. */
  private JsonNode endAndVerify(Trials.Trial trial, Fedometer.Call driver, String name)
      throws Exception {
    fedometer.start("load", "stop", name).await(TIMEOUT).expect(ExitCode.DONE);
    driver.await(TIMEOUT).expect(ExitCode.INTERRUPTED);
    trial.note("failedAtFirst", Journal.read(site.journal(name)).failed().size());
    JsonNode report =
        site.resume(name, "--duration", "10s", "--verify", "all").expect(ExitCode.DONE).json();
    long objects = report.at("/objects/ingested").asLong();
    assertThat(report.at("/objects/failed").asLong()).isZero();
    assertThat(report.at("/objects/counted").asLong()).as("none twice").isEqualTo(objects);
    assertThat(report.at("/objects/verified").asLong()).isEqualTo(objects).isPositive();
    assertThat(report.at("/triples/counted").asLong())
        .isEqualTo(report.at("/triples/expected").asLong());
    assertThat(report.at("/verification/ok").asBoolean()).isTrue();
    trial.note("objects", objects);
    return report;
  }

  /** Checks that all samples reported by the agents are stored, and each trace is complete. */
  private long samplesThatAreComplete(Trials.Trial trial, String agents) throws Exception {
    collector.stop();
    JsonNode sources =
        fedometer.query(
            agents,
            """
            SELECT name, finished, frames_missing, frames_unreadable, frames_dropped,
                   samples_dropped,
                   (SELECT sum(count)::BIGINT FROM totals WHERE totals.source = sources.source)
                     AS recorded,
                   (SELECT count(*) FROM samples WHERE samples.source = sources.source) AS there,
                   (SELECT max(traces_dropped) FROM totals WHERE totals.source = sources.source)
                     AS traces_dropped
            FROM sources WHERE kind = 'agent'""");
    assertThat(sources).isNotEmpty();
    long samples = 0;
    long dropped = 0;
    for (JsonNode source : sources) {
      assertThat(source.get("finished").asBoolean()).as(source.toString()).isTrue();
      assertThat(source.get("frames_missing").asLong()).as(source.toString()).isZero();
      assertThat(source.get("frames_unreadable").asLong()).as(source.toString()).isZero();
      assertThat(source.get("frames_dropped").asLong()).as(source.toString()).isZero();
      assertThat(source.get("there").asLong() + source.get("samples_dropped").asLong())
          .as(source.toString())
          .isEqualTo(source.get("recorded").asLong());
      samples += source.get("there").asLong();
      dropped += source.get("samples_dropped").asLong();
    }
    trial.note("sources", sources.size());
    trial.note("samples", samples);
    trial.note("samplesDropped", dropped);
    JsonNode traces =
        fedometer.query(
            agents,
            """
            WITH sums AS (
              SELECT source, trace, sum(self_nanos) AS own, max(duration_nanos) AS longest
              FROM samples WHERE trace <> 0 GROUP BY ALL)
            SELECT count(*) FILTER (WHERE traces.trace IS NOT NULL) AS told,
                   count(*) FILTER (WHERE traces.trace IS NOT NULL AND own = longest) AS whole,
                   count(*) FILTER (WHERE traces.trace IS NULL) AS cut
            FROM traces FULL JOIN sums USING (source, trace)""");
    assertThat(traces.at("/0/told").asLong()).isPositive();
    if (dropped == 0) {
      assertThat(traces.at("/0/whole").asLong()).isEqualTo(traces.at("/0/told").asLong());
    }
    trial.note("traces", traces.at("/0/told").asLong());
    trial.note("tracesCut", traces.at("/0/cut").asLong());
    return samples;
  }

  /** Each ingest that began and ended while an agent recorded has its trace, and only one. */
  private void assertTraced(Trials.Trial trial, String name, String agents, List<Window> windows)
      throws Exception {
    String values =
        windows.stream()
            .map(window -> "(" + window.fromNanos() + ", " + window.toNanos() + ")")
            .collect(Collectors.joining(", "));
    JsonNode traced =
        fedometer.query(
            """
                WITH windows(opened, closed) AS (VALUES %s),
                  asked AS (
                    SELECT traceparent FROM requests JOIN windows
                      ON start_nanos >= opened AND start_nanos + duration_nanos <= closed
                    WHERE requests.run = '%s' AND operation = 'ingest' AND status = 201),
                  seen AS (
                    SELECT traceparent, count(*) AS times FROM traces
                    WHERE traces.run = '%s' AND traceparent <> '' GROUP BY ALL)
                SELECT count(*) AS asked, count(*) FILTER (WHERE times = 1) AS once
                FROM asked LEFT JOIN seen USING (traceparent)"""
                .formatted(values, name, agents));
    assertThat(traced.at("/0/once").asLong())
        .isPositive()
        .isEqualTo(traced.at("/0/asked").asLong());
    trial.note("ingestsInWindows", traced.at("/0/asked").asLong());
  }

  private Path tomcat() {
    return site.home().resolve("fedora/tomcat");
  }

  private Path webapp() {
    return tomcat().resolve("webapps/fedora");
  }

  private int statusOfFedora() throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(site.target() + "/describe")).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private void awaitTomcat(String text, long before) {
    await().atMost(TIMEOUT).until(() -> tomcatLog(text) > before);
  }

  /** How many lines of Tomcat's own logs have this text. */
  private long tomcatLog(String text) throws IOException {
    long lines = 0;
    try (Stream<Path> logs = Files.list(tomcat().resolve("logs"))) {
      for (Path log : logs.filter(file -> file.toString().endsWith(".log")).toList()) {
        lines += Files.readString(log).lines().filter(line -> line.contains(text)).count();
      }
    }
    return lines;
  }
}

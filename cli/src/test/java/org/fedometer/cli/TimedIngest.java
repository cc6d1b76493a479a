package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An ingest into a site whose Fedora has an agent; agent and driver send to one collector in the
 * foreground, with a store of its own, that a test can kill and start again. For one thread.
 */
final class TimedIngest implements AutoCloseable {
  private static final Duration PATIENCE = Site.PATIENCE;

  private final Site site;
  private final Path store;
  private final String name;
  private final long objects;
  private final int port = Site.freePort();
  private final String fedora;

  private Fedometer.Call collector;
  private Fedometer.Call driver;
  private boolean attached;

  /**
   * Starts collector, agent and driver.
   *
   * @param site without an agent so far
   * @param store the collector's
   * @param name of the run, and the namespace of its PIDs
   */
  TimedIngest(Site site, Path store, String name, long objects) throws Exception {
    this.site = site;
    this.store = store;
    this.name = name;
    this.objects = objects;
    this.fedora = Long.toString(site.process("Fedora").pid());
    try {
      startCollector();
      site.fedometer()
          .start("attach", fedora, "--collector", address(), "--run-name", name)
          .await(PATIENCE)
          .expect(ExitCode.DONE);
      attached = true;
      driver = site.startIngest(name, objects, "--join", "--collector", address());
    } catch (Exception | AssertionError e) {
      close();
      throw e;
    }
  }

  private String address() {
    return "127.0.0.1:" + port;
  }

  Fedometer.Call collector() {
    return collector;
  }

  Fedometer.Call driver() {
    return driver;
  }

  void killCollector() throws InterruptedException {
    collector.process().destroyForcibly().waitFor();
  }

  /** With the store and on the port that it has always had; returns when it listens. */
  void startCollector() throws IOException {
    collector =
        site.fedometer().start("collect", "--listen", address(), "--store", store.toString());
    collector.address();
  }

  /** What the agent says of itself. */
  JsonNode agent() throws Exception {
    return site.agent();
  }

  /**
   * Waits for the driver's end, has agent and collector end in good order, and looks at all that
   * was kept: what Fedora did for each object, and what the driver says of each request, is there
   * once.
   */
  void assertAllIsKept(Trials.Trial trial) throws Exception {
    JsonNode report = driver.await(PATIENCE).expect(ExitCode.DONE).json();
    Reports.assertWhole(report, objects);
    detach();
    stopCollector();

    JsonNode kept =
        site.fedometer()
            .start("report", name, "--json", "--store", store.toString())
            .await(PATIENCE)
            .expect(ExitCode.DONE)
            .json();
    assertThat(kept.at("/samples/lost").asLong()).as("samples lost").isZero();
    assertThat(kept.at("/samples/dropped").asLong()).as("samples dropped").isZero();
    assertThat(kept.at("/requests/failed").asLong()).as("requests failed").isZero();
    JsonNode counts =
        ask(
            """
            SELECT
              (SELECT count(*) FROM requests WHERE operation = 'ingest') AS requests,
              (SELECT count(DISTINCT pid) FROM requests WHERE operation = 'ingest') AS pids,
              (SELECT count(*) FROM samples WHERE stage = 'ingest') AS ingests,
              (SELECT count(DISTINCT trace) FROM samples WHERE stage = 'ingest') AS traces,
              (SELECT count(*) FROM samples) AS samples,
              (SELECT sum(frames_missing) + sum(frames_unreadable) + sum(frames_dropped)
               FROM sources) AS frames_missing
            """);
    assertThat(counts.at("/requests").asLong()).as("a request each").isEqualTo(objects);
    assertThat(counts.at("/pids").asLong()).as("each object's").isEqualTo(objects);
    assertThat(counts.at("/ingests").asLong()).as("a sample each").isEqualTo(objects);
    assertThat(counts.at("/traces").asLong()).as("of a request each").isEqualTo(objects);
    assertThat(counts.at("/samples").asLong())
        .as("as many as the agent took")
        .isEqualTo(kept.at("/samples/received").asLong());
    assertThat(counts.at("/frames_missing").asLong()).as("frames missing").isZero();
    trial.note("objects", objects);
    trial.note("samples", counts.at("/samples").asLong());
    trial.note("samplesLost", kept.at("/samples/lost").asLong());
    trial.note("framesMissing", counts.at("/frames_missing").asLong());
    trial.note("requestsMissing", objects - counts.at("/requests").asLong());
  }

  private JsonNode ask(String sql) throws Exception {
    return site.fedometer()
        .start("query", sql, "--run", name, "--format", "json", "--store", store.toString())
        .await(PATIENCE)
        .expect(ExitCode.DONE)
        .json()
        .get(0);
  }

  private void detach() throws Exception {
    site.fedometer().start("detach", fedora).await(PATIENCE).expect(ExitCode.DONE);
    attached = false;
  }

  private void stopCollector() throws InterruptedException {
    collector.process().destroy();
    collector.await(PATIENCE);
  }

  /** Leaves the site as it was; of a test that failed nothing is left running. */
  @Override
  public void close() throws Exception {
    if (driver != null) {
      driver.process().destroyForcibly().waitFor();
    }
    if (attached) {
      site.fedometer().start("detach", fedora).await(PATIENCE);
    }
    collector.process().destroyForcibly().waitFor();
  }
}

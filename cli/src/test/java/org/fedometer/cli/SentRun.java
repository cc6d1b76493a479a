package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/**
 * A run of which a test sends each frame itself, by the clients that agents and drivers have: so
 * many objects and no more, and texts that would like to be more than text. For the test's thread.
 */
final class SentRun implements AutoCloseable {
  /** As names are allowed: to a careless script it is no name. */
  static final String NAME = "__proto__";

  /** A spreadsheet would evaluate it as a formula. */
  static final String PID = "=evil<img src=x onerror=window.hacked='pid'>";

  static final String MESSAGE = "<script>window.hacked='message'</script>";
  static final String LOGGED = "</script><svg onload=window.hacked='log'></svg>";
  static final String LOGGER = "\"><b onclick=window.hacked='logger'>";
  static final String STAGE = "<i onmouseover=window.hacked='stage'>stage</i>";
  static final String SOURCE = "<a href=javascript:window.hacked='source'>source</a>";
  static final String DATASET = "<em onfocus=window.hacked='dataset'>dataset</em>";

  /** A naive lookup of this name in an object finds a function. */
  static final String OPERATION = "constructor";

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int THREAD = 1;
  private static final int CREATED = 201;
  private static final long TIMEOUT_MILLIS = 180_000;

  private final CollectorClient agent;
  private final CollectorClient driver;
  private final long requested;
  private long sent;

  private SentRun(CollectorClient agent, CollectorClient driver, long requested) {
    this.agent = agent;
    this.driver = driver;
    this.requested = requested;
  }

  /**
   * Begins a run called {@link #NAME}, without ingests so far.
   *
   * @param port of a collector on loopback
   * @param requested number of objects that it announces
   */
  static SentRun begin(int port, long requested) throws Exception {
    SentRun run =
        new SentRun(client(port, "agent", SOURCE), client(port, "driver", "driver"), requested);
    run.driver.send(FrameType.DOCUMENT, run.document("running"), TIMEOUT_MILLIS);
    run.agent.send(
        FrameType.STAGES,
        new Dictionary().put(0, "http.request").put(1, STAGE).encode(),
        TIMEOUT_MILLIS);
    run.agent.send(
        FrameType.THREADS, new Dictionary().put(THREAD, "http-1").encode(), TIMEOUT_MILLIS);
    run.agent.send(
        FrameType.METRICS,
        new MetricDictionary().put(0, "jvm.memory.used.heap", "By").encode(),
        TIMEOUT_MILLIS);
    return run;
  }

  private static CollectorClient client(int port, String kind, String name) {
    return CollectorClient.open(
        ClientOptions.builder("127.0.0.1", port)
            .sourceKind(kind)
            .sourceName(name)
            .runName(NAME)
            .build());
  }

  private byte[] document(String state) {
    String json =
        """
        {"schema":1,"id":"","name":"%s","state":"%s","workers":1,
         "profile":{"name":"profile","choices":{},"settings":{}},
         "dataset":{"name":"%s","parameters":{}},
         "objects":{"requested":%d,"ingested":%d,"failed":0},
         "versions":{"fedometer":"0"},"environment":{"os":"%s"},"notes":[],
         "started":"2026-11-23T01:00:00Z"}
        """
            .formatted(NAME, state, DATASET, requested, sent, DATASET);
    return new Document("run.json", json.getBytes(StandardCharsets.UTF_8), false).encode();
  }

  /** Ingests further objects; each is a millisecond long, most of it in {@link #STAGE}. */
  void ingest(int objects) throws Exception {
    RequestEncoder requests = new RequestEncoder();
    SampleEncoder samples = new SampleEncoder();
    for (int i = 0; i < objects; i++) {
      long number = sent++;
      long startNanos = System.nanoTime() - (objects - i) * 2 * MILLI;
      requests.add(
          number,
          "fine:" + number,
          "",
          0,
          1,
          startNanos,
          MILLI,
          CREATED,
          10,
          "",
          RequestEncoder.INGEST,
          startNanos);
      samples.add(1, THREAD, number + 1, startNanos, MILLI / 2, MILLI / 2, false);
      samples.add(0, THREAD, number + 1, startNanos, MILLI, MILLI / 2, false);
    }
    driver.send(FrameType.REQUESTS, requests.finish(), TIMEOUT_MILLIS);
    agent.send(FrameType.SAMPLES, samples.finish(), TIMEOUT_MILLIS);
    agent.send(FrameType.TOTALS, totals(false), TIMEOUT_MILLIS);
    TelemetryEncoder readings = new TelemetryEncoder();
    readings.add(System.nanoTime(), 0, 100_000_000);
    agent.send(FrameType.TELEMETRY, readings.finish(), TIMEOUT_MILLIS);
    assertAcknowledged();
  }

  private byte[] totals(boolean last) {
    return new Totals(
            List.of(
                new Totals.StageTotal(0, sent, 0, sent * MILLI),
                new Totals.StageTotal(1, sent, 0, sent * MILLI / 2)),
            0,
            0,
            0,
            0,
            0,
            last)
        .encode();
  }

  /** One ingest fails, requests of two operations do not, and the log has a warning. */
  void fail() throws Exception {
    RequestEncoder requests = new RequestEncoder();
    long nanos = System.nanoTime();
    requests.add(
        requested, PID, "", 0, 1, nanos, MILLI, 500, 10, MESSAGE, RequestEncoder.INGEST, nanos);
    for (String operation : List.of(OPERATION, NAME)) {
      requests.add(0, "fine:0", "", 0, 1, nanos, MILLI, 204, 0, "", operation, nanos);
    }
    driver.send(FrameType.REQUESTS, requests.finish(), TIMEOUT_MILLIS);
    LogEncoder lines = new LogEncoder();
    lines.add(nanos, LogLevel.WARN, 0, LOGGER, "main", LOGGED, "");
    agent.send(FrameType.LOGS, lines.finish(), TIMEOUT_MILLIS);
    assertAcknowledged();
  }

  /** Announces the end, and waits until the run is sealed. */
  void end() throws Exception {
    agent.send(FrameType.TOTALS, totals(true), TIMEOUT_MILLIS);
    assertAcknowledged();
    agent.close();
    driver.send(FrameType.DOCUMENT, document("done-with-errors"), TIMEOUT_MILLIS);
    driver.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), TIMEOUT_MILLIS);
    assertThat(driver.awaitAcknowledged(TIMEOUT_MILLIS)).as("the run is sealed").isTrue();
  }

  private void assertAcknowledged() {
    assertThat(agent.awaitAcknowledged(TIMEOUT_MILLIS)).as("the agent's frames").isTrue();
    assertThat(driver.awaitAcknowledged(TIMEOUT_MILLIS)).as("the driver's frames").isTrue();
  }

  @Override
  public void close() {
    agent.close();
    driver.close();
  }
}

package org.fedometer.cli;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.ClientStatus;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/**
 * Data of an agent in a nonexistent Fedora, sent with the agents' client and, like theirs, without
 * blocking. A sample is identified by trace and stage. For one thread at a time.
 */
final class SimulatedAgent implements AutoCloseable {
  /** Each inside the one before it. */
  private static final List<String> STAGES = List.of("http.request", "rest", "ingest", "commit");

  private static final int THREADS = 4;
  private static final int METRICS = 20;
  private static final int REQUESTS_A_SECOND = 25;
  private static final long MAX_STAGE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ClientOptions options;
  private final CollectorClient client;
  private final SampleEncoder samples = new SampleEncoder();
  private final TraceEncoder traces = new TraceEncoder();
  private final TelemetryEncoder readings = new TelemetryEncoder();
  private long requests;
  private long seconds;

  /**
   * @param port of a collector on loopback
   * @param runName empty for a monitoring run of its own
   */
  SimulatedAgent(int port, String name, String runName) {
    options =
        ClientOptions.builder("127.0.0.1", port)
            .sourceKind("agent")
            .sourceName(name)
            .runName(runName)
            .build();
    client = CollectorClient.open(options);
    Dictionary stages = new Dictionary();
    IntStream.range(0, STAGES.size()).forEach(id -> stages.put(id, STAGES.get(id)));
    client.offer(FrameType.STAGES, stages.encode());
    Dictionary threads = new Dictionary();
    IntStream.range(0, THREADS).forEach(id -> threads.put(id, "http-" + id));
    client.offer(FrameType.THREADS, threads.encode());
    MetricDictionary metrics = new MetricDictionary();
    IntStream.range(0, METRICS).forEach(id -> metrics.put(id, "jvm.metric." + id, "By"));
    client.offer(FrameType.METRICS, metrics.encode());
  }

  /** Sends what a busy second makes. */
  void second() {
    for (int i = 0; i < REQUESTS_A_SECOND; i++) {
      long trace = ++requests;
      long startNanos = System.nanoTime() - MAX_STAGE_NANOS;
      for (int stage = STAGES.size() - 1; stage >= 0; stage--) {
        boolean innermost = stage == STAGES.size() - 1;
        long nanos = MAX_STAGE_NANOS >> stage;
        samples.add(
            stage,
            (int) (trace % THREADS),
            trace,
            startNanos + stage,
            nanos,
            innermost ? nanos : nanos / 2,
            false);
      }
      traces.add(trace, 0, "demo:" + trace, "", "ingest", false);
    }
    long now = System.nanoTime();
    for (int metric = 0; metric < METRICS; metric++) {
      readings.add(now, metric, seconds);
    }
    seconds++;
    client.offer(FrameType.SAMPLES, samples.finish());
    client.offer(FrameType.TRACES, traces.finish());
    client.offer(FrameType.TELEMETRY, readings.finish());
    client.offer(FrameType.TOTALS, totals(false));
  }

  /** Sends its last totals. */
  void end() {
    client.offer(FrameType.TOTALS, totals(true));
  }

  private byte[] totals(boolean last) {
    return new Totals(
            IntStream.range(0, STAGES.size())
                .mapToObj(
                    stage ->
                        new Totals.StageTotal(
                            stage, requests, 0, requests * (MAX_STAGE_NANOS >> stage)))
                .toList(),
            0,
            client.status().framesDropped(),
            0,
            0,
            0,
            last)
        .encode();
  }

  UUID source() {
    return options.source();
  }

  long samplesSent() {
    return requests * STAGES.size();
  }

  long tracesSent() {
    return requests;
  }

  long readingsSent() {
    return seconds * METRICS;
  }

  ClientStatus status() {
    return client.status();
  }

  boolean awaitAcknowledged(long timeoutMillis) {
    return client.awaitAcknowledged(timeoutMillis);
  }

  @Override
  public void close() {
    client.close();
  }
}

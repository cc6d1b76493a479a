package org.fedometer.collector.influx;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.fedometer.collector.RawSource;
import org.fedometer.store.Ulid;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.MetricDictionary;

/**
 * A source that is driver and agent at once, and sends what an ingest of a while ago was like:
 * stages, requests, collections, telemetry, a run.json.
 */
final class ExampleRun implements AutoCloseable {
  /** The agent's names of metrics that dashboards query. */
  static final List<String> METRICS =
      List.of(
          "jvm.memory.used.heap",
          "jvm.memory.committed.heap",
          "jvm.memory.limit.heap",
          "jvm.memory.used.non-heap",
          "jvm.gc.time.g1-young-generation",
          "jvm.cpu.recent_utilization",
          "jvm.system.cpu.utilization",
          "jvm.thread.count",
          "jvm.thread.count.blocked",
          "jvm.thread.count.runnable",
          "jvm.hiccup.max",
          "jvm.hiccup.p99",
          "triples.flush.duration",
          "fedora.process.cpu.time",
          "system.disk.written",
          "fedora.process.memory.usage",
          "database.process.memory.usage",
          "driver.process.memory.usage");

  private static final String[] STAGES = {
    "http.request", "ingest", "ingest.validate", "store.foxml", "triples.flush"
  };
  private static final long SECOND = 1_000_000_000L;

  private final RawSource source;
  private final String name;
  private final Random random;
  private final long beganEpochMillis = System.currentTimeMillis() - 60_000;
  private final String id = Ulid.of(beganEpochMillis);
  private long sequence;

  private ExampleRun(RawSource source, String name, long seed) {
    this.source = source;
    this.name = name;
    this.random = new Random(seed);
  }

  static ExampleRun connect(InetSocketAddress collector, String name) throws Exception {
    ExampleRun run =
        new ExampleRun(
            RawSource.connect(collector, name, UUID.randomUUID()), name, name.hashCode());
    run.names(STAGES);
    return run;
  }

  /** The stages' names from now on, by place. */
  void names(String... stages) throws Exception {
    Dictionary dictionary = new Dictionary();
    for (int i = 0; i < stages.length; i++) {
      dictionary.put(i, stages[i]);
    }
    send(FrameType.STAGES, dictionary.encode());
    MetricDictionary metrics = new MetricDictionary();
    for (int i = 0; i < METRICS.size(); i++) {
      metrics.put(i, METRICS.get(i), METRICS.get(i).contains("memory") ? "By" : "1");
    }
    send(FrameType.METRICS, metrics.encode());
  }

  /**
   * Sends data of a number of seconds.
   *
   * @param secondsAgo their start before the source connected
   */
  void seconds(int secondsAgo, int seconds) throws Exception {
    for (int second = -secondsAgo; second < -secondsAgo + seconds; second++) {
      SampleEncoder samples = new SampleEncoder();
      RequestEncoder requests = new RequestEncoder();
      TelemetryEncoder telemetry = new TelemetryEncoder();
      for (int i = 0; i < 20; i++) {
        long start = second * SECOND + i * 40_000_000L;
        long durationNanos = 1_000_000 + random.nextInt(30_000_000);
        for (int stage = STAGES.length - 1; stage >= 0; stage--) {
          long selfNanos = durationNanos / (stage + 1);
          samples.add(stage, 1, i, start, selfNanos, selfNanos / 2, random.nextInt(50) == 0);
        }
        requests.add(
            i,
            "demo:" + i,
            "",
            0,
            1,
            start,
            durationNanos,
            i == 7 ? 500 : 201,
            100,
            "",
            "ingest",
            start);
      }
      for (int metric = 0; metric < METRICS.size(); metric++) {
        // Counters rise.
        telemetry.add(second * SECOND, metric, 1000 + second + random.nextDouble());
      }
      send(FrameType.SAMPLES, samples.finish());
      send(FrameType.REQUESTS, requests.finish());
      send(FrameType.TELEMETRY, telemetry.finish());
      if (second % 5 == 0) {
        GcEncoder pauses = new GcEncoder();
        pauses.add(
            "G1 Young Generation",
            "end of minor GC",
            "G1 Evacuation Pause",
            second * SECOND + 500_000_000L,
            1_000_000 + random.nextInt(20_000_000),
            300L << 20,
            100L << 20);
        send(FrameType.GC, pauses.finish());
      }
    }
  }

  /** Sends the run's document. */
  void document(String state, String gc) throws Exception {
    String json =
        """
        {"schema": 1, "id": "%s", "name": "%s", "state": "%s", "workers": 4,
         "started": "2026-11-20T10:12:03Z", "ended": "2026-11-20T10:14:03Z",
         "profile": {"name": "mptstore-postgresql", "choices": {"gc": "%s", "heap": "2g"}},
         "dataset": {"name": "patents", "parameters": {}},
         "objects": {"requested": 300, "ingested": 299, "failed": 1, "verified": 0, "bytes": 614400},
         "phases": [{"name": "ingest", "startNanos": 1000000000, "endNanos": 101000000000}]}
        """
            .formatted(id, name, state, gc);
    send(
        FrameType.DOCUMENT,
        new Document("run.json", json.getBytes(StandardCharsets.UTF_8), false).encode());
  }

  /** The time in the run's ULID. */
  long beganEpochMillis() {
    return beganEpochMillis;
  }

  void send(FrameType type, byte[] payload) throws Exception {
    sequence++;
    source.frame(type.code(), sequence, payload);
  }

  /** Waits until all that was sent is acknowledged. */
  boolean awaitAcknowledgement() throws Exception {
    return source.awaitAcknowledgement(sequence);
  }

  @Override
  public void close() throws Exception {
    source.close();
  }
}

package org.fedometer.benchmarks.collector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.fedometer.benchmarks.process.HostProcess;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.Table;
import org.fedometer.store.Ulid;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;

/**
 * The collector, with 256 MB of heap on one core, takes in the samples of a recorded ingest over
 * loopback; then a report is made of them. What sends and asks keeps to the other cores, as it
 * would on another host; the report may use all.
 *
 * <ul>
 *   <li>durable: samples encoded before are sent as fast as they are taken; the rate until the last
 *       one is acknowledged, that is on disk
 *   <li>to Parquet: samples are sent until all are sealed; the rate over all that time
 *   <li>500 sources, each a connection of its own, share the load, with the same heap
 * </ul>
 */
public final class CollectorBenchmark {
  private static final long MILLION = 1_000_000;
  private static final int SOURCES = 500;
  private static final long TIMEOUT_MILLIS = 3_600_000;
  private static final List<String> COLLECTOR_JVM = List.of("-Xmx256m");

  private final RecordedIngest recorded;
  private final Path store;
  private final String collectorCore;
  private final String allCores;

  private record Frame(FrameType type, byte[] payload) {}

  private CollectorBenchmark(RecordedIngest recorded, Path store, int pinnableCores) {
    this.recorded = recorded;
    this.store = store;
    this.collectorCore = pinnableCores > 0 ? "0" : "";
    this.allCores = pinnableCores > 0 ? "0-" + (pinnableCores - 1) : "";
  }

  /** Arguments: millions of samples to Parquet (100), folder for the store (a temporary one). */
  public static void main(String[] arguments) throws Exception {
    long samples = (arguments.length > 0 ? Long.parseLong(arguments[0]) : 100) * MILLION;
    Path parent = arguments.length > 1 ? Path.of(arguments[1]) : null;
    Path store =
        parent == null
            ? Files.createTempDirectory("fedometer-bench")
            : Files.createTempDirectory(Files.createDirectories(parent), "fedometer-bench");
    int pinnable = HostProcess.canPin() ? Runtime.getRuntime().availableProcessors() : 0;
    try {
      CollectorBenchmark benchmark = new CollectorBenchmark(RecordedIngest.load(), store, pinnable);
      benchmark.describe();
      if (pinnable > 0) {
        HostProcess.pinTo("1-" + (pinnable - 1));
      }
      double durable = benchmark.durable(Math.min(samples, 20 * MILLION));
      benchmark.manySources(Math.min(samples, 20 * MILLION));
      double toParquet = benchmark.toParquet(samples);
      double bytes = benchmark.bytesPerSample("parquet");
      double seconds = benchmark.report();
      System.out.printf(
          Locale.ROOT,
          "with times shifted only, not stretched: %.1f bytes/sample%n",
          benchmark.bytesPerShiftedSample());
      System.out.printf(
          Locale.ROOT,
          "collector: %.1f M samples/s durable, %.2f M samples/s to Parquet, %.1f bytes/sample,"
              + " report of %d M samples in %.1f s%n",
          durable,
          toParquet,
          bytes,
          samples / MILLION,
          seconds);
    } finally {
      RunDeletion.delete(store);
    }
  }

  private void describe() {
    System.out.printf(
        Locale.ROOT,
        "%d processors, Java %s; the collector has %s and %s%n",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"),
        collectorCore.isEmpty() ? "all of them (taskset is missing)" : "one of them",
        String.join(" ", COLLECTOR_JVM));
    System.out.printf(
        Locale.ROOT,
        "recorded: %d samples, %d traces, %d requests, %d stages%n",
        recorded.samples.size(),
        recorded.traces.size(),
        recorded.requests.size(),
        recorded.stages.size());
  }

  private double durable(long samples) throws Exception {
    List<Frame> frames = new ArrayList<>();
    Replay replay = new Replay(recorded, System.nanoTime());
    long made = 0;
    while (made < samples) {
      replay.next((type, payload) -> frames.add(new Frame(type, payload)));
      made += replay.samplesPerRound();
    }
    long bytes = frames.stream().mapToLong(frame -> frame.payload().length).sum();
    try (HostProcess collector = startCollector()) {
      int port = Integer.parseInt(collector.await("port"));
      double best = 0;
      for (int pass = 1; pass <= 3; pass++) {
        try (CollectorClient client = connect(port, "durable-" + pass, UUID.randomUUID())) {
          long begin = System.nanoTime();
          for (Frame frame : frames) {
            client.send(frame.type(), frame.payload(), TIMEOUT_MILLIS);
          }
          awaitAll(client);
          double rate = made * 1e3 / (System.nanoTime() - begin);
          System.out.printf(
              Locale.ROOT,
              "durable, pass %d: %.1f M samples/s, %.1f bytes/sample on the wire%n",
              pass,
              rate,
              (double) bytes / made);
          best = Math.max(best, rate);
        }
      }
      return best;
    } finally {
      RunDeletion.delete(store);
    }
  }

  /** Every source has a share; half of them are one run, the others are watched each for itself. */
  private void manySources(long samples) throws Exception {
    try (HostProcess collector = startCollector()) {
      int port = Integer.parseInt(collector.await("port"));
      String runId = Ulid.next();
      List<CollectorClient> clients = new ArrayList<>();
      long begin = System.nanoTime();
      for (int i = 0; i < SOURCES; i++) {
        ClientOptions.Builder options =
            ClientOptions.builder("127.0.0.1", port).source(UUID.randomUUID());
        if (i % 2 == 0) {
          options.runId(runId).runName("shared");
        }
        CollectorClient client = CollectorClient.open(options.maxQueuedBytes(1 << 20).build());
        client.awaitWelcome(TIMEOUT_MILLIS);
        sendNames(client);
        clients.add(client);
      }
      Replay replay = new Replay(recorded, System.nanoTime());
      long[] sent = new long[1];
      for (long made = 0; made < samples; made += replay.samplesPerRound()) {
        replay.next(
            (type, payload) -> {
              CollectorClient client = clients.get((int) (sent[0]++ % SOURCES));
              client.send(type, payload, TIMEOUT_MILLIS);
            });
      }
      for (CollectorClient client : clients) {
        awaitAll(client);
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      clients.forEach(CollectorClient::close);
      collector.end();
      System.out.printf(
          Locale.ROOT,
          "%d sources: all of %d M samples acknowledged in %.1f s; the process had %s at most%n",
          SOURCES,
          samples / MILLION,
          seconds,
          collector.await("peak"));
    } finally {
      RunDeletion.delete(store);
    }
  }

  private double toParquet(long samples) throws Exception {
    try (HostProcess collector = startCollector()) {
      int port = Integer.parseInt(collector.await("port"));
      Replay replay = new Replay(recorded, System.nanoTime());
      double rate;
      try (CollectorClient client = connect(port, "parquet", UUID.randomUUID())) {
        long begin = System.nanoTime();
        long made = 0;
        RollupProbe rollups = new RollupProbe(RunStore.at(store).run("parquet"));
        Thread probing = new Thread(rollups, "rollup-probe");
        // No one interrupts it if the load fails.
        probing.setDaemon(true);
        probing.start();
        while (made < samples) {
          replay.next((type, payload) -> client.send(type, payload, TIMEOUT_MILLIS));
          made += replay.samplesPerRound();
        }
        awaitAll(client);
        double acknowledged = (System.nanoTime() - begin) / 1e9;
        String besideTheSender = rollups.result();
        client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), TIMEOUT_MILLIS);
        awaitAll(client);
        rate = made * 1e3 / (System.nanoTime() - begin);
        probing.interrupt();
        probing.join();
        System.out.printf(
            Locale.ROOT,
            "to Parquet: %d samples acknowledged after %.1f s, sealed after %.1f s%n",
            made,
            acknowledged,
            made / rate / 1e6);
        System.out.println("live rollup query on the sender's core: " + besideTheSender);
        System.out.println("live rollup query while the collector seals: " + rollups.result());
      }
      collector.end();
      System.out.println("the collector's process had " + collector.await("peak") + " at most");
      return rate;
    }
  }

  /**
   * Asks for the last minute's rollups, again and again; the first time, to load DuckDB, unseen.
   */
  private static final class RollupProbe implements Runnable {
    private final RunFolder run;
    private final List<Long> millis = Collections.synchronizedList(new ArrayList<>());
    private volatile String failure = "";

    RollupProbe(RunFolder run) {
      this.run = run;
    }

    @Override
    public void run() {
      try {
        Thread.sleep(2_000);
        query();
        while (true) {
          Thread.sleep(2_000);
          long begin = System.nanoTime();
          query();
          millis.add((System.nanoTime() - begin) / MILLION);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        failure = e.toString();
      }
    }

    private void query() throws Exception {
      try (Query query = run.query();
          Rows rows =
              query.execute(
                  "SELECT stage, sum(count), sum(sum_duration_nanos), max(max_nanos) FROM rollups"
                      + " WHERE begin_epoch_seconds >= (SELECT max(begin_epoch_seconds) - 60"
                      + " FROM rollups) GROUP BY stage ORDER BY 2 DESC")) {
        while (rows.next()) {
          rows.text(0);
        }
      }
    }

    /** Of the questions since the last call. */
    String result() {
      List<Long> sorted = new ArrayList<>();
      synchronized (millis) {
        sorted.addAll(millis);
        millis.clear();
      }
      if (sorted.isEmpty()) {
        return "none " + failure;
      }
      Collections.sort(sorted);
      return "median %d ms, slowest %d ms of %d %s"
          .formatted(
              sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1), sorted.size(), failure);
    }
  }

  /** Of rounds that have the very durations of the first one. */
  private double bytesPerShiftedSample() throws Exception {
    try (HostProcess collector = startCollector()) {
      int port = Integer.parseInt(collector.await("port"));
      Replay replay = Replay.shiftedOnly(recorded, System.nanoTime());
      try (CollectorClient client = connect(port, "shifted", UUID.randomUUID())) {
        for (long made = 0; made < 5 * MILLION; made += replay.samplesPerRound()) {
          replay.next((type, payload) -> client.send(type, payload, TIMEOUT_MILLIS));
        }
        client.send(FrameType.CLOSE_RUN, new CloseRun("").encode(), TIMEOUT_MILLIS);
        awaitAll(client);
      }
    }
    return bytesPerSample("shifted");
  }

  private double bytesPerSample(String runName) throws Exception {
    RunFolder run = RunStore.at(store).run(runName);
    long bytes = 0;
    for (Path file : run.tableFiles(Table.SAMPLES)) {
      bytes += Files.size(file);
    }
    try (Query query = run.query();
        Rows rows = query.execute("SELECT count(*) FROM samples")) {
      rows.next();
      return (double) bytes / rows.integer(0);
    }
  }

  private double report() throws Exception {
    RunFolder run = RunStore.at(store).run("parquet");
    long begin = System.nanoTime();
    try (HostProcess report =
        HostProcess.start(allCores, ReportHost.class, List.of(), run.path())) {
      String counted = report.await("samples");
      String peak = report.await("peak");
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          Locale.ROOT, "report of %s samples: %.1f s, %s at most%n", counted, seconds, peak);
      return seconds;
    }
  }

  private HostProcess startCollector() throws IOException {
    return HostProcess.start(collectorCore, CollectorHost.class, COLLECTOR_JVM, store);
  }

  private CollectorClient connect(int port, String runName, UUID source) throws IOException {
    CollectorClient client =
        CollectorClient.open(
            ClientOptions.builder("127.0.0.1", port)
                .source(source)
                .runId(Ulid.next())
                .runName(runName)
                .maxQueuedBytes(64 << 20)
                .build());
    client.awaitWelcome(TIMEOUT_MILLIS);
    sendNames(client);
    return client;
  }

  private void sendNames(CollectorClient client) throws IOException {
    Dictionary stages = new Dictionary();
    recorded.stages.forEach(stages::put);
    client.send(FrameType.STAGES, stages.encode(), TIMEOUT_MILLIS);
    Dictionary threads = new Dictionary();
    recorded.threads.forEach(threads::put);
    client.send(FrameType.THREADS, threads.encode(), TIMEOUT_MILLIS);
  }

  private static void awaitAll(CollectorClient client) throws IOException {
    if (!client.awaitAcknowledged(TIMEOUT_MILLIS)) {
      throw new IOException("Not acknowledged: " + client.status().lastError());
    }
  }
}

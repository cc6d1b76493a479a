package org.fedometer.benchmarks.fedora;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.fedometer.datasets.Dataset;
import org.fedometer.driver.IngestDriver;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.request.RequestSink;

/**
 * The driver's ingest without an end: each worker sends its next object when the last one is done.
 * Used by one thread, whose waiting fails if the load does.
 */
final class ConstantLoad implements AutoCloseable {
  private static final long OBJECTS = Long.MAX_VALUE;
  private static final long LOOK_MILLIS = 200;

  private final FedoraClient client;
  private final IngestDriver driver;
  private final RequestLog log = new RequestLog();
  private final Thread thread;
  private volatile String endReason = "The load ended.";

  private ConstantLoad(FedoraLogin login, Dataset dataset, int workers) {
    client = FedoraClient.open(login, FedoraClientOptions.forWorkers(workers));
    driver =
        new IngestDriver(
            client, dataset, IngestOptions.of(OBJECTS, workers), RequestSink.NONE, log);
    thread = new Thread(this::run, "load");
    thread.setDaemon(true);
  }

  static ConstantLoad start(FedoraLogin login, Dataset dataset, int workers) {
    ConstantLoad load = new ConstantLoad(login, dataset, workers);
    load.thread.start();
    return load;
  }

  RequestLog log() {
    return log;
  }

  /**
   * @param nanos by {@link RequestLog#nowNanos}
   * @throws IOException if the load has ended
   */
  void awaitUntil(long nanos) throws IOException, InterruptedException {
    awaitUntil(() -> log.nowNanos() >= nanos, () -> nanos - log.nowNanos());
  }

  /** Waits until so many objects have been ingested since the load began. */
  void awaitIngested(long objects) throws IOException, InterruptedException {
    awaitUntil(() -> log.ingested() >= objects, () -> Long.MAX_VALUE);
  }

  /** Waits until a request has ended after this moment, and returns when it did. */
  long awaitEndAfter(long nanos) throws IOException, InterruptedException {
    awaitUntil(
        () -> !log.endedWithin(nanos, Long.MAX_VALUE).isEmpty(),
        () -> Duration.ofMillis(LOOK_MILLIS).toNanos());
    return log.endedWithin(nanos, Long.MAX_VALUE).get(0).endNanos();
  }

  private interface NanosLeft {
    long get();
  }

  private void awaitUntil(BooleanSupplier condition, NanosLeft remaining)
      throws IOException, InterruptedException {
    while (!condition.getAsBoolean()) {
      long millis = Math.min(LOOK_MILLIS, remaining.get() / 1_000_000);
      thread.join(Math.max(1, millis));
      if (!thread.isAlive()) {
        throw new IOException(endReason);
      }
    }
  }

  private void run() {
    try {
      IngestResult result = driver.run();
      if (result.reason() != null) {
        endReason = "The load ended: " + result.reason();
      }
    } catch (IOException | RuntimeException e) {
      endReason = "The load ended: " + e;
    }
  }

  /** Lets the requests under way finish; the driver cuts them where they take too long. */
  @Override
  public void close() {
    driver.stop();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}

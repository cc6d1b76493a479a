package org.fedometer.experiments.telemetry;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.fedometer.experiments.threads.DaemonThreads;
import org.fedometer.wire.FailureText;

/**
 * Asks a database at even intervals what it has counted, on a thread of its own: one that is slow
 * to answer holds up nothing else. A connection that is lost is opened again at a later question.
 * Opened and closed by one thread.
 */
final class DatabaseMonitor implements AutoCloseable {

  /** Opens a connection to a database, if it is one that can be asked. */
  interface Source {
    Optional<Connection> connect() throws IOException, SQLException;
  }

  /** One counter's value; the time is a reading of {@code System.nanoTime()}. */
  record Value(long atNanos, String metric, String unit, double value) {}

  /**
   * @param firstAnswer how long to wait for it at most
   * @param retryInterval of connecting, at least
   * @param lastAnswer how long to wait for it at most
   */
  record Timeouts(Duration firstAnswer, Duration retryInterval, Duration lastAnswer) {

    /** A connection waits 5 s for the server, and 10 s for an answer. */
    static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(45));
  }

  private static final TimeUnit NANOS = TimeUnit.NANOSECONDS;

  private final Source source;
  private final Consumer<List<Value>> target;
  private final Consumer<String> notes;
  private final Timeouts timeouts;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          DaemonThreads.factory("fedometer-telemetry-database"));

  /** Null while there is no connection; written by the watch's thread. */
  private volatile DatabaseCounters counters;

  /** Nothing is to be asked any more. */
  private volatile boolean stopped;

  // Of the watch's thread, and of the closing one after its end.
  private long lastAnswerNanos = System.nanoTime();
  private long lastTryNanos;
  private boolean hasAnswered;
  private String failure;

  private DatabaseMonitor(
      Source source, Consumer<List<Value>> target, Consumer<String> notes, Timeouts timeouts) {
    this.source = source;
    this.target = target;
    this.notes = notes;
    this.timeouts = timeouts;
    this.lastTryNanos = System.nanoTime() - timeouts.retryInterval().toNanos();
  }

  /**
   * Asks once and returns; goes on until closed.
   *
   * @param target takes each answer, on the watch's thread
   * @param notes takes sentences on what is missing, on any thread
   */
  static DatabaseMonitor open(
      Source source,
      Duration interval,
      Consumer<List<Value>> target,
      Consumer<String> notes,
      Timeouts timeouts) {
    DatabaseMonitor monitor = new DatabaseMonitor(source, target, notes, timeouts);
    try {
      monitor.executor.submit(monitor::query).get(timeouts.firstAnswer().toNanos(), NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // It is late, and may come yet.
    }
    monitor.executor.scheduleAtFixedRate(
        new Paced(interval, monitor::query), interval.toNanos(), interval.toNanos(), NANOS);
    return monitor;
  }

  private void query() {
    try {
      if (!stopped && (counters != null || connect())) {
        List<Value> values = new ArrayList<>();
        counters.read((at, metric, unit, value) -> values.add(new Value(at, metric, unit, value)));
        target.accept(values);
        answered();
      }
    } catch (IOException | SQLException e) {
      failed(e);
    } catch (RuntimeException | Error e) {
      // A scheduled task that throws is never called again, and nobody would know why.
      stopped = true;
      failed(e);
    }
  }

  /** False if it is too early for another try, or there is nobody to be asked. */
  private boolean connect() throws IOException, SQLException {
    long nowNanos = System.nanoTime();
    if (nowNanos - lastTryNanos < timeouts.retryInterval().toNanos()) {
      return false;
    }
    lastTryNanos = nowNanos;
    Optional<Connection> connection = source.connect();
    if (connection.isEmpty()) {
      stopped = true;
      return false;
    }
    counters = DatabaseCounters.of(connection.get());
    if (stopped) {
      disconnect();
      return false;
    }
    return true;
  }

  private void answered() {
    long nowNanos = System.nanoTime();
    if (failure != null) {
      notes.accept(
          "The database's counters are missing for %d s of the telemetry: %s"
              .formatted(Duration.ofNanos(nowNanos - lastAnswerNanos).toSeconds(), failure));
      failure = null;
    }
    lastAnswerNanos = nowNanos;
    hasAnswered = true;
  }

  private void failed(Throwable e) {
    disconnect();
    if (failure == null) {
      failure = reason(e);
    }
  }

  private static String reason(Throwable e) {
    String message = FailureText.of(e);
    return message.lines().findFirst().orElse("").strip();
  }

  private void disconnect() {
    DatabaseCounters open = counters;
    counters = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It is gone, which is what was wanted.
      }
    }
  }

  /** Asks a last time, and returns when nothing is running any more. */
  @Override
  public void close() throws InterruptedException {
    executor.execute(this::query);
    executor.shutdown();
    boolean ended;
    try {
      ended = executor.awaitTermination(timeouts.lastAnswer().toNanos(), NANOS);
    } catch (InterruptedException e) {
      abort();
      throw e;
    }
    if (!ended) {
      abort();
      notes.accept(
          "The database did not answer a last time within %d s; its counters end early."
              .formatted(timeouts.lastAnswer().toSeconds()));
      return;
    }
    disconnect();
    if (failure != null) {
      notes.accept(
          (hasAnswered
                  ? "Telemetry of the database's counters ended early: "
                  : "The database's counters are not in the telemetry: ")
              + failure);
    }
  }

  /** Ends at once, whatever the database does; nothing is asked any more. */
  void abort() {
    stopped = true;
    executor.shutdownNow();
    DatabaseCounters open = counters;
    if (open != null) {
      open.abort();
    }
  }
}

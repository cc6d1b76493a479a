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
 * Queries a database's counters at even intervals, on its own thread, so that a slow response
 * delays nothing else. Reopens a lost connection at a later query. Opened and closed by one thread.
 */
final class DatabaseMonitor implements AutoCloseable {

  /** Opens a connection to a database that can be queried, if any. */
  interface Source {
    Optional<Connection> connect() throws IOException, SQLException;
  }

  /** One counter's value, with a reading of {@code System.nanoTime()}. */
  record Value(long atNanos, String metric, String unit, double value) {}

  /**
   * @param firstAnswer maximum wait for the first response
   * @param retryInterval minimum interval of connection attempts
   * @param lastAnswer maximum wait for the last response
   */
  record Timeouts(Duration firstAnswer, Duration retryInterval, Duration lastAnswer) {

    /** A connection waits 5 s for the server, and 10 s for a response. */
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

  /** Null without a connection; written by the monitor's thread. */
  private volatile DatabaseCounters counters;

  /** True if no more queries are to be sent. */
  private volatile boolean stopped;

  // Confined to the monitor's thread, and to the closing one after its end.
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
   * Queries once, then continues until closed.
   *
   * @param target gets each response, on the monitor's thread
   * @param notes gets sentences about missing data, on any thread
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
      // It is late, and may still come.
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
      // A scheduled task that throws would silently never run again.
      stopped = true;
      failed(e);
    }
  }

  /** Returns false if another attempt is too early, or there is no database to query. */
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
        // It is already closed.
      }
    }
  }

  /** Queries a last time, and returns when nothing is running any more. */
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

  /** Ends at once, whatever the database does; sends no more queries. */
  void abort() {
    stopped = true;
    executor.shutdownNow();
    DatabaseCounters open = counters;
    if (open != null) {
      open.abort();
    }
  }
}

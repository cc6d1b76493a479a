package org.fedometer.collector.influx;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.collector.metrics.Metrics;
import org.fedometer.collector.threads.DaemonThreads;
import org.fedometer.wire.Counted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends batches in order on a dedicated thread, retrying each until accepted. If the queue is full,
 * the oldest batch is dropped, so callers never wait.
 */
public final class InfluxSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InfluxSender.class);
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long MAX_PAUSE_MILLIS = 30_000;
  private static final String COLLECTOR_ENDED =
      "The collector stopped before InfluxDB had accepted all points";

  /** Late points that have waited this long are reported as missing. */
  private static final long MAX_SPACE_WAIT_NANOS = Duration.ofSeconds(60).toNanos();

  /** A client that fails this often on the same points always will. */
  private static final int MAX_FAULTS = 5;

  private final InfluxTarget target;
  private final InfluxWriter writer;
  private final long maxBytes;
  private final Duration closeTimeout;
  private final MissingPoints missingPoints;
  private final Thread thread = DaemonThreads.daemon("fedometer-influx-sender", this::run);

  // Guarded by this:
  private final ArrayDeque<PointBatch> queue = new ArrayDeque<>();
  private PointBatch inFlight;
  private long queuedBytes;
  private long queuedPoints;
  private long sent;
  private long dropped;
  private long refused;
  private String failureReason = "";
  private boolean ending;

  private boolean finished;

  private long endNanos;

  /**
   * Status of sending.
   *
   * @param sent points that InfluxDB has accepted
   * @param dropped points dropped because the queue was full or closing timed out
   * @param refused points of batches that InfluxDB rejected, wholly or in part
   * @param queuedPoints waiting points, including those in flight
   * @param queuedBytes approximate memory of waiting points
   * @param failureReason why sending currently fails, or empty
   */
  public record Status(
      long sent,
      long dropped,
      long refused,
      long queuedPoints,
      long queuedBytes,
      String failureReason) {
    public void addTo(Metrics metrics) {
      Map.of("sent", sent, "dropped", dropped, "refused", refused)
          .forEach(
              (outcome, points) ->
                  metrics.count(
                      "fedometer_influx_points",
                      "Points for InfluxDB, by result.",
                      points,
                      "outcome",
                      outcome));
      metrics.value(
          "fedometer_influx_points_waiting",
          "Points for InfluxDB that are not sent yet.",
          queuedPoints);
      metrics.value(
          "fedometer_influx_waiting_bytes",
          "Size of the points for InfluxDB that are not sent yet.",
          queuedBytes);
      metrics.value(
          "fedometer_influx_up",
          "1 unless InfluxDB accepts nothing at the moment.",
          failureReason.isEmpty() ? 1 : 0);
    }
  }

  /**
   * @param maxBytes limit of waiting points
   * @param closeTimeout time {@link #close} may take to send waiting points
   */
  InfluxSender(
      InfluxTarget target,
      InfluxWriter writer,
      long maxBytes,
      Duration closeTimeout,
      MissingPoints missingPoints) {
    this.target = target;
    this.writer = writer;
    this.maxBytes = maxBytes;
    this.closeTimeout = closeTimeout;
    this.missingPoints = missingPoints;
    thread.start();
  }

  /** Queues a batch. An empty batch probes whether InfluxDB would accept points. */
  void offer(PointBatch batch) {
    List<PointBatch> without = new ArrayList<>();
    boolean late;
    synchronized (this) {
      late = finished;
      queue.add(batch);
      queuedBytes += batch.bytes();
      queuedPoints += batch.points();
      while (finished ? !queue.isEmpty() : queuedBytes > maxBytes && queue.size() > 1) {
        PointBatch oldest = queue.remove();
        removed(oldest);
        dropped += oldest.points();
        without.add(oldest);
      }
      notifyAll();
    }
    reportMissing(
        without,
        late ? COLLECTOR_ENDED : "InfluxDB does not keep up; the oldest points were dropped");
  }

  /**
   * As {@link #offer}, for points that can wait until the queue is half empty.
   *
   * @return false on timeout; the batch was then not queued
   */
  boolean offerOrWait(PointBatch batch) throws InterruptedException {
    long until = System.nanoTime() + MAX_SPACE_WAIT_NANOS;
    synchronized (this) {
      while (queuedPoints > 0 && queuedBytes + batch.bytes() > maxBytes / 2) {
        long leftMillis = (until - System.nanoTime()) / 1_000_000;
        if (leftMillis <= 0) {
          return false;
        }
        wait(leftMillis);
      }
    }
    offer(batch);
    return true;
  }

  private void removed(PointBatch batch) {
    queuedBytes -= batch.bytes();
    queuedPoints -= batch.points();
    notifyAll();
  }

  /** Returns false if the shutdown has already given up the batch. */
  private boolean completeInFlight(PointBatch batch) {
    if (inFlight != batch) {
      return false;
    }
    inFlight = null;
    removed(batch);
    return true;
  }

  private void reportMissing(List<PointBatch> batches, String reason) {
    for (PointBatch batch : batches) {
      batch.runs().forEach(run -> missingPoints.report(run, reason));
    }
  }

  synchronized Status status() {
    return new Status(sent, dropped, refused, queuedPoints, queuedBytes, failureReason);
  }

  // ---- the sender's thread ----

  private void run() {
    FailureTracker failing = new FailureTracker();
    // Never resets: refused and accepted batches may alternate.
    FailureTracker refusing = new FailureTracker();
    PointBatch batch = next();
    while (batch != null) {
      send(batch, failing, refusing);
      batch = next();
    }
    writer.close();
  }

  /** Returns null at the end. */
  private synchronized PointBatch next() {
    while (queue.isEmpty() && !ending) {
      pause(0);
    }
    inFlight = queue.poll();
    finished = inFlight == null;
    return inFlight;
  }

  private void send(PointBatch batch, FailureTracker failures, FailureTracker refusals) {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    int faults = 0;
    while (true) {
      try {
        writer.write(batch.points() == 0 ? InfluxWriter.PROBE_LINES : batch.lines());
        succeeded(batch, failures);
        return;
      } catch (InfluxWriter.RefusedException e) {
        if (batch.points() == 0) {
          succeeded(batch, failures); // it accepted the request and only rejects a comment
          return;
        }
        refused(batch, refusals, e.getMessage());
        return;
      } catch (IOException e) {
        failed(failures, e.getMessage());
      } catch (RuntimeException | Error e) {
        // An exception would end the thread and all sending.
        LOG.debug("{}", target, e);
        faults++;
        if (faults == MAX_FAULTS) {
          refused(batch, refusals, InfluxWriter.describe(e));
          return;
        }
        failed(failures, InfluxWriter.describe(e));
      }
      if (!waitToTryAgain(pauseMillis)) {
        giveUp();
        return;
      }
      pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
    }
  }

  private void succeeded(PointBatch batch, FailureTracker failures) {
    synchronized (this) {
      sent += completeInFlight(batch) ? batch.points() : 0;
      failureReason = "";
    }
    if (failures.recordSuccess()) {
      LOG.info("{}: InfluxDB accepts points again", target);
    }
  }

  private void refused(PointBatch batch, FailureTracker refusals, String reason) {
    synchronized (this) {
      refused += completeInFlight(batch) ? batch.points() : 0;
    }
    if (refusals.recordFailure(reason, System.nanoTime())) {
      LOG.error(
          "{}: InfluxDB refused a batch of {}; it is not sent again: {}",
          target,
          Counted.of(batch.points(), "point"),
          reason);
    }
  }

  private void failed(FailureTracker failures, String reason) {
    long waiting;
    synchronized (this) {
      failureReason = reason;
      waiting = queuedPoints;
    }
    if (failures.recordFailure(reason, System.nanoTime())) {
      LOG.warn(
          "{}: InfluxDB accepts no points: {}; the collector retries; {}",
          target,
          reason,
          Counted.of(waiting, "point waits", "points wait"));
    }
  }

  /** Drops all waiting points. On the sender's thread, or on the closing one if that hangs. */
  private void giveUp() {
    List<PointBatch> without = new ArrayList<>();
    synchronized (this) {
      finished = true;
      if (inFlight != null) {
        without.add(inFlight);
        inFlight = null;
      }
      without.addAll(queue);
      queue.clear();
      for (PointBatch unsent : without) {
        removed(unsent);
        dropped += unsent.points();
      }
    }
    reportMissing(without, COLLECTOR_ENDED);
  }

  /** Returns false if no time is left. */
  private synchronized boolean waitToTryAgain(long pauseMillis) {
    long until = System.nanoTime() + Duration.ofMillis(pauseMillis).toNanos();
    while (true) {
      long now = System.nanoTime();
      if (ending && (now - endNanos >= 0 || queuedPoints == 0)) {
        return false;
      }
      long left = ending ? Math.min(until - now, endNanos - now) : until - now;
      if (left <= 0) {
        return true;
      }
      pause(Math.max(1, left / 1_000_000));
    }
  }

  private synchronized void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      ending = true;
      endNanos = System.nanoTime();
    }
  }

  /** Sends waiting points within the close timeout. */
  @Override
  public void close() {
    synchronized (this) {
      ending = true;
      endNanos = System.nanoTime() + closeTimeout.toNanos();
      notifyAll();
    }
    try {
      thread.join(closeTimeout.toMillis() + 1_000);
      if (thread.isAlive()) {
        // A request without a response ends only by its own timeout.
        giveUp();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

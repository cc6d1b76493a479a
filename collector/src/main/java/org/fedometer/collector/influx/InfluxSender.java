package org.fedometer.collector.influx;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.collector.log.Trouble;
import org.fedometer.collector.metrics.Metrics;
import org.fedometer.collector.threads.OwnThreads;
import org.fedometer.wire.Counted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends batches one after the other on a thread of its own, each until it is taken. What finds no
 * room meanwhile takes that of the oldest, so whoever offers never waits.
 */
public final class InfluxSender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InfluxSender.class);
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;
  private static final String ENDED = "The collector ended before InfluxDB had taken all points";

  /** What is late and has waited for so long is told to be missing. */
  private static final long MOST_WAITING_FOR_ROOM_NANOS = Duration.ofSeconds(60).toNanos();

  /** A client that fails on the same points as often will do so for ever. */
  private static final int MOST_FAULTS = 5;

  private final InfluxTarget target;
  private final InfluxWriter writer;
  private final long mostBytes;
  private final Duration goodbye;
  private final Holes holes;
  private final Thread thread = OwnThreads.daemon("fedometer-influx-sender", this::run);

  // Guarded by this:
  private final ArrayDeque<PointBatch> queue = new ArrayDeque<>();
  private PointBatch underWay;
  private long queuedBytes;
  private long queuedPoints;
  private long sent;
  private long dropped;
  private long refused;
  private String trouble = "";
  private boolean ending;

  private boolean over;

  private long endNanos;

  /**
   * How sending goes.
   *
   * @param sent points that InfluxDB has taken
   * @param dropped points for which there was no room, or no time at the end
   * @param refused points of batches that InfluxDB did not take, or not all of
   * @param queuedPoints points that wait, those under way included
   * @param queuedBytes about what they take in memory
   * @param trouble why nothing is sent at the moment, or empty
   */
  public record Status(
      long sent, long dropped, long refused, long queuedPoints, long queuedBytes, String trouble) {
    public void addTo(Metrics metrics) {
      Map.of("sent", sent, "dropped", dropped, "refused", refused)
          .forEach(
              (outcome, points) ->
                  metrics.count(
                      "fedometer_influx_points",
                      "Points for InfluxDB, by what became of them.",
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
          "1 unless InfluxDB takes nothing at the moment.",
          trouble.isEmpty() ? 1 : 0);
    }
  }

  /**
   * @param mostBytes that may wait
   * @param goodbye how long {@link #close} may take to send what waits
   */
  InfluxSender(
      InfluxTarget target, InfluxWriter writer, long mostBytes, Duration goodbye, Holes holes) {
    this.target = target;
    this.writer = writer;
    this.mostBytes = mostBytes;
    this.goodbye = goodbye;
    this.holes = holes;
    thread.start();
  }

  /** A batch without points asks, before those that follow, whether any would be taken. */
  void offer(PointBatch batch) {
    List<PointBatch> without = new ArrayList<>();
    boolean late;
    synchronized (this) {
      late = over;
      queue.add(batch);
      queuedBytes += batch.bytes();
      queuedPoints += batch.points();
      while (over ? !queue.isEmpty() : queuedBytes > mostBytes && queue.size() > 1) {
        PointBatch oldest = queue.remove();
        left(oldest);
        dropped += oldest.points();
        without.add(oldest);
      }
      notifyAll();
    }
    noteHoles(
        without, late ? ENDED : "InfluxDB does not keep up, and the oldest points were dropped");
  }

  /**
   * As {@link #offer}, of points that can wait: until they take no room that newer ones need.
   *
   * @return false if that takes too long, and the batch was not offered
   */
  boolean offerOrWait(PointBatch batch) throws InterruptedException {
    long until = System.nanoTime() + MOST_WAITING_FOR_ROOM_NANOS;
    synchronized (this) {
      while (queuedPoints > 0 && queuedBytes + batch.bytes() > mostBytes / 2) {
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

  private void left(PointBatch batch) {
    queuedBytes -= batch.bytes();
    queuedPoints -= batch.points();
    notifyAll();
  }

  /** False where the end did not wait for it. */
  private boolean arrived(PointBatch batch) {
    if (underWay != batch) {
      return false;
    }
    underWay = null;
    left(batch);
    return true;
  }

  private void noteHoles(List<PointBatch> batches, String why) {
    for (PointBatch batch : batches) {
      batch.runs().forEach(run -> holes.noted(run, why));
    }
  }

  synchronized Status status() {
    return new Status(sent, dropped, refused, queuedPoints, queuedBytes, trouble);
  }

  // ---- the sender's thread ----

  private void run() {
    Trouble failing = new Trouble();
    // Never over: whatever is refused once will be again, between batches that are not.
    Trouble refusing = new Trouble();
    PointBatch batch = next();
    while (batch != null) {
      send(batch, failing, refusing);
      batch = next();
    }
    writer.close();
  }

  /** Null at the end. */
  private synchronized PointBatch next() {
    while (queue.isEmpty() && !ending) {
      pause(0);
    }
    underWay = queue.poll();
    over = underWay == null;
    return underWay;
  }

  private void send(PointBatch batch, Trouble failing, Trouble refusing) {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    int faults = 0;
    while (true) {
      try {
        writer.write(batch.points() == 0 ? InfluxWriter.QUESTION : batch.lines());
        succeeded(batch, failing);
        return;
      } catch (InfluxWriter.RefusedException e) {
        if (batch.points() == 0) {
          succeeded(batch, failing); // it let the question in, and only has no use for a comment
          return;
        }
        refused(batch, refusing, e.getMessage());
        return;
      } catch (IOException e) {
        failed(failing, e.getMessage());
      } catch (RuntimeException | Error e) {
        // Nothing else would be sent any more.
        LOG.debug("{}", target, e);
        faults++;
        if (faults == MOST_FAULTS) {
          refused(batch, refusing, InfluxWriter.sentence(e));
          return;
        }
        failed(failing, InfluxWriter.sentence(e));
      }
      if (!waitToTryAgain(pauseMillis)) {
        giveUp();
        return;
      }
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }
  }

  private void succeeded(PointBatch batch, Trouble failing) {
    synchronized (this) {
      sent += arrived(batch) ? batch.points() : 0;
      trouble = "";
    }
    if (failing.over()) {
      LOG.info("{}: takes points again", target);
    }
  }

  private void refused(PointBatch batch, Trouble refusing, String reason) {
    synchronized (this) {
      refused += arrived(batch) ? batch.points() : 0;
    }
    if (refusing.failed(reason, System.nanoTime())) {
      LOG.error(
          "{}: InfluxDB refused a batch of {}; it is not sent again: {}",
          target,
          Counted.of(batch.points(), "point"),
          reason);
    }
  }

  private void failed(Trouble failing, String reason) {
    long waiting;
    synchronized (this) {
      trouble = reason;
      waiting = queuedPoints;
    }
    if (failing.failed(reason, System.nanoTime())) {
      LOG.warn(
          "{}: takes no points: {}. It is tried again; {}",
          target,
          reason,
          Counted.of(waiting, "point waits", "points wait"));
    }
  }

  /** On the sender's thread, or on the one that ends it where that does not answer. */
  private void giveUp() {
    List<PointBatch> without = new ArrayList<>();
    synchronized (this) {
      over = true;
      if (underWay != null) {
        without.add(underWay);
        underWay = null;
      }
      without.addAll(queue);
      queue.clear();
      for (PointBatch unsent : without) {
        left(unsent);
        dropped += unsent.points();
      }
    }
    noteHoles(without, ENDED);
  }

  /** False when there is no more time. */
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

  /** Sends what waits, unless that takes too long. */
  @Override
  public void close() {
    synchronized (this) {
      ending = true;
      endNanos = System.nanoTime() + goodbye.toNanos();
      notifyAll();
    }
    try {
      thread.join(goodbye.toMillis() + 1_000);
      if (thread.isAlive()) {
        // In the midst of a request that is not answered, which nothing but its own time ends.
        giveUp();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package org.fedometer.agent.core.ship;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.threads.DaemonThreads;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.aspects.recorder.StageSums;
import org.fedometer.aspects.recorder.Stages;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Totals;

/**
 * Empties the rings of Fedora's threads and hands frames to the collector's client; one daemon
 * thread, from {@link #start} to {@link #finish}.
 *
 * <p>Drains every 100 ms, sooner if rings fill up, and sends a frame each second, sooner if it is
 * full. If the client's queue is full because the collector is away, samples are dropped here and
 * counted, and the count is sent; totals stay exact.
 */
public final class Drainer implements Runnable {

  private static final long MAX_PAUSE_MILLIS = 100;
  private static final long MIN_PAUSE_MILLIS = 1;
  private static final int FULL_THOUSANDTHS = 125;
  private static final int EMPTY_THOUSANDTHS = 30;

  /** One frame per second: a frame per round needed 3 % more bytes per sample. */
  private static final long TOTALS_INTERVAL_MILLIS = 1_000;

  private static final long ERROR_PAUSE_NANOS = 1_000_000_000;
  private static final long DRAINER_END_TIMEOUT_MILLIS = 5_000;
  private static final long FINISH_TIMEOUT_MILLIS = 10_000;
  private static final long FINISH_UNREACHABLE_TIMEOUT_MILLIS = 2_000;
  private static final long LAST_WRITES_MILLIS = 10;
  private static final int MAX_ERROR_LINES = 20;
  private static final String LOG_PATH = "logs/agent.log";

  private final Recording recording;
  private final CollectorClient client;
  private final AgentLog log;
  private final CaptureDrain captures;
  private final Thread thread;
  private volatile boolean finishing;
  private volatile StageSums latestTotals;

  // Used by the drainer's thread, and after its end by the finishing one.
  private final SampleFrames frames;
  private long nextTotalsNanos = System.nanoTime();
  private int errorCount;
  private long pauseMillis = MAX_PAUSE_MILLIS;

  public Drainer(Recording recording, CollectorClient client, AgentLog log, CaptureDrain captures) {
    this.recording = recording;
    this.client = client;
    this.log = log;
    this.captures = captures;
    this.frames = new SampleFrames(recording, client);
    this.latestTotals = recording.totals();
    this.thread = DaemonThreads.daemon("fedometer-drainer", this);
  }

  public void start() {
    thread.start();
  }

  @Override
  public void run() {
    while (!finishing) {
      try {
        runRoundSafely();
      } catch (Throwable outOfMemory) {
        // Even error handling needs memory.
        LockSupport.parkNanos(ERROR_PAUSE_NANOS);
      }
    }
  }

  private void runRoundSafely() {
    try {
      runRound();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
    } catch (Throwable error) {
      recover(error);
    }
  }

  /**
   * Stops recording, sends the remaining data and waits some seconds for its acknowledgement.
   * Called once, by a command's thread or the JVM's shutdown.
   */
  public ShutdownResult finish() {
    boolean arrived = false;
    String cause = "";
    String connectionError;
    try {
      finishing = true;
      LockSupport.unpark(thread);
      thread.join(DRAINER_END_TIMEOUT_MILLIS);
      Recorder.stop();
      if (thread.isAlive()) {
        cause = "the last samples are lost because the drainer does not stop";
      } else {
        arrived = shipRemaining();
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      cause = "the last samples were not sent because of an interrupt";
    } catch (IOException failure) {
      cause = "the last samples could not be sent: " + failure.getMessage();
    } catch (RuntimeException | Error unexpected) {
      cause = "the last samples could not be sent, unexpectedly: " + unexpected;
    } finally {
      // In any case: the rings are no longer emptied.
      Recorder.stop();
      try {
        connectionError = client.status().lastError();
      } finally {
        client.close();
      }
    }
    return new ShutdownResult(
        client.peerAcknowledges(),
        cause,
        arrived,
        frames.samplesDropped(),
        frames.tracesDropped(),
        connectionError,
        client.status());
  }

  /** Returns whether the collector has acknowledged everything. */
  private boolean shipRemaining() throws InterruptedException, IOException {
    // A thread that was just past the switch may still write one sample.
    Thread.sleep(LAST_WRITES_MILLIS);
    frames.begin();
    recording.drain(frames, frames);
    frames.flush();
    captures.drain();
    captures.flush();
    log.append("agent ends, " + client.status() + dropsOf(recording.totals()));
    shipLog();
    boolean reached = client.status().connections() > 0;
    client.send(FrameType.TOTALS, totals(true).encode(), FINISH_UNREACHABLE_TIMEOUT_MILLIS);
    return client.awaitAcknowledged(
        reached ? FINISH_TIMEOUT_MILLIS : FINISH_UNREACHABLE_TIMEOUT_MILLIS);
  }

  /** Copies frames of samples and totals to the listener, from the next round on; any thread. */
  public void addListener(FrameListener listener) {
    frames.addListener(listener);
  }

  /** Stops copying frames to the listener; any thread. */
  public void removeListener(FrameListener listener) {
    frames.removeListener(listener);
  }

  /** Returns sums that are at most some seconds old; any thread, read-only. */
  public StageSums latestTotals() {
    return latestTotals;
  }

  /** Returns the samples dropped by the client's full queue; any thread. */
  public long samplesDropped() {
    return frames.samplesDropped();
  }

  /** Returns the traces dropped by the client's full queue; any thread. */
  public long tracesDropped() {
    return frames.tracesDropped();
  }

  private void runRound() {
    frames.begin();
    frames.sendNamesToNewListeners();
    frames.nameStages();
    int fullest = recording.drain(frames, frames);
    captures.drain();
    if (fullest > FULL_THOUSANDTHS) {
      pauseMillis = Math.max(MIN_PAUSE_MILLIS, pauseMillis / 4);
    } else if (fullest < EMPTY_THOUSANDTHS) {
      pauseMillis = Math.min(MAX_PAUSE_MILLIS, pauseMillis * 2);
    }
    long now = System.nanoTime();
    if (now - nextTotalsNanos >= 0) {
      nextTotalsNanos = now + TimeUnit.MILLISECONDS.toNanos(TOTALS_INTERVAL_MILLIS);
      frames.flush();
      captures.flush();
      frames.offer(FrameType.TOTALS, totals(false).encode());
      shipLog();
    }
  }

  /**
   * Recovers from an error, probably an OutOfMemoryError, with new buffers; this thread must never
   * die of it.
   */
  private void recover(Throwable error) {
    frames.abandon();
    errorCount++;
    if (errorCount <= MAX_ERROR_LINES) {
      log.appendError("drainer", error);
    }
    LockSupport.parkNanos(ERROR_PAUSE_NANOS);
  }

  private void shipLog() {
    byte[] text = log.drain();
    if (text.length > 0) {
      client.offer(FrameType.DOCUMENT, new Document(LOG_PATH, text, true).encode());
    }
  }

  private Totals totals(boolean last) {
    StageSums sums = recording.totals();
    latestTotals = sums;
    List<Totals.StageTotal> stages = new ArrayList<>();
    for (int stage = 0; stage < Stages.LIMIT; stage++) {
      if (sums.count[stage] > 0) {
        stages.add(
            new Totals.StageTotal(
                stage, sums.count[stage], sums.failed[stage], sums.durationNanos[stage]));
      }
    }
    return new Totals(
        stages,
        sums.samplesDropped + frames.samplesDropped(),
        client.status().framesDropped(),
        sums.tracesDropped + frames.tracesDropped(),
        sums.stagesSkipped,
        recording.threadsRefused(),
        last);
  }

  private String dropsOf(StageSums sums) {
    return "; samples dropped: "
        + sums.samplesDropped
        + " in full rings, "
        + frames.samplesDropped()
        + " in a full queue; traces dropped: "
        + (sums.tracesDropped + frames.tracesDropped())
        + "; stages too deep: "
        + sums.stagesSkipped
        + "; threads refused: "
        + recording.threadsRefused();
  }
}

package org.fedometer.agent.core.control;

import java.io.IOException;
import java.util.LinkedList;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.fedometer.agent.core.ship.FrameListener;
import org.fedometer.agent.core.threads.DaemonThreads;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;

/**
 * Sends a tool the status once a second and copies of the samples in between. Runs on a daemon
 * thread until the tool disconnects or {@link #end} is called. Samples beyond the buffer are
 * dropped. A tool is disconnected if it reads nothing for a minute, or if even names do not fit.
 */
public final class LiveReports implements Runnable, FrameListener {

  private static final long REPORT_MILLIS = 1_000;
  private static final long MAX_WAITING_BYTES = 2 * 1024 * 1024;

  /** Extra space for names, without which a tool cannot interpret samples. */
  private static final long MAX_WAITING_NAMES_BYTES = 1024 * 1024;

  private static final long TIMEOUT_MILLIS = 60_000;

  private final ToolConnection tool;
  private final Supplier<Map<String, String>> facts;
  private final Runnable atEnd;
  private final LongSupplier millis;
  private final Thread thread = DaemonThreads.daemon("fedometer-top", this);

  // Guarded by this.

  /** Linked: an ArrayDeque that fails to grow for lack of memory is empty afterwards. */
  private final LinkedList<Frame> waiting = new LinkedList<>();

  private long waitingBytes;
  private long sequence;
  private boolean ended;

  /** Time of the thread's last poll. */
  private long lastPollMillis;

  /**
   * @param tool closed at the end
   * @param facts called once a second, on this thread
   * @param atEnd called at the end, on this thread
   */
  public LiveReports(ToolConnection tool, Supplier<Map<String, String>> facts, Runnable atEnd) {
    this(tool, facts, atEnd, () -> System.nanoTime() / 1_000_000);
  }

  LiveReports(
      ToolConnection tool,
      Supplier<Map<String, String>> facts,
      Runnable atEnd,
      LongSupplier millis) {
    this.tool = tool;
    this.facts = facts;
    this.atEnd = atEnd;
    this.millis = millis;
    this.lastPollMillis = millis.getAsLong();
  }

  public void start() {
    thread.start();
  }

  /** Disconnects; any thread. */
  public synchronized void end() {
    ended = true;
    waiting.clear();
    waitingBytes = 0;
    notifyAll();
    tool.close();
  }

  /** Returns the bytes not yet sent to the tool; any thread. */
  public synchronized long waitingBytes() {
    return waitingBytes;
  }

  @Override
  public synchronized void onFrame(FrameType type, byte[] payload) {
    boolean names = type == FrameType.STAGES || type == FrameType.THREADS;
    long maxBytes = MAX_WAITING_BYTES + (names ? MAX_WAITING_NAMES_BYTES : 0);
    if (ended) {
      return;
    }
    if (millis.getAsLong() - lastPollMillis > TIMEOUT_MILLIS) {
      end();
    } else if (waitingBytes + payload.length <= maxBytes) {
      waiting.add(new Frame(type.code(), ++sequence, payload));
      waitingBytes += payload.length;
      notifyAll();
    } else if (names) {
      end();
    }
  }

  @Override
  public void run() {
    long nextReportMillis = millis.getAsLong();
    try {
      while (true) {
        long nowMillis = millis.getAsLong();
        if (nowMillis >= nextReportMillis) {
          tool.live(facts.get());
          nextReportMillis = nowMillis + REPORT_MILLIS;
        }
        Frame next = next(nextReportMillis - nowMillis);
        if (next != null) {
          tool.copy(next);
        } else if (isEnded()) {
          return;
        }
      }
    } catch (IOException | InterruptedException toolIsGone) {
      // The tool may disconnect at any time.
    } catch (RuntimeException | Error unexpected) {
      // Perhaps low memory: the tool sees the connection end.
    } finally {
      end();
      atEnd.run();
    }
  }

  private synchronized Frame next(long waitMillis) throws InterruptedException {
    lastPollMillis = millis.getAsLong();
    if (waiting.isEmpty() && !ended && waitMillis > 0) {
      wait(waitMillis);
    }
    Frame next = waiting.poll();
    if (next != null) {
      waitingBytes -= next.payload().length;
    }
    return next;
  }

  private synchronized boolean isEnded() {
    return ended;
  }
}

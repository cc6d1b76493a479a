package org.fedometer.aspects.recorder;

import java.util.Arrays;

/**
 * Where woven code reports that a stage begins and ends; called by the aspects on Fedora's own
 * threads.
 *
 * <p>The rules of this path: nothing is allocated after a thread's first call, nothing is locked,
 * nothing waits, and nothing is thrown. While the recorder is off a call costs one volatile read.
 * Everything a thread records goes to its own {@link ThreadRecorder}, which the agent's drainer
 * empties from another thread.
 *
 * <p>The switch is an epoch: odd is on, even is off. Each thread remembers the epoch in which it
 * opened its stages, so that a stage that began before the switch was thrown is forgotten instead
 * of being timed wrongly.
 */
public final class Recorder {

  /**
   * Where each thread finds its recorder: a seat by its id, or, where another thread sits there,
   * the thread-local. Thread-locals alone took 9 ns of 68 a stage, seats take next to nothing. Read
   * and written without order: a thread only ever takes a recorder of its own.
   */
  private static final ThreadRecorder[] SEATS = new ThreadRecorder[1024];

  private static final ThreadLocal<ThreadRecorder> OF_THREAD = new ThreadLocal<>();

  private static volatile int epoch;

  /**
   * Written before the epoch turns odd, so a thread that sees the odd epoch sees the recording too.
   */
  private static Recording recording;

  private Recorder() {}

  /**
   * Switches recording on, into {@code target}; any thread. A recording that was running is left as
   * it is.
   */
  public static synchronized void start(Recording target) {
    if (target == null) {
      throw new IllegalArgumentException("no recording given");
    }
    stop();
    recording = target;
    epoch++;
  }

  /** Switches recording off; any thread. Threads in the middle of a stage forget it. */
  public static synchronized void stop() {
    pause();
    recording = null;
    Arrays.fill(SEATS, null);
  }

  /** Switches recording off until {@link #resume}; nothing is let go. Any thread. */
  public static synchronized void pause() {
    if (isOn()) {
      epoch++;
    }
  }

  /** Switches recording on again after {@link #pause}; any thread. */
  public static synchronized void resume() {
    if (!isOn() && recording != null) {
      epoch++;
    }
  }

  /** Whether stages are recorded now. */
  public static boolean isOn() {
    return isOn(epoch);
  }

  /** A stage begins on the calling thread. */
  public static void enter(int stage) {
    int now = epoch;
    if (!isOn(now)) {
      return;
    }
    try {
      ThreadRecorder recorder = ofCurrentThread();
      if (recorder == null || recorder.epoch() != now) {
        recorder = admit(recorder, now);
        if (recorder == null) {
          return;
        }
      }
      recorder.enter(stage, System.nanoTime());
    } catch (Throwable neverFedorasProblem) {
      // Fedora must not notice; an enter that is missing here is put right by the exit that finds
      // no match.
    }
  }

  /** A stage ends normally on the calling thread. */
  public static void exit(int stage) {
    leave(stage, false);
  }

  /** A stage ends by an exception on the calling thread. */
  public static void fail(int stage) {
    leave(stage, true);
  }

  /** The calling thread now works on this object; shown with the current trace. */
  public static void notePid(String pid) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.notePid(pid);
    }
  }

  /**
   * What the current trace sets out to do, such as {@code ingest}; the last one noted counts,
   * {@code null} is ignored.
   */
  public static void noteOperation(String operation) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.noteOperation(operation);
    }
  }

  /**
   * The current trace belongs to the caller's trace that this W3C header names; {@code null} is
   * ignored.
   */
  public static void noteTraceparent(String traceparent) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.noteTraceparent(traceparent);
    }
  }

  /**
   * What the current trace set out to do did not succeed, even if its root returns normally (Fedora
   * turns exceptions into answers).
   */
  public static void noteFailure() {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.noteFailure();
    }
  }

  private static void leave(int stage, boolean failed) {
    int now = epoch;
    if (!isOn(now)) {
      return;
    }
    try {
      ThreadRecorder recorder = ofCurrentThread();
      if (recorder != null && recorder.epoch() == now) {
        recorder.exit(stage, System.nanoTime(), failed);
      }
    } catch (Throwable neverFedorasProblem) {
      // As above.
    }
  }

  private static ThreadRecorder current() {
    int now = epoch;
    if (!isOn(now)) {
      return null;
    }
    try {
      ThreadRecorder recorder = ofCurrentThread();
      return recorder != null && recorder.epoch() == now ? recorder : null;
    } catch (Throwable neverFedorasProblem) {
      return null;
    }
  }

  private static ThreadRecorder ofCurrentThread() {
    Thread thread = Thread.currentThread();
    ThreadRecorder seated = SEATS[seatOf(thread)];
    return seated != null && seated.owner() == thread ? seated : OF_THREAD.get();
  }

  private static int seatOf(Thread thread) {
    return (int) thread.getId() & SEATS.length - 1;
  }

  /**
   * The slow path: a thread's first stage of all, or its first since recording was switched on.
   *
   * @return {@code null} when recording has just been switched off
   */
  private static ThreadRecorder admit(ThreadRecorder known, int now) {
    Recording target = recording;
    if (target == null) {
      return null;
    }
    Thread thread = Thread.currentThread();
    ThreadRecorder recorder = known;
    if (recorder == null || recorder.recording() != target) {
      recorder = target.newThreadRecorder(thread);
      OF_THREAD.set(recorder);
    }
    if (!recorder.ignoresItsThread()) {
      SEATS[seatOf(thread)] = recorder;
    }
    recorder.beginEpoch(now);
    return recorder;
  }

  /** The recorder's thread is dead: its seat shall not keep it. Called by the drainer. */
  static void vacate(ThreadRecorder recorder) {
    int seat = seatOf(recorder.owner());
    if (SEATS[seat] == recorder) {
      SEATS[seat] = null;
    }
  }

  private static boolean isOn(int epoch) {
    return (epoch & 1) != 0;
  }
}

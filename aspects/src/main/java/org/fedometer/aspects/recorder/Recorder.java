package org.fedometer.aspects.recorder;

/**
 * Where woven code reports that a stage begins and ends; called by the aspects on Fedora's own
 * threads.
 *
 * <p>The rules of this path: nothing is allocated after a thread's first call, nothing is locked,
 * nothing waits, and nothing is thrown. While the recorder is off a call costs a look at an empty
 * seat and one volatile read. Everything a thread records goes to its own {@link ThreadRecorder},
 * which the agent's drainer empties from another thread.
 *
 * <p>The switch is an epoch: odd is on, even is off. Each thread remembers the epoch in which it
 * opened its stages, so that a stage that began before the switch was thrown is forgotten instead
 * of being timed wrongly. A thread that has a seat need not look at the epoch: its recorder says so
 * itself, because switching off calls every thread from its seat.
 */
public final class Recorder {

  /**
   * Where each thread finds its recorder: a seat by its id, or, where another thread sits there,
   * the thread-local. Thread-locals alone took 9 ns of 68 a stage, seats take next to nothing
   * ({@code bench agent-overhead}; machines differ). Read and written without order: a thread only
   * ever takes a recorder that knows it.
   */
  private static final ThreadRecorder[] SLOTS = new ThreadRecorder[1024];

  /** Of the threads that met a stage; what is in it, {@link #stop()} takes away. */
  private static final ThreadLocal<RecorderHolder> HOLDERS = new ThreadLocal<>();

  /** A thread's own, until it dies; so it holds nothing but what can be taken away. */
  static final class RecorderHolder {
    /** Written by the thread, cleared by whoever switches recording off. */
    volatile ThreadRecorder recorder;

    /** Number of the recording that refused the thread. */
    private long rejectedBy;
  }

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

  /**
   * Switches recording off; any thread. Threads in the middle of a stage forget it. Nothing here
   * keeps the recording afterwards, nor do Fedora's threads.
   */
  public static synchronized void stop() {
    pause();
    recording = null;
  }

  /** Switches recording off until {@link #resume}; nothing is let go. Any thread. */
  public static synchronized void pause() {
    if (isOn()) {
      epoch++;
      recording.unregisterThreads();
    }
  }

  /** Switches recording on again after {@link #pause}; any thread. */
  public static synchronized void resume() {
    if (!isOn() && recording != null) {
      epoch++;
    }
  }

  public static boolean isOn() {
    return isOn(epoch);
  }

  /** The recording that is running, or {@code null}; any thread. Asked by benchmarks alone. */
  public static synchronized Recording recording() {
    return recording;
  }

  /** A stage begins on the calling thread. */
  public static void enter(int stage) {
    try {
      Thread thread = Thread.currentThread();
      ThreadRecorder recorder = SLOTS[slotOf(thread)];
      if (recorder != null && recorder.activeThread == thread) {
        recorder.enter(stage, System.nanoTime());
      } else {
        enterSlowPath(stage, thread);
      }
    } catch (Throwable ignored) {
      // Fedora must not notice; an enter that is missing here is put right by the exit that finds
      // no match.
    }
  }

  /** A stage ends normally on the calling thread. */
  public static void exit(int stage) {
    leave(stage, RingWord.EXIT);
  }

  /** A stage ends by an exception on the calling thread. */
  public static void fail(int stage) {
    leave(stage, RingWord.FAIL);
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

  /**
   * An operation of Fedora's begins. The first one that changes something says what the trace is,
   * the object included, and where nothing is changed the first one; others, within it or beside
   * it, are how Fedora goes about it. Each begin has its {@link #operationEnds}.
   *
   * @param pid {@code null} where it is about no object
   */
  public static void operationBegins(String operation, String pid, boolean changes) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.operationBegins(operation, pid, changes);
    }
  }

  /**
   * An operation ends; the trace has failed if the one has that says what it is, or a change after
   * that.
   */
  public static void operationEnds(boolean failed) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.operationEnds(failed);
    }
  }

  /** The trace that the calling thread is in, 0 if none. */
  public static long currentTraceId() {
    ThreadRecorder recorder = current();
    return recorder == null ? 0 : recorder.currentTraceId();
  }

  private static void leave(int stage, int kind) {
    try {
      Thread thread = Thread.currentThread();
      ThreadRecorder recorder = SLOTS[slotOf(thread)];
      if (recorder != null && recorder.activeThread == thread) {
        recorder.exit(stage, System.nanoTime(), kind);
      } else {
        leaveSlowPath(stage, kind);
      }
    } catch (Throwable ignored) {
      // Fedora must not notice; a stage that was not closed goes with the stage around it.
    }
  }

  /** Recording is off, or the thread is new to it, or another one sits on its seat. */
  private static void enterSlowPath(int stage, Thread thread) {
    int now = epoch;
    if (isOn(now)) {
      ThreadRecorder recorder = fromHolder(now);
      if (recorder == null) {
        recorder = register(thread, now);
      }
      if (recorder != null) {
        recorder.enter(stage, System.nanoTime());
      }
    }
  }

  private static void leaveSlowPath(int stage, int kind) {
    int now = epoch;
    if (isOn(now)) {
      ThreadRecorder recorder = fromHolder(now);
      if (recorder != null) {
        recorder.exit(stage, System.nanoTime(), kind);
      }
    }
  }

  private static ThreadRecorder current() {
    try {
      Thread thread = Thread.currentThread();
      ThreadRecorder recorder = SLOTS[slotOf(thread)];
      if (recorder != null && recorder.activeThread == thread) {
        return recorder;
      }
      int now = epoch;
      return isOn(now) ? fromHolder(now) : null;
    } catch (Throwable ignored) {
      return null;
    }
  }

  /** The calling thread's recorder, or {@code null} if it has none in this epoch. */
  private static ThreadRecorder fromHolder(int now) {
    RecorderHolder holder = HOLDERS.get();
    ThreadRecorder recorder = holder == null ? null : holder.recorder;
    return recorder != null && recorder.epoch() == now ? recorder : null;
  }

  private static int slotOf(Thread thread) {
    return (int) thread.getId() & SLOTS.length - 1;
  }

  /**
   * The slow path: a thread's first stage of all, or its first since recording was switched on.
   *
   * @return {@code null} when the thread is not recorded, or recording has just been switched off
   */
  private static ThreadRecorder register(Thread thread, int now) {
    Recording target = recording;
    if (target == null || target.isRegistrationPaused()) {
      return null;
    }
    try {
      return register(thread, now, target);
    } catch (OutOfMemoryError noRing) {
      // Asking again with every stage would make a bad hour of Fedora's worse.
      target.pauseRegistration();
      return null;
    }
  }

  private static ThreadRecorder register(Thread thread, int now, Recording target) {
    RecorderHolder holder = HOLDERS.get();
    if (holder == null) {
      holder = new RecorderHolder();
      HOLDERS.set(holder);
    }
    if (holder.rejectedBy == target.number()) {
      return null;
    }
    ThreadRecorder recorder = target.recorderOf(thread, holder);
    if (recorder == null) {
      holder.rejectedBy = target.number();
      return null;
    }
    recorder.beginEpoch(now);
    holder.recorder = recorder;
    // The volatile write last: whoever switches off after the look at the epoch below finds the
    // seat.
    SLOTS[slotOf(thread)] = recorder;
    recorder.activeThread = thread;
    if (epoch != now) {
      // Switched off meanwhile, perhaps too early to see this thread.
      unregister(recorder);
      return null;
    }
    return recorder;
  }

  /** The recorder shall not be found any more: recording is off, or its thread is dead. */
  static void unregister(ThreadRecorder recorder) {
    recorder.activeThread = null;
    recorder.holder().recorder = null;
    int slot = slotOf(recorder.owner());
    if (SLOTS[slot] == recorder) {
      SLOTS[slot] = null;
    }
  }

  private static boolean isOn(int epoch) {
    return (epoch & 1) != 0;
  }
}

package org.fedometer.aspects.recorder;

/**
 * Records starts and ends of stages for woven code on Fedora's threads.
 *
 * <p>On this path nothing allocates after a thread's first call, locks, waits or throws. While
 * recording is off, a call costs a read of an empty slot and one volatile read. Each thread records
 * to its own {@link ThreadRecorder}, which the agent's drainer empties from another thread.
 *
 * <p>The switch is an epoch: odd is on, even is off. Each thread remembers the epoch of its open
 * stages, so that a stage from before a switch is discarded instead of timed wrongly. A thread with
 * a slot need not read the epoch: switching off removes every thread from its slot.
 */
public final class Recorder {

  /**
   * Recorders by thread: a slot by thread id, or the thread-local if another thread has that slot.
   * Thread-locals alone cost 9 of 68 ns per stage, slots next to nothing ({@code bench
   * agent-overhead}; machines differ). Accessed without ordering: a thread only uses a recorder
   * that is its own.
   */
  private static final ThreadRecorder[] SLOTS = new ThreadRecorder[1024];

  /** Holders of the threads that met a stage; {@link #stop()} clears their content. */
  private static final ThreadLocal<RecorderHolder> HOLDERS = new ThreadLocal<>();

  /** Kept by a thread until it dies, so its content must be removable. */
  static final class RecorderHolder {
    /** Written by the thread, cleared by the thread that switches recording off. */
    volatile ThreadRecorder recorder;

    /** Number of the recording that rejected the thread. */
    private long rejectedBy;
  }

  private static volatile int epoch;

  /**
   * Written before the epoch turns odd: a thread that sees the odd epoch also sees the recording.
   */
  private static Recording recording;

  private Recorder() {}

  /**
   * Switches recording on, into {@code target}; any thread. Leaves a previous recording as it is.
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
   * Switches recording off; any thread. Threads discard their open stages. Neither this class nor
   * Fedora's threads retain the recording afterwards.
   */
  public static synchronized void stop() {
    pause();
    recording = null;
  }

  /** Switches recording off until {@link #resume}; retains the recording. Any thread. */
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

  /** Returns the running recording, or {@code null}; any thread. For benchmarks. */
  public static synchronized Recording recording() {
    return recording;
  }

  /** Starts a stage on the calling thread. */
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
      // Fedora must not notice; the exit without a match corrects a missing enter.
    }
  }

  /** Ends a stage normally on the calling thread. */
  public static void exit(int stage) {
    leave(stage, RingWord.EXIT);
  }

  /** Ends a stage by an exception on the calling thread. */
  public static void fail(int stage) {
    leave(stage, RingWord.FAIL);
  }

  /** Sets the object of the current trace. */
  public static void notePid(String pid) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.notePid(pid);
    }
  }

  /**
   * Sets the operation of the current trace, such as {@code ingest}; the last one applies, {@code
   * null} is ignored.
   */
  public static void noteOperation(String operation) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.noteOperation(operation);
    }
  }

  /** Joins the current trace to the client's trace in this W3C header; {@code null} is ignored. */
  public static void noteTraceparent(String traceparent) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.noteTraceparent(traceparent);
    }
  }

  /**
   * Marks the current trace as failed, even if its root returns normally (Fedora turns exceptions
   * into responses).
   */
  public static void noteFailure() {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.noteFailure();
    }
  }

  /**
   * Starts an operation of Fedora. The first change defines the trace's operation and object, or
   * the first operation if nothing is changed. Others, nested or later, are implementation details
   * of Fedora. Each begin needs its {@link #operationEnds}.
   *
   * @param pid {@code null} if there is no object
   */
  public static void operationBegins(String operation, String pid, boolean changes) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.operationBegins(operation, pid, changes);
    }
  }

  /**
   * Ends an operation. The trace fails if the operation that defines it fails, or a later change.
   */
  public static void operationEnds(boolean failed) {
    ThreadRecorder recorder = current();
    if (recorder != null) {
      recorder.operationEnds(failed);
    }
  }

  /** Returns the calling thread's trace, 0 if none. */
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
      // Fedora must not notice; an unclosed stage is discarded with the stage around it.
    }
  }

  /** Recording is off, the thread is new to it, or another thread has its slot. */
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

  /** Returns the calling thread's recorder, or {@code null} if it has none in this epoch. */
  private static ThreadRecorder fromHolder(int now) {
    RecorderHolder holder = HOLDERS.get();
    ThreadRecorder recorder = holder == null ? null : holder.recorder;
    return recorder != null && recorder.epoch() == now ? recorder : null;
  }

  private static int slotOf(Thread thread) {
    return (int) thread.getId() & SLOTS.length - 1;
  }

  /**
   * Slow path: registers a thread at its first stage since recording was switched on.
   *
   * @return {@code null} if the thread is not recorded, or recording has just been switched off
   */
  private static ThreadRecorder register(Thread thread, int now) {
    Recording target = recording;
    if (target == null || target.isRegistrationPaused()) {
      return null;
    }
    try {
      return register(thread, now, target);
    } catch (OutOfMemoryError noRing) {
      // Retrying at every stage would make Fedora's memory shortage worse.
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
    // Volatile write last: a thread that switches off after the epoch check below finds the slot.
    SLOTS[slotOf(thread)] = recorder;
    recorder.activeThread = thread;
    if (epoch != now) {
      // Switched off meanwhile, perhaps too early to see this thread.
      unregister(recorder);
      return null;
    }
    return recorder;
  }

  /** Removes a recorder: recording is off, or its thread is dead. */
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

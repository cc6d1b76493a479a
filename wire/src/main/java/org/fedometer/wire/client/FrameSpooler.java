package org.fedometer.wire.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.fedometer.wire.Frame;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.spool.AbandonedSpools;
import org.fedometer.wire.spool.FrameSpool;

/**
 * Moves a client's frames from memory to disk and back on a separate thread, the only one that does
 * so. It also finds spools that other processes left, and forwards each by another client.
 */
final class FrameSpooler {
  private static final long RETRY_NANOS = 1_000_000_000L;

  /** After a scan that found unreadable files. */
  private static final long RESCAN_NANOS = 5_000_000_000L;

  /** Timeout for writing the remaining frames when the client is closed. */
  static final long CLOSE_TIMEOUT_NANOS = 5_000_000_000L;

  private final CollectorClient client;
  private final ClientState state;
  private final ClientOptions options;
  private final ClientFrames frames;
  private final FrameSpool spool;

  /** The spooler of the client for which this one forwards; null for a client's own. */
  private final FrameSpooler parent;

  private final Thread thread = ClientThreads.daemon("fedometer-spool", this::run);

  /** Guarded by the client's lock, as all below; see {@link ClientState}. */
  private final Condition work;

  /** Spools of other processes, to be forwarded one after the other; linked, as the frames are. */
  private final LinkedList<FrameSpool> abandoned = new LinkedList<>();

  /** Forwards {@link #forwarded}, the current one of them; null if none. */
  private CollectorClient forwarder;

  private FrameSpool forwarded;

  /** True if the folder must be scanned for abandoned spools, from {@link #scanFromNanos} on. */
  private boolean scanPending;

  private long scanFromNanos;

  /** True if a frame did not fit the overflow. */
  private boolean spaceNeeded;

  private String writeError = "";

  /**
   * True if {@link #writeError} is a full spool, which is no error once no frame waits for space.
   */
  private boolean spoolIsFull;

  /** The permanent error of unreadable frames. */
  private String readError = "";

  /** The file that could not be opened and is retried at {@link #reopenAtNanos}; empty if none. */
  private String openError = "";

  private long reopenAtNanos;

  /** The files that the last scan could not read. */
  private String scanError = "";

  private boolean retrying;
  private long retryAtNanos;

  private static final class SpoolFullException extends IOException {
    private static final long serialVersionUID = 1L;

    SpoolFullException(String message) {
      super(message);
    }
  }

  FrameSpooler(CollectorClient client, ClientState state, FrameSpool spool, FrameSpooler parent) {
    this.client = client;
    this.state = state;
    this.options = state.options;
    this.frames = state.frames;
    this.work = state.lock.newCondition();
    this.spool = spool;
    this.parent = parent;
    this.scanPending = parent == null;
    this.scanFromNanos = System.nanoTime();
  }

  void start() {
    thread.start();
  }

  /** Waits until the thread has ended, which it does once the client is closed. */
  void awaitEnd(long deadlineNanos) {
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      TimeUnit.NANOSECONDS.timedJoin(thread, deadlineNanos - System.nanoTime());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- with the client's lock held ----

  long bytes() {
    return spool.bytes() + foreignBytes();
  }

  private long foreignBytes() {
    long sum = forwarded == null ? 0 : forwarded.bytes();
    for (FrameSpool other : abandoned) {
      sum += other.bytes();
    }
    return sum;
  }

  String error() {
    if (!writeError.isEmpty() && !(spoolIsFull && frames.isOverflowEmpty())) {
      return writeError;
    }
    String rejected = forwarder == null ? null : forwarder.rejectionOrNull();
    if (rejected != null) {
      return "the collector refuses the spooled frames of " + forwarded.source() + ": " + rejected;
    }
    if (!openError.isEmpty() && frames.hasFramesOnDiskOnly()) {
      return openError;
    }
    String forwarderError = forwarder == null ? "" : forwarder.status().spoolError();
    if (!forwarderError.isEmpty()) {
      return forwarderError;
    }
    return scanError.isEmpty() ? readError : scanError;
  }

  void requestScan() {
    requestScanAt(System.nanoTime());
    work.signal();
  }

  private void requestScanAt(long nanos) {
    scanPending = true;
    scanFromNanos = nanos;
  }

  void onConnected() {
    work.signal();
  }

  /** Call when the client is closed; returns the forwarder, or null. */
  CollectorClient onClosed() {
    work.signalAll();
    return forwarder;
  }

  /** Call after adding a frame to the overflow. */
  void onOverflow() {
    if (mayWrite()) {
      work.signal();
    }
  }

  /** Call if a frame did not fit the overflow. */
  void onOverflowFull() {
    spaceNeeded = true;
    onOverflow();
  }

  void onAcknowledgement() {
    if (spool.bytes() > 0 || frames.hasFramesOnDiskOnly()) {
      work.signal();
    }
  }

  // ---- spool thread ----

  private void run() {
    try {
      while (!state.isClosed()) {
        try {
          runRoundSafely();
        } catch (RuntimeException | Error outOfMemory) {
          // Even error handling needs memory.
          ClientThreads.pauseAfterError();
        }
      }
      saveRemaining();
    } catch (InterruptedException e) {
      // No code interrupts this thread; if it happens, the thread ends with the frames on disk.
    } finally {
      closeQuietly(spool);
      // No iterator, which needs memory.
      for (int i = 0; i < abandoned.size(); i++) {
        closeQuietly(abandoned.get(i));
      }
      if (parent != null) {
        parent.forwarderEnded(state.status());
      }
    }
  }

  private static void closeQuietly(FrameSpool any) {
    try {
      any.close();
    } catch (RuntimeException | Error ignored) {
      // The likely cause is low memory: the others must be closed too.
    }
  }

  private void runRoundSafely() throws InterruptedException {
    try {
      runRound();
    } catch (RuntimeException | Error e) {
      onFailure(ClientThreads.unexpected(e));
      ClientThreads.pauseAfterError();
    }
  }

  private void scanForAbandoned() {
    boolean scanned = false;
    try {
      ClientOptions.checkSpoolFolder(options.spoolFolderOrNull());
      addAbandoned(AbandonedSpools.scan(options.spoolFolderOrNull()));
      scanned = true;
    } catch (IOException e) {
      onFailure(e);
    } finally {
      if (!scanned) {
        rescan();
      }
    }
  }

  private void rescan() {
    state.lock.lock();
    try {
      requestScan();
    } finally {
      state.lock.unlock();
    }
  }

  private void addAbandoned(AbandonedSpools found) {
    List<FrameSpool> spools = found.spools();
    int added = 0;
    state.lock.lock();
    try {
      String quarantined = String.join("; ", found.quarantined());
      String unreadable = String.join("; ", found.unreadable());
      while (added < spools.size()) {
        abandoned.add(spools.get(added));
        added++;
      }
      if (!quarantined.isEmpty()) {
        readError = quarantined;
      }
      scanError = unreadable;
      if (!unreadable.isEmpty()) {
        requestScanAt(System.nanoTime() + RESCAN_NANOS);
      }
      writeError = "";
      retrying = false;
    } finally {
      state.lock.unlock();
      // If memory ran out: release the rest, so that the next scan finds them.
      for (int rest = added; rest < spools.size(); rest++) {
        spools.get(rest).close();
      }
    }
  }

  /** Waits for work and does it. */
  private void runRound() throws InterruptedException {
    long acknowledged;
    List<Frame> unwritten;
    boolean scans;
    state.lock.lock();
    try {
      // Computed before hasWork(): an attempt that becomes due in between is then work, not a wait.
      long waitNanos = nanosToNextAttempt();
      while (!state.isClosed() && !hasWork()) {
        if (waitNanos > 0) {
          work.awaitNanos(waitNanos);
        } else {
          work.await();
        }
        waitNanos = nanosToNextAttempt();
      }
      if (state.isClosed()) {
        return;
      }
      scans = mayScan();
      scanPending &= !scans;
      acknowledged = releasableSequence();
      unwritten = mayWrite() ? frames.unwritten() : new ArrayList<>();
      spaceNeeded = false;
    } finally {
      state.lock.unlock();
    }
    if (scans) {
      scanForAbandoned();
    }
    release(acknowledged);
    readBack();
    write(unwritten, Long.MAX_VALUE);
    forward();
  }

  private boolean hasWork() {
    return mayScan()
        || spool.canRelease(releasableSequence())
        || mayRead()
        || mayWrite()
        || mayForward();
  }

  /** Returns the wait until the next retry; 0 or less if none is scheduled. */
  private long nanosToNextAttempt() {
    long nowNanos = System.nanoTime();
    long retryNanos = retrying ? retryAtNanos - nowNanos : 0;
    long scanNanos = scanPending ? scanFromNanos - nowNanos : 0;
    long openNanos = openError.isEmpty() ? 0 : reopenAtNanos - nowNanos;
    return sooner(sooner(retryNanos, scanNanos), openNanos);
  }

  /** Returns the shorter of two waits, where 0 or less means none. */
  private static long sooner(long oneNanos, long otherNanos) {
    return oneNanos > 0 && otherNanos > 0
        ? Math.min(oneNanos, otherNanos)
        : Math.max(oneNanos, otherNanos);
  }

  private boolean mayScan() {
    return scanPending && mayRetry() && System.nanoTime() - scanFromNanos >= 0;
  }

  /** Returns whether a retry after the last failure is due. */
  private boolean mayRetry() {
    return !retrying || System.nanoTime() - retryAtNanos >= 0;
  }

  /** Once nothing is left to forward, this includes files whose last frames are lost. */
  private long releasableSequence() {
    return parent != null && frames.isAllForwarded()
        ? frames.queuedSequence()
        : frames.acknowledgedSequence();
  }

  private boolean mayWrite() {
    return frames.shouldSpoolOverflow(spaceNeeded) && mayRetry();
  }

  /**
   * Another process's spool may have gaps that the collector has: only its WELCOME shows which
   * frames are lost.
   */
  private boolean mayRead() {
    return (parent == null || state.welcomeOrNull() != null)
        && frames.mayReadBack()
        && (openError.isEmpty() || System.nanoTime() - reopenAtNanos >= 0);
  }

  private boolean mayForward() {
    return forwarder == null && !abandoned.isEmpty() && state.isWelcome();
  }

  private void release(long acknowledged) {
    if (spool.canRelease(acknowledged)) {
      spool.release(acknowledged);
      state.lock.lock();
      try {
        // There is space again.
        retrying = false;
      } finally {
        state.lock.unlock();
      }
    }
    if (parent != null && spool.isEmpty()) {
      client.close();
    }
  }

  private void readBack() {
    while (true) {
      long after;
      state.lock.lock();
      try {
        if (state.isClosed() || !mayRead()) {
          return;
        }
        after = frames.queuedSequence();
      } finally {
        state.lock.unlock();
      }
      try {
        Frame next = spool.readAfter(after);
        readBack(next, next.sequence() - 1, "");
      } catch (FrameSpool.LostFramesException e) {
        readBack(null, e.lastSequence(), e.getMessage());
      } catch (IOException notNow) {
        scheduleReopen(FrameSpool.describe(notNow));
      }
    }
  }

  private void scheduleReopen(String error) {
    state.lock.lock();
    try {
      openError = error;
      reopenAtNanos = System.nanoTime() + RETRY_NANOS;
    } finally {
      state.lock.unlock();
    }
  }

  /** Calls {@link ClientFrames#readBack}; the error is empty for none. */
  private void readBack(Frame next, long lostUpTo, String error) {
    state.lock.lock();
    try {
      if (!error.isEmpty()) {
        readError = error;
      }
      openError = "";
      frames.readBack(next, lostUpTo);
    } finally {
      state.lock.unlock();
    }
  }

  private void write(List<Frame> unwritten, long deadlineNanos) {
    if (unwritten.isEmpty()) {
      return;
    }
    Hello introduction = options.helloWithoutToken();
    for (Frame frame : unwritten) {
      if (deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos > 0) {
        return;
      }
      if (!isAcknowledged(frame)) {
        try {
          failIfFull(frame, introduction);
          spool.append(frame, introduction);
        } catch (IOException e) {
          onFailure(e);
          return;
        }
        onWritten(frame);
      }
    }
  }

  private boolean isAcknowledged(Frame frame) {
    state.lock.lock();
    try {
      return frames.isAcknowledged(frame);
    } finally {
      state.lock.unlock();
    }
  }

  private void failIfFull(Frame frame, Hello introduction) throws IOException {
    long others;
    state.lock.lock();
    try {
      others = foreignBytes() + (spool.hasNames() ? 0 : frames.dictionaryBytes());
    } finally {
      state.lock.unlock();
    }
    if (others + spool.bytesWith(frame, introduction) > options.maxSpooledBytes()) {
      spool.forgetMissing();
      if (others + spool.bytesWith(frame, introduction) > options.maxSpooledBytes()) {
        throw new SpoolFullException(
            "it is full: its limit is " + options.maxSpooledBytes() + " bytes");
      }
    }
  }

  private void onWritten(Frame frame) {
    state.lock.lock();
    try {
      frames.written(frame);
      writeError = "";
      retrying = false;
      state.progress.signalAll();
    } finally {
      state.lock.unlock();
    }
  }

  private void onFailure(IOException failure) {
    state.lock.lock();
    try {
      writeError = FrameSpool.describe(failure);
      spoolIsFull = failure instanceof SpoolFullException;
      retrying = true;
      retryAtNanos = System.nanoTime() + RETRY_NANOS;
    } finally {
      state.lock.unlock();
    }
  }

  /** Removes an abandoned spool from the list only after its client and threads have started. */
  private void forward() {
    CollectorClient next = null;
    state.lock.lock();
    try {
      if (!state.isClosed() && mayForward()) {
        next = new CollectorClient(options, abandoned.peek(), this);
        next.start();
        forwarder = next;
        forwarded = abandoned.remove();
      }
    } finally {
      if (next != null && forwarder != next) {
        next.close();
      }
      state.lock.unlock();
    }
  }

  /** Called on the forwarder's spool thread, at its end. */
  private void forwarderEnded(ClientStatus last) {
    state.lock.lock();
    try {
      forwarder = null;
      if (!state.isClosed()) {
        forwarded = null; // Otherwise its files still count: they wait for another client.
      }
      frames.countLost(last.framesLost());
      if (!last.spoolError().isEmpty()) {
        readError = last.spoolError();
      }
      retrying = false;
      work.signal();
    } finally {
      state.lock.unlock();
    }
  }

  private void saveRemaining() {
    long acknowledged;
    List<Frame> rest;
    List<Frame> names;
    state.lock.lock();
    try {
      acknowledged = frames.acknowledgedSequence();
      rest = frames.unwritten();
      names = frames.dictionaries();
    } finally {
      state.lock.unlock();
    }
    if (!rest.isEmpty() || spool.lastSequence() > acknowledged) {
      saveNames(names);
    }
    write(rest, System.nanoTime() + CLOSE_TIMEOUT_NANOS);
    spool.release(acknowledged);
  }

  /** Saves the names, since the rest may be forwarded to a collector that does not have them. */
  private void saveNames(List<Frame> names) {
    try {
      spool.saveNames(names, options.helloWithoutToken());
    } catch (IOException e) {
      onFailure(e);
    }
  }
}

package org.fedometer.wire.client;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;
import org.fedometer.wire.spool.FrameSpool;

/**
 * State shared by a client's callers and threads: its frames, its connection and the collector's
 * replies. {@link CollectorClient} serves callers, {@link FrameSender} connects and sends, {@link
 * ClientConnection} reads, {@link FrameSpooler} writes to disk and reads back.
 *
 * <p>{@link #lock} guards all mutable state here and in {@link ClientFrames}. It also guards the
 * members of {@link ClientConnection}, {@link ClockExchange} and {@link FrameSpooler} that are
 * documented so. It is never held during input or output. Methods of this class acquire it
 * themselves or need none, except those under "with the lock held". Lock order: a client's lock
 * first, then that of its forwarder; never the other way round.
 */
final class ClientState {
  final ClientOptions options;

  /**
   * Another process's spool that this client forwards under that source; null for a client's own
   * frames.
   */
  final FrameSpool inheritance;

  final ReentrantLock lock = new ReentrantLock();

  /** The sender waits here: for frames, acknowledgements at a gap, the time of a clock request. */
  final Condition senderWork = lock.newCondition();

  /** Callers wait here: for space, acknowledgements, a welcome, or a failure. */
  final Condition progress = lock.newCondition();

  final ClientFrames frames;

  /** Null without a spool. */
  private FrameSpooler spooler;

  private long connections;
  private Welcome welcome;
  private ClockEstimate clock;

  /**
   * True if the caller has offered frames since the last estimate was queued, and has not closed
   * the run.
   */
  private boolean clockEstimateWanted;

  /**
   * Waits for space or for the caller's next frame, since an estimate alone would reopen a run. A
   * newer estimate replaces it; no loss needs to be counted.
   */
  private ClockEstimate pendingClock;

  private String rejection;
  private String lastError = "";
  private ClientConnection connection;

  /** Written with the lock held. */
  private volatile boolean closed;

  ClientState(ClientOptions options, FrameSpool inheritance) {
    this.options = options;
    this.inheritance = inheritance;
    this.frames =
        inheritance == null
            ? new ClientFrames(options, senderWork)
            : new ClientFrames(inheritance, senderWork);
  }

  /** Called once, before any thread of the client starts. */
  void setSpooler(FrameSpooler value) {
    spooler = value;
  }

  UUID source() {
    return inheritance == null ? options.source() : inheritance.source();
  }

  Hello hello(long firstAvailable) {
    Hello hello = options.hello(firstAvailable);
    return inheritance == null ? hello : inheritance.helloLike(hello, firstAvailable);
  }

  /** Returns the start of a sentence about the peer. */
  String peerName() {
    return (options.oneWayOrNull() == null ? "The collector at " : "The receiver at ")
        + options.host()
        + ":"
        + options.port();
  }

  // ---- any thread ----

  /**
   * Acquires no lock, which may need memory: the threads' loops call it outside their error
   * handling.
   */
  boolean isClosed() {
    return closed;
  }

  /** Returns why the collector permanently rejects this source, or null. */
  String rejectionOrNull() {
    lock.lock();
    try {
      return rejection;
    } finally {
      lock.unlock();
    }
  }

  ClientStatus status() {
    lock.lock();
    try {
      ClientStatus.Draft now = new ClientStatus.Draft();
      now.connected = isWelcome();
      now.rejected = rejection != null;
      now.queuedBytes = frames.bytes();
      now.framesDropped = frames.framesDropped();
      now.acknowledgedSequence = frames.acknowledgedSequence();
      now.framesLost = frames.framesLost();
      now.connections = connections;
      now.lastError = lastError;
      now.clock = clock;
      now.framesUnsaved = frames.framesUnsaved();
      now.spooledBytes = spooler == null ? 0 : spooler.bytes();
      now.spoolError = spooler == null ? "" : spooler.error();
      return new ClientStatus(now);
    } finally {
      lock.unlock();
    }
  }

  // ---- sender thread ----

  /** Makes the attempt the client's connection and determines its first available frame. */
  void setConnection(ClientConnection attempt) throws IOException {
    lock.lock();
    try {
      connection = attempt;
      attempt.failIfBroken();
      attempt.declare(frames.firstAvailableSequence());
    } finally {
      lock.unlock();
    }
  }

  /** Resumes after the last frame on the collector's disk. */
  void accept(ClientConnection fresh, Welcome response) throws IOException {
    lock.lock();
    try {
      long durable = response.lastDurableSequence();
      if (inheritance != null) {
        frames.skipTo(durable);
      }
      if (durable > frames.newestSequence()) {
        throw new ClientConnection.RejectedException(
            new Rejected(
                false,
                "it knows frame "
                    + durable
                    + " of this source, but the source has sent only up to "
                    + frames.newestSequence()
                    + "; another process may use the source's UUID"));
      }
      frames.resendAfter(durable);
      acknowledge(durable);
      fresh.welcomed();
      welcome = response;
      rejection = null;
      lastError = "";
      pendingClock = null; // Perhaps of another collector; new clock requests to this one follow.
      connections++;
      progress.signalAll();
      if (spooler != null) {
        spooler.onConnected();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * @param attempt null if it could not even be created
   */
  void recordFailure(ClientConnection attempt, IOException failure) {
    lock.lock();
    try {
      // The reader's cause has priority: the sender only sees the socket closed.
      IOException cause =
          attempt != null && attempt.failureOrNull() != null ? attempt.failureOrNull() : failure;
      lastError = describe(cause);
      if (cause instanceof ClientConnection.RejectedException) {
        rejection =
            ((ClientConnection.RejectedException) cause).rejected().temporary() ? null : lastError;
      }
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static String describe(IOException failure) {
    return FailureText.of(failure);
  }

  void clearConnection() {
    lock.lock();
    try {
      connection = null;
    } finally {
      lock.unlock();
    }
  }

  // ---- reader thread of a connection ----

  void onAcknowledgement(ClientConnection from, Acknowledgement acknowledgement)
      throws IOException {
    lock.lock();
    try {
      if (connection == from) {
        if (acknowledgement.lastDurableSequence() > frames.newestSequence()) {
          throw new IOException(
              "it acknowledges frame "
                  + acknowledgement.lastDurableSequence()
                  + ", which was never sent");
        }
        from.markAcknowledged();
        acknowledge(acknowledgement.lastDurableSequence());
        queuePendingClock();
        lastError = acknowledgement.notice();
        progress.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  void onClockReply(ClientConnection from, ClockReply reply, long arrivedNanos) {
    lock.lock();
    try {
      if (connection == from) {
        ClockEstimate estimate = from.clocks().replyReceived(reply, arrivedNanos);
        if (estimate != null) {
          clock = estimate;
          pendingClock = estimate;
          queuePendingClock();
        }
        senderWork.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  boolean awaitsAcknowledgement() {
    lock.lock();
    try {
      return frames.awaitsAcknowledgement();
    } finally {
      lock.unlock();
    }
  }

  // ---- with the lock held ----

  /** Queues a frame; returns false if there is no space. */
  boolean tryEnqueue(FrameType type, byte[] payload) {
    if (!tryEnqueueFrame(type, payload)) {
      return false;
    }
    clockEstimateWanted = type != FrameType.CLOSE_RUN;
    try {
      queuePendingClock();
    } catch (OutOfMemoryError full) {
      // The frame is accepted all the same; the estimate waits for the next one.
    }
    return true;
  }

  private void queuePendingClock() {
    if (pendingClock != null
        && clockEstimateWanted
        && tryEnqueueFrame(FrameType.CLOCK, pendingClock.encode())) {
      clockEstimateWanted = false;
      pendingClock = null;
    }
  }

  private boolean tryEnqueueFrame(FrameType type, byte[] payload) {
    if (closed || inheritance != null) {
      return false;
    }
    Frame next = frames.next(type, payload);
    if (frames.tryQueue(next)) {
      return true;
    }
    if (frames.tryOverflow(next)) {
      try {
        spooler.onOverflow();
      } catch (OutOfMemoryError full) {
        // The frame is accepted all the same; the next one signals the spool thread for both.
      }
      return true;
    }
    if (spooler != null) {
      spooler.onOverflowFull();
    }
    return false;
  }

  /**
   * One way: acknowledges all frames up to the sequence; the connection has stayed up long enough.
   */
  void onHandedOver(ClientConnection from, long sequence) {
    if (connection == from) {
      from.markAcknowledged();
      acknowledge(sequence);
      progress.signalAll();
    }
  }

  private void acknowledge(long durable) {
    frames.acknowledge(durable);
    if (spooler != null) {
      frames.drainOverflow();
      senderWork.signal(); // for frames from the overflow, or at a gap
      spooler.onAcknowledgement();
    }
  }

  /** Returns the current connection, which the caller must close, or null. */
  ClientConnection close() {
    closed = true;
    senderWork.signalAll();
    progress.signalAll();
    return connection;
  }

  boolean isClockEstimateWanted() {
    return clockEstimateWanted;
  }

  boolean isWelcome() {
    return connection != null && connection.isWelcome();
  }

  /** Returns the newest WELCOME, even if the connection has ended since. */
  Welcome welcomeOrNull() {
    return welcome;
  }

  /** Returns the last error as the end of a sentence. */
  String lastErrorSuffix() {
    return lastError.isEmpty() ? "" : ": " + lastError;
  }
}

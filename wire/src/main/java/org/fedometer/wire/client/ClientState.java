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
 * What a client's callers and threads share: its frames, its connection, and what the collector has
 * said. {@link CollectorClient} is for the callers, {@link FrameSender} connects and sends, {@link
 * ClientConnection} reads, {@link FrameSpooler} writes to the disk and reads back.
 *
 * <p>The client's lock, and its rule: {@link #lock} guards all that changes here and in {@link
 * ClientFrames}, and of {@link ClientConnection}, {@link ClockExchange} and {@link FrameSpooler}
 * what is said there to be guarded by it. It is never held during input or output. The methods of
 * this class take it themselves or need none, but for those under "with the lock held". Who holds a
 * client's lock may take that of the client which sends on for it what another process left; never
 * the other way round.
 */
final class ClientState {
  final ClientOptions options;

  /**
   * What another process left and this client sends on, as that source; null for a client's own.
   */
  final FrameSpool inheritance;

  final ReentrantLock lock = new ReentrantLock();

  /** The sender waits here: for frames, acknowledgements at a gap, the time of a question. */
  final Condition senderWork = lock.newCondition();

  /** Callers wait here: for room, acknowledgements, a welcome, or the reason why there are none. */
  final Condition progress = lock.newCondition();

  final ClientFrames frames;

  /** Null without a spool. */
  private FrameSpooler spooler;

  private long connections;
  private Welcome welcome;
  private ClockEstimate clock;

  /** The caller has offered something since the last estimate was queued, and not ended the run. */
  private boolean clockEstimateWanted;

  /**
   * Waits for the caller's next frame, since an estimate alone would open a run again; or for room.
   * A newer one takes its place: nothing is lost that would have to be counted.
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

  /** Called once, before any thread of the client runs. */
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

  /** As a sentence begins with it. */
  String peerName() {
    return (options.oneWayOrNull() == null ? "The collector at " : "The receiver at ")
        + options.host()
        + ":"
        + options.port();
  }

  // ---- for anybody ----

  /** Takes no lock, which may need memory: the threads' loops ask it outside all that survives. */
  boolean isClosed() {
    return closed;
  }

  /** Why the collector does not want this source, and not for the time being only. */
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

  // ---- for the sender ----

  /** Makes the attempt the client's connection, and settles which frames it begins with. */
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

  /** Takes up work where the collector's disk ends. */
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
                    + " of this source, which has only sent up to "
                    + frames.newestSequence()
                    + "; is the source's UUID used twice?"));
      }
      frames.resendAfter(durable);
      acknowledge(durable);
      fresh.welcomed();
      welcome = response;
      rejection = null;
      lastError = "";
      pendingClock = null; // Perhaps of another collector; this one is about to be asked.
      connections++;
      progress.signalAll();
      if (spooler != null) {
        spooler.onConnected();
      }
    } finally {
      lock.unlock();
    }
  }

  /** {@code attempt} is null where not even that could be made. */
  void recordFailure(ClientConnection attempt, IOException failure) {
    lock.lock();
    try {
      // The reader's reason comes first: the sender only sees the socket closed.
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

  // ---- for a connection's reader ----

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

  /** Queues a frame; false when there is no room for it. */
  boolean tryEnqueue(FrameType type, byte[] payload) {
    if (!tryEnqueueFrame(type, payload)) {
      return false;
    }
    clockEstimateWanted = type != FrameType.CLOSE_RUN;
    try {
      queuePendingClock();
    } catch (OutOfMemoryError full) {
      // The frame is taken all the same; the estimate waits for the next one.
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
        // The frame is taken all the same; with the next one the spool's thread is told of both.
      }
      return true;
    }
    if (spooler != null) {
      spooler.onOverflowFull();
    }
    return false;
  }

  /** One way: the connection has stood long enough for all up to the sequence to have arrived. */
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
      senderWork.signal(); // There may be frames from there, or it waited for this at a gap.
      spooler.onAcknowledgement();
    }
  }

  /** Returns the present connection, which is to be closed, or null. */
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

  /** The newest answer of a collector, whether or not the connection still stands. */
  Welcome welcomeOrNull() {
    return welcome;
  }

  /** What went wrong last, as a sentence ends with it. */
  String lastErrorSuffix() {
    return lastError.isEmpty() ? "" : ": " + lastError;
  }
}

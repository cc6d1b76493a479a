package org.fedometer.wire.client;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Welcome;
import org.fedometer.wire.spool.FrameSpool;

/**
 * Sends a source's frames to a collector and keeps each one until the collector has it on disk. Any
 * thread may offer frames; the connection is the business of two daemon threads.
 *
 * <pre>{@code
 * try (CollectorClient client = CollectorClient.open(options)) {
 *   client.offer(FrameType.STAGES, dictionary.encode()); // never blocks
 *   client.offer(FrameType.SAMPLES, samples.finish());
 *   client.awaitAcknowledged(10_000);
 * }
 * }</pre>
 *
 * <p>When the connection breaks, or the collector is silent while frames wait for their
 * acknowledgement, the client connects anew after a random pause of up to 100 ms that doubles to 10
 * s, learns what the collector has, and sends the rest again in order. A collector that knows less
 * than it once acknowledged has lost its store or is another one: the client counts the frames as
 * lost, sends its dictionaries again (of which it keeps up to 1 MiB), and goes on.
 *
 * <p>The client also asks for the collector's time, a few times after it was welcomed and then
 * every minute in which frames were offered, and sends what it learns as a {@link FrameType#CLOCK}
 * frame.
 *
 * <p>With a spool ({@link ClientOptions.Builder#spool}), frames for which memory has no room go to
 * files, written and read by a thread of their own; what lies on disk stays there until it is
 * acknowledged.
 *
 * <p>Memory that runs out (in Fedora's JVM it is Fedora that fills it) may break the connection,
 * and have a caller's frame thrown back by an {@link OutOfMemoryError}; of the frames that were
 * taken none is lost.
 *
 * <p>A refusal that does not pass (the run's name is taken) fails waiting callers at once; the
 * client still asks again every few seconds, as somebody may mend it.
 */
public final class CollectorClient implements AutoCloseable {
  /** How a wait for acknowledgements ended. */
  public enum Delivery {
    /**
     * All is durable at the collector. One way, where nobody says so, the connection has stood for
     * a second after all was handed over, see {@link OneWayProtocol}.
     */
    ACKNOWLEDGED,

    /** The time is over; to wait on may help. */
    TIMED_OUT,

    /**
     * The collector refuses this source, the client was closed, or the thread interrupted (whose
     * flag stays set): to wait on is of no use.
     */
    FAILED
  }

  private final ClientState state;

  /** Of the state; its rule is said there. */
  private final ReentrantLock lock;

  private final FrameSender sender;

  /** Null without a spool. */
  private final FrameSpooler spooler;

  private CollectorClient(ClientOptions options) {
    this.state = new ClientState(options, null);
    this.lock = state.lock;
    this.sender = new FrameSender(state);
    this.spooler =
        options.spoolFolderOrNull() == null
            ? null
            : new FrameSpooler(
                this,
                state,
                new FrameSpool(
                    options.spoolFolderOrNull(), options.source(), options.maxSpooledBytes()),
                null);
    state.setSpooler(spooler);
  }

  /** Sends on what another process left, then closes itself; takes no frames. */
  CollectorClient(ClientOptions options, FrameSpool inheritance, FrameSpooler parent) {
    this.state = new ClientState(options, inheritance);
    this.lock = state.lock;
    this.sender = new FrameSender(state);
    this.spooler = new FrameSpooler(this, state, inheritance, parent);
    state.setSpooler(spooler);
  }

  /** Returns at once and connects in the background. */
  public static CollectorClient open(ClientOptions options) {
    CollectorClient client = new CollectorClient(options);
    client.start();
    return client;
  }

  void start() {
    sender.start();
    if (spooler != null) {
      spooler.start();
    }
  }

  /**
   * Queues a frame; any thread, never blocks.
   *
   * @param type a durable one
   * @param payload at most {@code Frame.MAX_PAYLOAD_BYTES}; not copied, do not write to it again
   * @return false when there was no room: the frame is dropped and counted
   */
  public boolean offer(FrameType type, byte[] payload) {
    requireDurable(type);
    lock.lock();
    try {
      if (state.tryEnqueue(type, payload)) {
        return true;
      }
      state.frames.countDropped();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Queues a frame, as {@link #offer} does, but waits for room if there is none.
   *
   * @throws IOException one sentence: no room in time and why, refused by the collector, or closed;
   *     the frame was not queued
   */
  public void send(FrameType type, byte[] payload, long timeoutMillis) throws IOException {
    requireDurable(type);
    if (!state.frames.canHold(payload)) {
      throw new IOException(
          "A frame of "
              + payload.length
              + " bytes does not fit the client's queue of "
              + state.frames.limitBytes());
    }
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (true) {
        failIfRejectedOrClosed();
        if (state.tryEnqueue(type, payload)) {
          return;
        }
        if (!awaitProgress(deadlineNanos)) {
          throw new IOException(
              state.peerName()
                  + " did not take "
                  + state.frames.bytes()
                  + " bytes within "
                  + timeoutMillis
                  + " ms"
                  + state.lastErrorSuffix());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #awaitDelivery}: whether it is {@link Delivery#ACKNOWLEDGED}. */
  public boolean awaitAcknowledged(long timeoutMillis) {
    return awaitDelivery(timeoutMillis) == Delivery.ACKNOWLEDGED;
  }

  /** Waits until everything offered before this call is durable at the collector. */
  public Delivery awaitDelivery(long timeoutMillis) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      long target = state.frames.newestSequence();
      while (state.frames.acknowledgedSequence() < target) {
        if (state.isClosed() || state.rejectionOrNull() != null) {
          return Delivery.FAILED;
        }
        if (!awaitProgress(deadlineNanos)) {
          return Delivery.TIMED_OUT;
        }
      }
      return Delivery.ACKNOWLEDGED;
    } catch (IOException interrupted) {
      return Delivery.FAILED;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the collector's first answer, and returns it; later calls return the newest one.
   *
   * @throws IOException one sentence: refused or not reached in time, and why
   */
  public Welcome awaitWelcome(long timeoutMillis) throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (true) {
        failIfRejectedOrClosed();
        Welcome welcome = state.welcomeOrNull();
        if (welcome != null) {
          return welcome;
        }
        if (!awaitProgress(deadlineNanos)) {
          throw new IOException(
              state.peerName()
                  + " did not answer within "
                  + timeoutMillis
                  + " ms"
                  + state.lastErrorSuffix());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Looks into the spool's folder once more, as when it was opened, for what other clients have
   * left there since; sends it on. Returns at once; without a spool there is nothing to look for.
   */
  public void scanSpool() {
    lock.lock();
    try {
      if (spooler != null) {
        spooler.requestScan();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the other side says what it has; a receiver that is told one way does not. */
  public boolean peerAcknowledges() {
    return state.options.oneWayOrNull() == null;
  }

  /** How the client fares now; any thread, and after {@link #close}, too. */
  public ClientStatus status() {
    return state.status();
  }

  /**
   * Ends the connection and the threads without waiting; what is not acknowledged is given up. With
   * a spool it goes there instead, for which this waits up to 5 s.
   */
  @Override
  public void close() {
    CollectorClient forwarder = startClosing();
    long deadlineNanos = System.nanoTime() + FrameSpooler.CLOSE_TIMEOUT_NANOS;
    if (forwarder != null) {
      forwarder.startClosing();
      forwarder.spooler.awaitEnd(deadlineNanos);
    }
    if (spooler != null) {
      spooler.awaitEnd(deadlineNanos);
    }
  }

  /** Waits for nothing; returns the client that sends on what others left, or null. */
  private CollectorClient startClosing() {
    ClientConnection open;
    CollectorClient forwarder = null;
    lock.lock();
    try {
      open = state.close();
      if (spooler != null) {
        forwarder = spooler.onClosed();
      }
    } finally {
      lock.unlock();
    }
    sender.interrupt();
    if (open != null) {
      open.close();
    }
    return forwarder;
  }

  String rejectionOrNull() {
    return state.rejectionOrNull();
  }

  /** Call with the lock held. */
  private boolean awaitProgress(long deadlineNanos) throws IOException {
    try {
      return state.progress.awaitNanos(deadlineNanos - System.nanoTime()) > 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(state.peerName() + " was waited for, and this was interrupted", e);
    }
  }

  private void failIfRejectedOrClosed() throws IOException {
    if (state.isClosed()) {
      throw new IOException(state.peerName() + " gets no more: this client has been closed");
    }
    String rejection = state.rejectionOrNull();
    if (rejection != null) {
      throw new CollectorRejectedException(state.peerName() + " refuses this source: " + rejection);
    }
  }

  private static void requireDurable(FrameType type) {
    if (!type.durable()) {
      throw new IllegalArgumentException(type + " belongs to the session and is not for callers");
    }
  }
}

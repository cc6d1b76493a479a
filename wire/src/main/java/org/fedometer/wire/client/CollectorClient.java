package org.fedometer.wire.client;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Welcome;
import org.fedometer.wire.spool.FrameSpool;

/**
 * Sends a source's frames to a collector and keeps each one until it is on the collector's disk.
 * Any thread may offer frames; two daemon threads handle the connection.
 *
 * <pre>{@code
 * try (CollectorClient client = CollectorClient.open(options)) {
 *   client.offer(FrameType.STAGES, dictionary.encode()); // never blocks
 *   client.offer(FrameType.SAMPLES, samples.finish());
 *   client.awaitAcknowledged(10_000);
 * }
 * }</pre>
 *
 * <p>The client reconnects if the connection breaks, or if the collector is silent while frames are
 * unacknowledged. Its random back-off starts at up to 100 ms and doubles to 10 s. It then sends all
 * frames that the collector lacks again, in order. A collector that has less than it once
 * acknowledged has lost its store or is another one. The client then counts the frames as lost,
 * resends its dictionaries (it keeps up to 1 MiB of them), and continues.
 *
 * <p>The client also requests the collector's time, several times after the welcome and then every
 * minute in which frames were offered. It sends each estimate as a {@link FrameType#CLOCK} frame.
 *
 * <p>With a spool ({@link ClientOptions.Builder#spool}), frames that do not fit memory go to files,
 * written and read by a separate thread. They stay on disk until they are acknowledged.
 *
 * <p>If memory runs out (Fedora may fill its JVM), the connection may break, and a caller's frame
 * may fail with an {@link OutOfMemoryError}. No accepted frame is lost.
 *
 * <p>A permanent rejection (such as a run name in use) fails waiting callers at once. The client
 * still retries every few seconds, since the cause may be fixed.
 */
public final class CollectorClient implements AutoCloseable {
  /** Outcome of a wait for acknowledgements. */
  public enum Delivery {
    /**
     * All is durable at the collector. One way, without acknowledgements: the connection has stayed
     * up for a second after everything was handed over, see {@link OneWayProtocol}.
     */
    ACKNOWLEDGED,

    /** The timeout has expired; waiting longer may help. */
    TIMED_OUT,

    /**
     * Waiting longer is useless: the collector rejects this source, the client was closed, or the
     * thread was interrupted (its flag stays set).
     */
    FAILED
  }

  private final ClientState state;

  /** The state's lock; see {@link ClientState} for its rules. */
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

  /** Forwards another process's spool, then closes itself; accepts no frames. */
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
   * @return false if there was no space: the frame is dropped and counted
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
   * Queues a frame as {@link #offer} does, but waits for space.
   *
   * @throws IOException one sentence: no space in time and why, rejected by the collector, or
   *     closed; the frame was not queued
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
                  + " did not accept "
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

  /** Returns whether {@link #awaitDelivery} is {@link Delivery#ACKNOWLEDGED}. */
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
   * Waits for the collector's first WELCOME and returns it; later calls return the newest one.
   *
   * @throws IOException one sentence: rejected or not reached in time, and why
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
   * Scans the spool's folder again for frames that other clients have left since it was opened, and
   * forwards them. Returns at once; does nothing without a spool.
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

  /** Returns whether the peer acknowledges frames; a one-way receiver does not. */
  public boolean peerAcknowledges() {
    return state.options.oneWayOrNull() == null;
  }

  /** Returns the current status; any thread, also after {@link #close}. */
  public ClientStatus status() {
    return state.status();
  }

  /**
   * Closes the connection and ends the threads without waiting; discards unacknowledged frames.
   * With a spool they are saved there instead, for which this waits up to 5 s.
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

  /** Starts closing without waiting; returns the forwarder, or null. */
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
      throw new IOException(state.peerName() + " has not answered: the wait was interrupted", e);
    }
  }

  private void failIfRejectedOrClosed() throws IOException {
    if (state.isClosed()) {
      throw new IOException(state.peerName() + " receives nothing more: this client is closed");
    }
    String rejection = state.rejectionOrNull();
    if (rejection != null) {
      throw new CollectorRejectedException(state.peerName() + " refuses this source: " + rejection);
    }
  }

  private static void requireDurable(FrameType type) {
    if (!type.durable()) {
      throw new IllegalArgumentException(type + " is a session frame, which callers must not send");
    }
  }
}

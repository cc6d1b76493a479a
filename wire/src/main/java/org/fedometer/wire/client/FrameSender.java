package org.fedometer.wire.client;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.fedometer.wire.Frame;

/**
 * Connects and sends queued frames on a separate thread. On failure it backs off and reconnects,
 * until the client is closed.
 */
final class FrameSender {
  private static final int MIN_BACKOFF_MILLIS = 100;
  private static final int MAX_BACKOFF_MILLIS = 10_000;

  /** After a rejection the back-off is up to 3.2 s. */
  private static final int REJECTED_DOUBLINGS = 5;

  private final ClientState state;
  private final Thread thread = ClientThreads.daemon("fedometer-sender", this::run);

  /** Consecutive failures; used by the sender thread only. */
  private int failures;

  FrameSender(ClientState state) {
    this.state = state;
  }

  void start() {
    thread.start();
  }

  /** Call only when the client is closed. */
  void interrupt() {
    thread.interrupt();
  }

  private void run() {
    while (!state.isClosed()) {
      try {
        connectOnceAndSend();
      } catch (Throwable outOfMemory) {
        // Even error handling needs memory; no other code would start another attempt.
        ClientThreads.pauseAfterError();
      }
    }
    OneWayProtocol oneWay = state.options.oneWayOrNull();
    if (oneWay != null) {
      oneWay.clientClosed(state.source());
    }
  }

  private void connectOnceAndSend() {
    ClientConnection attempt = null;
    try {
      attempt = new ClientConnection(state);
      state.setConnection(attempt);
      attempt.connect();
      state.accept(attempt, attempt.handshake());
      attempt.startReader();
      sendUntilBroken(attempt);
    } catch (IOException e) {
      state.recordFailure(attempt, e);
    } catch (InterruptedException e) {
      // Only close() interrupts.
      return;
    } catch (RuntimeException | Error e) {
      state.recordFailure(attempt, ClientThreads.unexpected(e));
    } finally {
      end(attempt);
    }
    failures = attempt != null && attempt.hasAcknowledgements() ? 0 : failures + 1;
    pause(backoffMillis());
  }

  private void sendUntilBroken(ClientConnection current) throws IOException, InterruptedException {
    while (true) {
      if (clockWaitNanos(current) == 0) {
        current.requestClock();
      }
      Frame next = nextToSend(current);
      if (next == null) {
        current.flush();
        awaitWork(current);
      } else {
        current.send(next);
      }
    }
  }

  private long clockWaitNanos(ClientConnection current) {
    state.lock.lock();
    try {
      return current.clockWaitNanos();
    } finally {
      state.lock.unlock();
    }
  }

  private Frame nextToSend(ClientConnection current) throws IOException {
    state.lock.lock();
    try {
      current.failIfBroken();
      if (!state.frames.maySend(current.firstAvailable())) {
        return null;
      }
      if (!state.frames.awaitsAcknowledgement()) {
        current.markAlive();
      }
      return state.frames.pollToSend();
    } finally {
      state.lock.unlock();
    }
  }

  private void awaitWork(ClientConnection current) throws IOException, InterruptedException {
    state.lock.lock();
    try {
      while (!state.frames.maySend(current.firstAvailable())) {
        current.failIfBroken();
        long waitNanos = current.clockWaitNanos();
        if (waitNanos == 0) {
          return;
        }
        if (waitNanos == ClockExchange.NEVER) {
          state.senderWork.await();
        } else {
          state.senderWork.awaitNanos(waitNanos);
        }
      }
    } finally {
      state.lock.unlock();
    }
  }

  private void end(ClientConnection attempt) {
    try {
      state.clearConnection();
    } finally {
      if (attempt != null) {
        attempt.close();
        attempt.endConversation();
      }
    }
  }

  private int backoffMillis() {
    int doublings =
        state.rejectionOrNull() != null
            ? REJECTED_DOUBLINGS
            : Math.min(Math.max(failures - 1, 0), 10);
    int ceiling = Math.min(MAX_BACKOFF_MILLIS, MIN_BACKOFF_MILLIS << doublings);
    return ThreadLocalRandom.current().nextInt(ceiling / 10, ceiling + 1);
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      // Only close() interrupts.
    }
  }
}

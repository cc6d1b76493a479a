package org.fedometer.collector.query;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;

/**
 * State of a query: its response and its limits of time. Synchronizes the reader's thread, the
 * answering thread and the timer.
 */
public final class PendingQuery {
  private static final byte[] EMPTY = {};
  private static final long WAIT_MILLIS = 1_000;

  private final ReaderConnection reader;
  private final QueryRequest request;
  private final long submittedNanos = System.nanoTime();
  private long limitNanos;
  private long deadlineNanos;
  private boolean running;
  private boolean completed;
  private boolean disconnected;

  /** Why it was cancelled for its time, or null. */
  private String expiryReason;

  /** Since when the reader has not read pending data; null while it reads. */
  private Long stalledSinceNanos;

  private long lastSentNanos = submittedNanos;
  private Runnable cancel = () -> {};

  PendingQuery(ReaderConnection reader, QueryRequest request) {
    this.reader = reader;
    this.request = request;
  }

  String text() {
    return request.query();
  }

  String peer() {
    return reader.peer();
  }

  // ---- the reader's thread ----

  /** Returns whether the last piece of the response was sent, so that the next query may follow. */
  public synchronized boolean isCompleted() {
    return completed;
  }

  /** Reports a change of the reader's writability. */
  public synchronized void writabilityChanged() {
    notifyAll();
  }

  public void disconnect() {
    Runnable work;
    synchronized (this) {
      disconnected = true;
      notifyAll();
      work = cancel;
    }
    work.run();
  }

  // ---- the answering thread ----

  /** Returns false if the reader has disconnected. */
  synchronized boolean start(long timeLimitNanos) {
    running = !disconnected;
    limitNanos = timeLimitNanos;
    deadlineNanos = System.nanoTime() + limitNanos;
    return running;
  }

  synchronized boolean isAbandoned() {
    return disconnected || expiryReason != null;
  }

  /**
   * Sets the action that cancels the work; may be replaced repeatedly and called by other threads.
   */
  synchronized void onCancel(Runnable work) {
    cancel = work;
  }

  /**
   * Sends a piece; blocks while the reader is not writable.
   *
   * @throws QueryException if the reader has disconnected or a time limit is exceeded
   */
  synchronized void send(byte[] content) throws QueryException, InterruptedException {
    while (!isAbandoned() && !reader.isWritable()) {
      if (stalledSinceNanos == null) {
        stalledSinceNanos = System.nanoTime();
      }
      wait(WAIT_MILLIS);
    }
    stalledSinceNanos = null;
    if (isAbandoned()) {
      throw new QueryException("the query was abandoned");
    }
    sendNow(QueryResult.State.MORE, content);
  }

  /** Completes the response; fails instead if the query was cancelled before. */
  synchronized void complete() {
    if (expiryReason != null) {
      fail(expiryReason);
    } else {
      end(QueryResult.State.LAST, EMPTY);
    }
  }

  /** Fails; the reason is a sentence for the user. */
  synchronized void fail(String reason) {
    byte[] content = reason.getBytes(StandardCharsets.UTF_8);
    end(
        QueryResult.State.FAILED,
        content.length <= QueryResult.MAX_CONTENT_BYTES
            ? content
            : "The query failed".getBytes(StandardCharsets.UTF_8));
  }

  private void end(QueryResult.State state, byte[] content) {
    cancel = () -> {};
    if (!completed && !disconnected) {
      completed = true;
      sendNow(state, content);
    }
  }

  private void sendNow(QueryResult.State state, byte[] content) {
    lastSentNanos = System.nanoTime();
    reader.send(new QueryResult(request.id(), state, content));
  }

  // ---- the timer's thread ----

  /**
   * Cancels a query that exceeds its limits, and sends keep-alives to a waiting reader.
   *
   * @param stallNanos how long the reader may read nothing of its response
   */
  void tick(long keepAliveNanos, long stallNanos) {
    Runnable work;
    synchronized (this) {
      long now = System.nanoTime();
      if (completed || disconnected) {
        work = disconnected ? cancel : () -> {};
      } else if (running && now - deadlineNanos >= 0) {
        work =
            expire(
                "The query exceeded its time limit of %d s"
                    .formatted(TimeUnit.NANOSECONDS.toSeconds(limitNanos)));
      } else if (stalledSinceNanos != null && now - stalledSinceNanos >= stallNanos) {
        work =
            expire(
                "The client read nothing of the result for %d s while other queries waited"
                    .formatted(TimeUnit.NANOSECONDS.toSeconds(stallNanos)));
      } else {
        if (now - lastSentNanos >= keepAliveNanos && reader.isWritable()) {
          sendNow(QueryResult.State.MORE, EMPTY);
        }
        work = () -> {};
      }
    }
    work.run();
  }

  private Runnable expire(String reason) {
    expiryReason = reason;
    notifyAll();
    return cancel;
  }

  /** Returns null unless it was cancelled for its time. */
  synchronized String expiryReason() {
    return expiryReason;
  }
}

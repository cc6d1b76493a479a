package org.fedometer.collector.query;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;

/**
 * A question under way: what is sent for it, and when it is given up. The reader's thread, the one
 * that answers and the one that minds the time meet here.
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

  /** Why it was given up, or null. */
  private String expiryReason;

  /** Since when the reader has taken nothing of what waits for it; null while it does. */
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

  /** Whether the last piece of the answer is on its way, so that the next question may come. */
  public synchronized boolean isCompleted() {
    return completed;
  }

  /** The reader has taken some of the answer, or does not keep up with it. */
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

  // ---- the thread that answers ----

  /** False when nobody waits for the answer any more. */
  synchronized boolean start(long timeLimitNanos) {
    running = !disconnected;
    limitNanos = timeLimitNanos;
    deadlineNanos = System.nanoTime() + limitNanos;
    return running;
  }

  synchronized boolean isAbandoned() {
    return disconnected || expiryReason != null;
  }

  /** What ends the work on the answer; may be called again and again, by other threads. */
  synchronized void onCancel(Runnable work) {
    cancel = work;
  }

  /**
   * Sends a piece, and waits while the reader does not keep up.
   *
   * @throws QueryException nobody waits for the rest, or it takes too long
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
      throw new QueryException("given up");
    }
    sendNow(QueryResult.State.MORE, content);
  }

  /** All is sent; unless it was given up before, which is a failure whatever was sent. */
  synchronized void complete() {
    if (expiryReason != null) {
      fail(expiryReason);
    } else {
      end(QueryResult.State.LAST, EMPTY);
    }
  }

  /** The reason is a sentence for the user. */
  synchronized void fail(String reason) {
    byte[] content = reason.getBytes(StandardCharsets.UTF_8);
    end(
        QueryResult.State.FAILED,
        content.length <= QueryResult.MAX_CONTENT_BYTES
            ? content
            : "The question cannot be answered".getBytes(StandardCharsets.UTF_8));
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

  // ---- the thread that minds the time ----

  /**
   * Ends what takes too long, and lets a reader that waits know that it is not forgotten.
   *
   * @param stallNanos how long the reader may take nothing of its answer
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
                "The answer took longer than the %d s that a question may take"
                    .formatted(TimeUnit.NANOSECONDS.toSeconds(limitNanos)));
      } else if (stalledSinceNanos != null && now - stalledSinceNanos >= stallNanos) {
        work =
            expire(
                "Nothing of the answer was taken for %d s, and others wait for theirs"
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

  /** Null unless it was given up for the time that it took. */
  synchronized String expiryReason() {
    return expiryReason;
  }
}

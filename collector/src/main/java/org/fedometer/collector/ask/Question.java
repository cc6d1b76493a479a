package org.fedometer.collector.ask;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.query.QueryException;
import org.fedometer.wire.session.Answer;
import org.fedometer.wire.session.Ask;

/**
 * A question under way: what is sent for it, and when it is given up. The reader's thread, the one
 * that answers and the one that minds the time meet here.
 */
public final class Question {
  private static final byte[] NOTHING = {};
  private static final long WAIT_MILLIS = 1_000;

  private final Reader reader;
  private final Ask ask;
  private final long askedNanos = System.nanoTime();
  private long limitNanos;
  private long deadlineNanos;
  private boolean answering;
  private boolean answered;
  private boolean hungUp;

  /** Why it was given up, or null. */
  private String expiredBecause;

  /** Since when the reader has taken nothing of what waits for it; null while it does. */
  private Long stillSinceNanos;

  private long lastSentNanos = askedNanos;
  private Runnable cancel = () -> {};

  Question(Reader reader, Ask ask) {
    this.reader = reader;
    this.ask = ask;
  }

  String text() {
    return ask.question();
  }

  String peer() {
    return reader.peer();
  }

  // ---- the reader's thread ----

  /** Whether the last piece of the answer is on its way, so that the next question may come. */
  public synchronized boolean isAnswered() {
    return answered;
  }

  /** The reader has taken some of the answer, or does not keep up with it. */
  public synchronized void writabilityChanged() {
    notifyAll();
  }

  public void hangUp() {
    Runnable work;
    synchronized (this) {
      hungUp = true;
      notifyAll();
      work = cancel;
    }
    work.run();
  }

  // ---- the thread that answers ----

  /** False when nobody waits for the answer any more. */
  synchronized boolean begin(long forNanos) {
    answering = !hungUp;
    limitNanos = forNanos;
    deadlineNanos = System.nanoTime() + limitNanos;
    return answering;
  }

  synchronized boolean givenUp() {
    return hungUp || expiredBecause != null;
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
    while (!givenUp() && !reader.isWritable()) {
      if (stillSinceNanos == null) {
        stillSinceNanos = System.nanoTime();
      }
      wait(WAIT_MILLIS);
    }
    stillSinceNanos = null;
    if (givenUp()) {
      throw new QueryException("given up");
    }
    sendNow(Answer.State.MORE, content);
  }

  /** All is sent; unless it was given up before, which is a failure whatever was sent. */
  synchronized void complete() {
    if (expiredBecause != null) {
      fail(expiredBecause);
    } else {
      end(Answer.State.LAST, NOTHING);
    }
  }

  /** The reason is a sentence for the user. */
  synchronized void fail(String reason) {
    byte[] content = reason.getBytes(StandardCharsets.UTF_8);
    end(
        Answer.State.FAILED,
        content.length <= Answer.MAX_CONTENT_BYTES
            ? content
            : "The question cannot be answered".getBytes(StandardCharsets.UTF_8));
  }

  private void end(Answer.State state, byte[] content) {
    cancel = () -> {};
    if (!answered && !hungUp) {
      answered = true;
      sendNow(state, content);
    }
  }

  private void sendNow(Answer.State state, byte[] content) {
    lastSentNanos = System.nanoTime();
    reader.answer(new Answer(ask.id(), state, content));
  }

  // ---- the thread that minds the time ----

  /**
   * Ends what takes too long, and lets a reader that waits know that it is not forgotten.
   *
   * @param stillNanos how long the reader may take nothing of its answer
   */
  void tick(long signOfLifeNanos, long stillNanos) {
    Runnable work;
    synchronized (this) {
      long now = System.nanoTime();
      if (answered || hungUp) {
        work = hungUp ? cancel : () -> {};
      } else if (answering && now - deadlineNanos >= 0) {
        work =
            expire(
                "The answer took longer than the %d s that a question may take"
                    .formatted(TimeUnit.NANOSECONDS.toSeconds(limitNanos)));
      } else if (stillSinceNanos != null && now - stillSinceNanos >= stillNanos) {
        work =
            expire(
                "Nothing of the answer was taken for %d s, and others wait for theirs"
                    .formatted(TimeUnit.NANOSECONDS.toSeconds(stillNanos)));
      } else {
        if (now - lastSentNanos >= signOfLifeNanos && reader.isWritable()) {
          sendNow(Answer.State.MORE, NOTHING);
        }
        work = () -> {};
      }
    }
    work.run();
  }

  private Runnable expire(String because) {
    expiredBecause = because;
    notifyAll();
    return cancel;
  }

  /** Null unless it was given up for the time that it took. */
  synchronized String expiredBecause() {
    return expiredBecause;
  }
}

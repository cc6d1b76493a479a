package org.fedometer.experiments.collect;

import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Sends the pauses of a {@link GcLogFollower} to a source, opened for the first of them. For the
 * follower's thread, then the job's. {@link #close} is thread-safe and permanent: a late follower's
 * thread opens nothing any more.
 */
public final class GcPauseSender implements GcLogFollower.Sink, AutoCloseable {
  private final Opening opening;
  private final LongConsumer durableUntil;

  /** Null before there is a pause. Written under this lock. */
  private volatile Source source;

  /** Written under this lock. */
  private volatile boolean closed;

  /**
   * Start of the latest pause by its wall clock, which is not the last sent one if a clock steps.
   */
  private long acceptedUntilEpochNanos;

  private boolean hasUndurable;

  public interface Source extends AutoCloseable {
    /** Sends pauses, all or none; not empty, by start. */
    void send(List<GcLog.Pause> pauses) throws IOException;

    void awaitDurable() throws IOException;

    @Override
    void close();
  }

  public interface Opening {
    Source open() throws IOException;
  }

  /**
   * @param durableUntil gets the start of the last durable pause, in nanoseconds since 1970
   */
  public GcPauseSender(Opening opening, LongConsumer durableUntil) {
    this.opening = opening;
    this.durableUntil = durableUntil;
  }

  @Override
  public void accept(List<GcLog.Pause> pauses) throws IOException {
    opened().send(pauses);
    // A later pause may have an earlier time, if the log's clock was set back in between.
    acceptedUntilEpochNanos =
        Math.max(acceptedUntilEpochNanos, pauses.get(pauses.size() - 1).startEpochNanos());
    hasUndurable = true;
  }

  private Source opened() throws IOException {
    if (closed) {
      throw closedException();
    }
    if (source == null) {
      Source fresh = opening.open(); // without the lock, so that close() does not wait for it
      synchronized (this) {
        if (closed) {
          fresh.close();
          throw closedException();
        }
        source = fresh;
      }
    }
    return source;
  }

  private static IOException closedException() {
    return new IOException("the sender is closed");
  }

  @Override
  public void awaitDurable() throws IOException {
    if (hasUndurable) {
      source.awaitDurable();
      durableUntil.accept(acceptedUntilEpochNanos);
      hasUndurable = false;
    }
  }

  /** Closes the connection, if any. Idempotent. */
  @Override
  public void close() {
    Source last;
    synchronized (this) {
      last = closed ? null : source;
      closed = true;
    }
    if (last != null) {
      last.close();
    }
  }
}

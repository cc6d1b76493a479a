package org.fedometer.experiments.collect;

import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Sends the pauses that a {@link GcLogFollower} hands on to a source that is opened for the first
 * of them. The follower's thread, and the job's when that has ended; {@link #close} by any thread,
 * for good: a follower's thread that has not ended by then opens nothing any more.
 */
public final class GcPauseSender implements GcLogFollower.Sink, AutoCloseable {
  private final Opening opening;
  private final LongConsumer durableUntil;

  /** Null before there is a pause. Written with the lock of this. */
  private volatile Source source;

  /** Written with the lock of this. */
  private volatile boolean closed;

  /** Start of the last pause by its time of day, which is not the last sent if a clock steps. */
  private long acceptedUntilEpochNanos;

  private boolean hasUndurable;

  public interface Source extends AutoCloseable {
    /** Sends pauses, all or none; they are given by start, and not empty. */
    void send(List<GcLog.Pause> pauses) throws IOException;

    void awaitDurable() throws IOException;

    @Override
    void close();
  }

  public interface Opening {
    Source open() throws IOException;
  }

  /** The consumer is told the start of the last durable pause, in nanoseconds since 1970. */
  public GcPauseSender(Opening opening, LongConsumer durableUntil) {
    this.opening = opening;
    this.durableUntil = durableUntil;
  }

  @Override
  public void accept(List<GcLog.Pause> pauses) throws IOException {
    opened().send(pauses);
    // Sent later is not begun later: the clock of the log may have been set back between the two.
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
    return new IOException("the run is being left");
  }

  @Override
  public void awaitDurable() throws IOException {
    if (hasUndurable) {
      source.awaitDurable();
      durableUntil.accept(acceptedUntilEpochNanos);
      hasUndurable = false;
    }
  }

  /** Closes the connection, if there is one; more than once does no harm. */
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

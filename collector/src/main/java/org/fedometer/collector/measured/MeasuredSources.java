package org.fedometer.collector.measured;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.fedometer.collector.journal.Journal;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.logs.OwnEvents;

/**
 * The sources that tell of themselves by Log4j2, at most one connection of each being heard at a
 * time. All connections are of one event loop, which alone calls this.
 */
public final class MeasuredSources implements OwnEvents.Factory {
  /** A connection that says nothing for so long gives way to the next one of its source. */
  private static final Duration SILENCE = Duration.ofSeconds(15);

  /**
   * Of events that wait, as bytes of JSON; in memory they take several times as much. A connection
   * is read no further before its source is welcome, so each has few.
   */
  private static final long MOST_HELD_BYTES = 8L << 20;

  /** Connections behind earlier ones of their sources: an agent that comes back makes one. */
  static final int MOST_WAITING = 256;

  private final Journal journal;
  private final Predicate<UUID> arrival;
  private final String bootId;
  private final Duration silence;

  /** The newest connection of each, which may wait for those before it. */
  private final Map<UUID, MeasuredSource> newest = new HashMap<>();

  /** Of all connections together. */
  private long heldBytes;

  private int waiting;

  /**
   * @param arrival is told of each source that introduces itself; false where it is too late for
   *     any
   * @param bootId identity of this host's present boot, or empty
   */
  public MeasuredSources(Journal journal, Predicate<UUID> arrival, String bootId) {
    this(journal, arrival, bootId, SILENCE);
  }

  MeasuredSources(Journal journal, Predicate<UUID> arrival, String bootId, Duration silence) {
    this.journal = journal;
    this.arrival = arrival;
    this.bootId = bootId;
    this.silence = silence;
  }

  @Override
  public OwnEvents open(LogConnection connection, EventExecutor loop) {
    return new MeasuredSource(this, connection, loop);
  }

  Journal journal() {
    return journal;
  }

  String bootId() {
    return bootId;
  }

  Duration silence() {
    return silence;
  }

  boolean mayCome(UUID source) {
    return arrival.test(source);
  }

  /**
   * Whether there is room for a connection of this source, which waits if an earlier one is here.
   */
  boolean mayWait(UUID source) {
    return waiting < MOST_WAITING || !newest.containsKey(source);
  }

  /** So many more connections wait for earlier ones, or less. */
  void waiting(int more) {
    waiting += more;
  }

  /** Returns the connection that was the source's newest so far, null if there is none. */
  MeasuredSource enter(UUID source, MeasuredSource connection) {
    return newest.put(source, connection);
  }

  boolean mayHold() {
    return heldBytes < MOST_HELD_BYTES;
  }

  /** So much more waits in memory, or less. */
  void held(long bytes) {
    heldBytes += bytes;
  }

  /**
   * The connection has ended.
   *
   * @param before the one that it still waited for, which is its source's newest again; null for
   *     none
   */
  void leave(UUID source, MeasuredSource connection, MeasuredSource before) {
    if (newest.remove(source, connection) && before != null) {
      newest.put(source, before);
    }
  }
}

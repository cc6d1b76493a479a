package org.fedometer.collector.measured;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.fedometer.collector.logs.AgentEvents;
import org.fedometer.collector.logs.LogConnection;
import org.fedometer.collector.segmentlog.SegmentLog;

/**
 * The sources that tell of themselves by Log4j2, at most one connection of each being heard at a
 * time. All connections are of one event loop, which alone calls this.
 */
public final class MeasuredSources implements AgentEvents.Factory {
  /** A connection that says nothing for so long gives way to the next one of its source. */
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Of events that wait, as bytes of JSON; in memory they take several times as much. A connection
   * is read no further before its source is welcome, so each has few.
   */
  private static final long MAX_HELD_BYTES = 8L << 20;

  /** Connections behind earlier ones of their sources: an agent that comes back makes one. */
  static final int MAX_WAITING_CONNECTIONS = 256;

  private final SegmentLog segmentLog;
  private final Predicate<UUID> arrival;
  private final String bootId;
  private final Duration silenceTimeout;

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
  public MeasuredSources(SegmentLog segmentLog, Predicate<UUID> arrival, String bootId) {
    this(segmentLog, arrival, bootId, SILENCE_TIMEOUT);
  }

  MeasuredSources(
      SegmentLog segmentLog, Predicate<UUID> arrival, String bootId, Duration silenceTimeout) {
    this.segmentLog = segmentLog;
    this.arrival = arrival;
    this.bootId = bootId;
    this.silenceTimeout = silenceTimeout;
  }

  @Override
  public AgentEvents open(LogConnection connection, EventExecutor loop) {
    return new MeasuredSource(this, connection, loop);
  }

  SegmentLog segmentLog() {
    return segmentLog;
  }

  String bootId() {
    return bootId;
  }

  Duration silenceTimeout() {
    return silenceTimeout;
  }

  boolean admits(UUID source) {
    return arrival.test(source);
  }

  /**
   * Whether there is room for a connection of this source, which waits if an earlier one is here.
   */
  boolean canWait(UUID source) {
    return waiting < MAX_WAITING_CONNECTIONS || !newest.containsKey(source);
  }

  /** So many more connections wait for earlier ones, or less. */
  void waiting(int more) {
    waiting += more;
  }

  /** Returns the connection that was the source's newest so far, null if there is none. */
  MeasuredSource register(UUID source, MeasuredSource connection) {
    return newest.put(source, connection);
  }

  boolean canHold() {
    return heldBytes < MAX_HELD_BYTES;
  }

  /** So much more waits in memory, or less. */
  void addHeldBytes(long bytes) {
    heldBytes += bytes;
  }

  /**
   * The connection has ended.
   *
   * @param before the one that it still waited for, which is its source's newest again; null for
   *     none
   */
  void unregister(UUID source, MeasuredSource connection, MeasuredSource before) {
    if (newest.remove(source, connection) && before != null) {
      newest.put(source, before);
    }
  }
}

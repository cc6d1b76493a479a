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
 * Sources with {@code transport=log4j2}; one connection of each is read at a time. All connections
 * share one event loop, the only caller.
 */
public final class MeasuredSources implements AgentEvents.Factory {
  /** Silence after which a connection is closed in favor of the next one of its source. */
  private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(15);

  /**
   * Limit of held events as bytes of JSON, which take several times as much memory. Reading pauses
   * until the source is welcome, so each connection holds few.
   */
  private static final long MAX_HELD_BYTES = 8L << 20;

  /** Limit of connections that wait for earlier ones; an agent adds one per reconnect. */
  static final int MAX_WAITING_CONNECTIONS = 256;

  private final SegmentLog segmentLog;
  private final Predicate<UUID> arrival;
  private final String bootId;
  private final Duration silenceTimeout;

  /** The newest connection of each source, which may wait for earlier ones. */
  private final Map<UUID, MeasuredSource> newest = new HashMap<>();

  /** Total of all connections. */
  private long heldBytes;

  private int waiting;

  /**
   * @param arrival called for each source that introduces itself; returns false if the collector no
   *     longer accepts any
   * @param bootId identity of this host's current boot, or empty
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

  /** Returns whether the source may have another connection, which may have to wait. */
  boolean canWait(UUID source) {
    return waiting < MAX_WAITING_CONNECTIONS || !newest.containsKey(source);
  }

  /** Adds to the number of waiting connections; may be negative. */
  void waiting(int more) {
    waiting += more;
  }

  /** Returns the source's previous newest connection, or null. */
  MeasuredSource register(UUID source, MeasuredSource connection) {
    return newest.put(source, connection);
  }

  boolean canHold() {
    return heldBytes < MAX_HELD_BYTES;
  }

  /** Adds to the bytes held in memory; may be negative. */
  void addHeldBytes(long bytes) {
    heldBytes += bytes;
  }

  /**
   * Removes an ended connection.
   *
   * @param before the connection it was waiting for, again the newest of its source; null for none
   */
  void unregister(UUID source, MeasuredSource connection, MeasuredSource before) {
    if (newest.remove(source, connection) && before != null) {
      newest.put(source, before);
    }
  }
}

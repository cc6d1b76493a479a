package org.fedometer.collector.segmentlog;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options of the segment log.
 *
 * @param token required of sources, or empty for none
 * @param segmentBytes size at which a segment is sealed
 * @param sealAge age of its oldest frame at which a segment is sealed, as long as the sealer keeps
 *     up
 * @param queueBytes received, not yet durable bytes above which sources are paused
 * @param runIdle how long a run without connections stays open before it is sealed
 * @param retryPause delay after a failure to write or seal
 * @param heartbeat interval of heartbeats to connected sources
 * @param mergeMemoryBytes DuckDB's memory for merging small files
 * @param clock determines the end of a monitoring run's day
 */
public record SegmentLogOptions(
    String token,
    long segmentBytes,
    Duration sealAge,
    long queueBytes,
    Duration runIdle,
    Duration retryPause,
    Duration heartbeat,
    long mergeMemoryBytes,
    Clock clock) {

  public SegmentLogOptions {
    if (segmentBytes < 1 || queueBytes < 1 || mergeMemoryBytes < 1) {
      throw new IllegalArgumentException(
          "Sizes are positive: segment %d, queue %d, memory for merging %d"
              .formatted(segmentBytes, queueBytes, mergeMemoryBytes));
    }
    if (sealAge.isNegative()
        || runIdle.isNegative()
        || retryPause.isNegative()
        || heartbeat.isNegative()) {
      throw new IllegalArgumentException(
          "Durations are not negative: seal age %s, idle %s, retry pause %s, heartbeat %s"
              .formatted(sealAge, runIdle, retryPause, heartbeat));
    }
  }

  public static SegmentLogOptions defaults() {
    return new SegmentLogOptions(
        "",
        32L << 20,
        Duration.ofSeconds(60),
        16L << 20,
        Duration.ofSeconds(60),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        512_000_000,
        Clock.systemUTC());
  }

  public SegmentLogOptions withToken(String value) {
    return with(changed -> changed.token = value);
  }

  public SegmentLogOptions withSegmentBytes(long value) {
    return with(changed -> changed.segmentBytes = value);
  }

  public SegmentLogOptions withSealAge(Duration value) {
    return with(changed -> changed.sealAge = value);
  }

  public SegmentLogOptions withQueueBytes(long value) {
    return with(changed -> changed.queueBytes = value);
  }

  public SegmentLogOptions withRunIdle(Duration value) {
    return with(changed -> changed.runIdle = value);
  }

  public SegmentLogOptions withRetryPause(Duration value) {
    return with(changed -> changed.retryPause = value);
  }

  public SegmentLogOptions withHeartbeat(Duration value) {
    return with(changed -> changed.heartbeat = value);
  }

  public SegmentLogOptions withClock(Clock value) {
    return with(changed -> changed.clock = value);
  }

  /** Omits the token, which must not be logged. */
  @Override
  public String toString() {
    return "SegmentLogOptions[token=%s, segmentBytes=%d, sealAge=%s, queueBytes=%d, runIdle=%s, retryPause=%s, heartbeat=%s, mergeMemoryBytes=%d, clock=%s]"
        .formatted(
            token.isEmpty() ? "none" : "...",
            segmentBytes,
            sealAge,
            queueBytes,
            runIdle,
            retryPause,
            heartbeat,
            mergeMemoryBytes,
            clock);
  }

  private SegmentLogOptions with(Consumer<Builder> change) {
    Builder changed = new Builder(this);
    change.accept(changed);
    return new SegmentLogOptions(
        changed.token,
        changed.segmentBytes,
        changed.sealAge,
        changed.queueBytes,
        changed.runIdle,
        changed.retryPause,
        changed.heartbeat,
        mergeMemoryBytes,
        changed.clock);
  }

  private static final class Builder {
    private String token;
    private long segmentBytes;
    private Duration sealAge;
    private long queueBytes;
    private Duration runIdle;
    private Duration retryPause;
    private Duration heartbeat;
    private Clock clock;

    private Builder(SegmentLogOptions from) {
      token = from.token;
      segmentBytes = from.segmentBytes;
      sealAge = from.sealAge;
      queueBytes = from.queueBytes;
      runIdle = from.runIdle;
      retryPause = from.retryPause;
      heartbeat = from.heartbeat;
      clock = from.clock;
    }
  }
}

package org.fedometer.collector.journal;

import java.time.Clock;
import java.time.Duration;

/**
 * How the journal behaves.
 *
 * @param token that sources must bring, or empty for none
 * @param segmentBytes size at which a segment is sealed
 * @param sealAge age of its oldest frame at which a segment is sealed, as long as the sealer keeps
 *     up
 * @param queueBytes received but not yet durable bytes above which sources are no longer read
 * @param runIdle how long a run without connection stays open before it is sealed
 * @param retryPause between attempts to write or seal after a failure
 * @param heartbeat how often a connected source gets a sign of life
 * @param sealMemoryLimit what sealing may use, in DuckDB's words
 * @param clock says when a day of a watch run is over
 */
public record JournalOptions(
    String token,
    long segmentBytes,
    Duration sealAge,
    long queueBytes,
    Duration runIdle,
    Duration retryPause,
    Duration heartbeat,
    String sealMemoryLimit,
    Clock clock) {

  public JournalOptions {
    if (segmentBytes < 1 || queueBytes < 1) {
      throw new IllegalArgumentException(
          "Sizes are positive: segment " + segmentBytes + ", queue " + queueBytes);
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

  public static JournalOptions defaults() {
    return new JournalOptions(
        "",
        32L * 1024 * 1024,
        Duration.ofSeconds(60),
        16L * 1024 * 1024,
        Duration.ofSeconds(60),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        "512MB",
        Clock.systemUTC());
  }

  public JournalOptions withToken(String value) {
    return new JournalOptions(
        value,
        segmentBytes,
        sealAge,
        queueBytes,
        runIdle,
        retryPause,
        heartbeat,
        sealMemoryLimit,
        clock);
  }

  public JournalOptions withSegmentBytes(long value) {
    return new JournalOptions(
        token, value, sealAge, queueBytes, runIdle, retryPause, heartbeat, sealMemoryLimit, clock);
  }

  public JournalOptions withSealAge(Duration value) {
    return new JournalOptions(
        token,
        segmentBytes,
        value,
        queueBytes,
        runIdle,
        retryPause,
        heartbeat,
        sealMemoryLimit,
        clock);
  }

  public JournalOptions withQueueBytes(long value) {
    return new JournalOptions(
        token,
        segmentBytes,
        sealAge,
        value,
        runIdle,
        retryPause,
        heartbeat,
        sealMemoryLimit,
        clock);
  }

  public JournalOptions withRunIdle(Duration value) {
    return new JournalOptions(
        token,
        segmentBytes,
        sealAge,
        queueBytes,
        value,
        retryPause,
        heartbeat,
        sealMemoryLimit,
        clock);
  }

  public JournalOptions withRetryPause(Duration value) {
    return new JournalOptions(
        token,
        segmentBytes,
        sealAge,
        queueBytes,
        runIdle,
        value,
        heartbeat,
        sealMemoryLimit,
        clock);
  }

  public JournalOptions withHeartbeat(Duration value) {
    return new JournalOptions(
        token,
        segmentBytes,
        sealAge,
        queueBytes,
        runIdle,
        retryPause,
        value,
        sealMemoryLimit,
        clock);
  }

  public JournalOptions withClock(Clock value) {
    return new JournalOptions(
        token,
        segmentBytes,
        sealAge,
        queueBytes,
        runIdle,
        retryPause,
        heartbeat,
        sealMemoryLimit,
        value);
  }
}

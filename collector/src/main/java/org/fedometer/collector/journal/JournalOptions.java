package org.fedometer.collector.journal;

import java.time.Duration;

/**
 * How the journal behaves.
 *
 * @param token that sources must bring, or empty for none
 * @param segmentBytes size at which a segment is sealed
 * @param queueBytes received but not yet durable bytes above which sources are no longer read
 * @param runIdle how long a run without connection stays open before it is sealed
 * @param retryPause between attempts to write or seal after a failure
 * @param heartbeat how often a connected source gets a sign of life
 * @param sealMemoryLimit what sealing may use, in DuckDB's words
 */
public record JournalOptions(
    String token,
    long segmentBytes,
    long queueBytes,
    Duration runIdle,
    Duration retryPause,
    Duration heartbeat,
    String sealMemoryLimit) {

  public JournalOptions {
    if (segmentBytes < 1 || queueBytes < 1) {
      throw new IllegalArgumentException(
          "Sizes are positive: segment " + segmentBytes + ", queue " + queueBytes);
    }
  }

  public static JournalOptions defaults() {
    return new JournalOptions(
        "",
        32L * 1024 * 1024,
        16L * 1024 * 1024,
        Duration.ofSeconds(60),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        "512MB");
  }

  public JournalOptions withToken(String value) {
    return new JournalOptions(
        value, segmentBytes, queueBytes, runIdle, retryPause, heartbeat, sealMemoryLimit);
  }

  public JournalOptions withSegmentBytes(long value) {
    return new JournalOptions(
        token, value, queueBytes, runIdle, retryPause, heartbeat, sealMemoryLimit);
  }

  public JournalOptions withQueueBytes(long value) {
    return new JournalOptions(
        token, segmentBytes, value, runIdle, retryPause, heartbeat, sealMemoryLimit);
  }

  public JournalOptions withRunIdle(Duration value) {
    return new JournalOptions(
        token, segmentBytes, queueBytes, value, retryPause, heartbeat, sealMemoryLimit);
  }

  public JournalOptions withHeartbeat(Duration value) {
    return new JournalOptions(
        token, segmentBytes, queueBytes, runIdle, retryPause, value, sealMemoryLimit);
  }
}

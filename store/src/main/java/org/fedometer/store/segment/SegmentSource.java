package org.fedometer.store.segment;

import java.nio.ByteBuffer;
import java.util.Map;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Hello;

/**
 * A source as a segment introduces it, before the first of its frames.
 *
 * @param index stands for the source in the segment's further records
 * @param hello who the source is; the token is never stored
 * @param lastSequence its newest frame in the segments before this one, 0 if none
 * @param framesMissing frames that it had sent elsewhere, so that the run lacks them
 */
public record SegmentSource(
    int index, Hello hello, long lastSequence, long framesMissing, long firstSeenEpochMillis) {

  public SegmentSource {
    hello =
        Hello.builder(hello.source(), hello.sourceKind())
            .protocolVersions(hello.minProtocolVersion(), hello.maxProtocolVersion())
            .firstAvailableSequence(hello.firstAvailableSequence())
            .sourceName(hello.sourceName())
            .runId(hello.runId())
            .runName(hello.runName())
            .attributes(Map.copyOf(hello.attributes()))
            .nanos(hello.nanos())
            .build();
  }

  /**
   * To be added to the source's nanoTime to get nanoseconds since 1970, by the clock of the
   * collector and but for the time that its first frame was on its way; 0 where the source counts
   * from there itself.
   */
  public long epochOffsetNanos() {
    if (Hello.EPOCH.equals(hello.attributes().get(Hello.CLOCK))) {
      return 0;
    }
    return firstSeenEpochMillis * 1_000_000 - hello.nanos();
  }

  byte[] encode() {
    byte[] encodedHello = hello.encode();
    return ByteBuffer.allocate(24 + encodedHello.length)
        .putLong(lastSequence)
        .putLong(framesMissing)
        .putLong(firstSeenEpochMillis)
        .put(encodedHello)
        .array();
  }

  static SegmentSource decode(int index, ByteBuffer body) throws MalformedFrameException {
    if (body.remaining() < 24) {
      throw new MalformedFrameException("A source's record is too short");
    }
    long lastSequence = body.getLong();
    long framesMissing = body.getLong();
    long firstSeenEpochMillis = body.getLong();
    return new SegmentSource(
        index, Hello.decode(body), lastSequence, framesMissing, firstSeenEpochMillis);
  }
}

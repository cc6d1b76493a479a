package org.fedometer.store.segment;

import java.nio.ByteBuffer;
import java.util.Map;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Hello;

/**
 * A source's record in a segment, before the first of its frames.
 *
 * @param index number of the source in the segment's further records
 * @param hello identity of the source; the token is never stored
 * @param lastSequence its newest frame in earlier segments, 0 if none
 * @param framesMissing frames sent elsewhere, which the run lacks
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
   * Returns the offset from the source's nanoTime to nanoseconds since 1970, by the collector's
   * clock, ignoring the first frame's transfer time. 0 if the source itself counts from 1970.
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

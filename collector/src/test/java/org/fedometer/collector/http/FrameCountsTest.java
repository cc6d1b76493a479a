package org.fedometer.collector.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.UUID;
import org.fedometer.collector.Samples;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.Hello;
import org.junit.jupiter.api.Test;

class FrameCountsTest {
  private final FrameCounts counts = new FrameCounts();

  @Test
  void aFrameThatPromisesMoreSamplesThanItHoldsCountsNone() {
    durable(1, Samples.traces(0, 300));
    durable(2, new byte[] {-1, -1, -1, -1, 7});
    durable(3, new byte[0]);

    assertThat(counts.frames()).isEqualTo(3);
    assertThat(counts.samples()).isEqualTo(300);
  }

  private void durable(long sequence, byte[] samples) {
    Hello hello = Hello.builder(new UUID(1, 1), "agent").runName("live").build();
    counts.durable(
        new RunFolder(Path.of("live")),
        new SegmentSource(0, hello, 0, 0, 0),
        "0a1b2c3d-000001.segment",
        new Frame(FrameType.SAMPLES.code(), sequence, samples));
  }
}

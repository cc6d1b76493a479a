package org.fedometer.collector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.fedometer.collector.Samples;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Totals;
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

  @Test
  void totalsThatCannotBeAreNotLessThanNothing() {
    Totals totals =
        new Totals(
            List.of(
                new Totals.StageTotal(0, -1, Long.MIN_VALUE, -5),
                new Totals.StageTotal(1, Long.MAX_VALUE, 1, 7),
                new Totals.StageTotal(2, Long.MAX_VALUE, 1, 7)),
            0,
            0,
            0,
            0,
            0,
            true);
    durable(
        FrameType.STAGES, 1, new Dictionary().put(0, "a").put(1, "twice").put(2, "twice").encode());
    durable(FrameType.TOTALS, 2, totals.encode());

    List<FrameCounts.StageTotal> told = new ArrayList<>();
    counts.forEachStage(told::add);

    assertThat(told)
        .extracting(
            FrameCounts.StageTotal::stage,
            FrameCounts.StageTotal::count,
            FrameCounts.StageTotal::failed,
            FrameCounts.StageTotal::sumTotalNanos)
        .containsExactly(tuple("a", 0L, 0L, 0L), tuple("twice", Long.MAX_VALUE, 2L, 14L));
  }

  private void durable(long sequence, byte[] samples) {
    durable(FrameType.SAMPLES, sequence, samples);
  }

  private void durable(FrameType type, long sequence, byte[] payload) {
    Hello hello = Hello.builder(new UUID(1, 1), "agent").runName("live").build();
    counts.durable(
        new RunFolder(Path.of("live")),
        new SegmentSource(0, hello, 0, 0, 0),
        "0a1b2c3d-000001.segment",
        new Frame(type.code(), sequence, payload));
  }
}

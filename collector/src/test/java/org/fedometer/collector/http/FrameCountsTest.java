package org.fedometer.collector.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.fedometer.collector.Samples;
import org.fedometer.collector.metrics.Metrics;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.Test;

class FrameCountsTest {
  private static final UUID SOURCE = new UUID(1, 1);

  private final FrameCounts counts = new FrameCounts();

  @Test
  void aFrameThatPromisesMoreSamplesThanItHoldsCountsNone() throws IOException {
    durable(1, Samples.traces(0, 300));
    durable(2, new byte[] {-1, -1, -1, -1, 7});
    durable(3, new byte[0]);

    assertThat(metricsText())
        .containsEntry("fedometer_frames_durable_total", 3.0)
        .containsEntry("fedometer_samples_durable_total", 300.0);
  }

  @Test
  void clampsNegativeTotals() throws IOException {
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

    String ofA = "{run=\"live\",source=\"" + SOURCE + "\",stage=\"a\"}";
    String ofTwice = "{run=\"live\",source=\"" + SOURCE + "\",stage=\"twice\"}";
    assertThat(metricsText())
        .containsEntry("fedometer_stage_executions_total" + ofA, 0.0)
        .containsEntry("fedometer_stage_failures_total" + ofA, 0.0)
        .containsEntry("fedometer_stage_seconds_total" + ofA, 0.0)
        .containsEntry("fedometer_stage_executions_total" + ofTwice, (double) Long.MAX_VALUE)
        .containsEntry("fedometer_stage_failures_total" + ofTwice, 2.0)
        .containsEntry("fedometer_stage_seconds_total" + ofTwice, 14e-9)
        .hasSize(5 + 6);
  }

  private Map<String, Double> metricsText() throws IOException {
    Metrics metrics = new Metrics();
    counts.addTo(metrics);
    return PrometheusText.read(new String(metrics.text(), StandardCharsets.UTF_8));
  }

  private void durable(long sequence, byte[] samples) {
    durable(FrameType.SAMPLES, sequence, samples);
  }

  private void durable(FrameType type, long sequence, byte[] payload) {
    Hello hello = Hello.builder(SOURCE, "agent").runName("live").build();
    counts.durable(
        new RunFolder(Path.of("live")),
        new SegmentSource(0, hello, 0, 0, 0),
        "0a1b2c3d-000001.segment",
        new Frame(type.code(), sequence, payload));
  }
}

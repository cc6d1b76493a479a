package org.fedometer.agent.core.log4j2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.layout.template.json.JsonTemplateLayout;
import org.fedometer.wire.Dictionary;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.SampleEncoder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class FrameEventsTest {
  private final List<String> lines = new ArrayList<>();

  @BeforeAll
  static void isolate() {
    Log4j2Isolation.ensure();
  }

  @Test
  void aSample() throws Exception {
    JsonTemplateLayout layout = Log4j2Protocol.layout();
    FrameEvents events =
        new FrameEvents(
            "src", new SourceNames(), EpochClock.at(5), e -> lines.add(layout.toSerializable(e)));
    events.frame(new Frame(FrameType.STAGES.code(), 1, new Dictionary().put(1, "ingest").encode()));
    events.frame(
        new Frame(
            FrameType.THREADS.code(),
            2,
            new Dictionary().put(2, "a \"b\" \u0001 \ud800 \u00e9").encode()));
    SampleEncoder s = new SampleEncoder();
    s.add(1, 2, 7, 100, 50, 50, true);
    events.frame(new Frame(FrameType.SAMPLES.code(), 3, s.finish()));
    System.out.println(lines);
    for (Class<?> c : new Class<?>[0]) {}
    assertThat(lines).hasSize(1);
    Thread.getAllStackTraces().keySet().forEach(t -> System.out.println(t.getName()));
  }
}

package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source's names that are copied to further segments. */
class SourceTest {
  private static final String LONG = "x".repeat(1_000);
  private static final int TOO_MANY = 2 * Source.MAX_CARRIED_CHARS / LONG.length();

  @TempDir Path directory;
  private RunSegmentLog run;
  private Source source;

  @BeforeEach
  void connect() throws Exception {
    run =
        RunSegmentLog.open(
            new RunFolder(directory.resolve("run")), "0a1b2c3d", "", DurableFrames.NONE);
    source = run.source(Hello.builder(new UUID(1, 1), "agent").build(), 0);
  }

  @AfterEach
  void close() throws Exception {
    run.close();
  }

  @Test
  void carriesLongNamesUpToTheCharacterLimit() throws Exception {
    Dictionary names = new Dictionary();
    for (int id = 0; id < TOO_MANY; id++) {
      names.put(id, LONG);
      if (names.entries().size() == 1_000) {
        learn(FrameType.THREADS, names);
        names = new Dictionary();
      }
    }

    assertThat(carried()).hasSize(Source.MAX_CARRIED_CHARS / LONG.length());
  }

  @Test
  void renamedThreadUsesNoExtraSpace() throws Exception {
    for (int i = 0; i < TOO_MANY; i++) {
      learn(FrameType.THREADS, new Dictionary().put(1, LONG + i % 10));
    }
    learn(FrameType.STAGES, new Dictionary().put(0, "ingest"));

    assertThat(carried()).containsExactlyInAnyOrder("ingest", LONG + (TOO_MANY - 1) % 10);
  }

  @Test
  void veryManyShortNamesAreCarriedUpToTheirNumber() throws Exception {
    for (int first = 0; first < 2 * Source.MAX_CARRIED_NAMES; first += 100_000) {
      Dictionary names = new Dictionary();
      for (int id = first; id < first + 100_000; id++) {
        names.put(id, "");
      }
      learn(FrameType.THREADS, names);
    }

    assertThat(carried()).hasSize(Source.MAX_CARRIED_NAMES);
  }

  private void learn(FrameType type, Dictionary names) {
    source.learn(new Frame(type.code(), 1, names.encode()));
  }

  private List<String> carried() throws MalformedFrameException {
    List<String> names = new ArrayList<>();
    for (SegmentWriter.Carried carried : source.carried()) {
      names.addAll(
          Dictionary.decode(ByteBuffer.wrap(carried.frame().payload())).entries().values());
    }
    return names;
  }
}

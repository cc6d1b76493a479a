package org.fedometer.store.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;

class SegmentTest {
  private static final SegmentSource SOURCE =
      new SegmentSource(
          0,
          Hello.builder(new UUID(1, 2), "agent")
              .sourceName("fedora")
              .runId("ID")
              .runName("night")
              .token("secret")
              .attributes(Map.of("b", "c"))
              .nanos(1_234_567_890_123L)
              .build(),
          7,
          3,
          1_000);

  private Path directory;
  private Path file;

  @BeforeTry
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("segment");
    file = directory.resolve("000001.segment");
  }

  @AfterTry
  void removeDirectory() throws IOException {
    try (var entries = Files.list(directory)) {
      for (Path entry : entries.toList()) {
        Files.delete(entry);
      }
    }
    Files.delete(directory);
  }

  @Property(tries = 40, edgeCases = EdgeCasesMode.NONE)
  void whatIsCommittedIsReadBack(@ForAll List<byte[]> payloads) throws Exception {
    try (SegmentWriter writer = create()) {
      long sequence = 8;
      for (byte[] payload : payloads) {
        writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), sequence++, payload));
        if (sequence % 3 == 0) {
          writer.commit();
        }
      }
      byte[] document = new Document("a/b", new byte[] {1, 2, 3}, true).encode();
      writer.appendDocument(0, new Frame(FrameType.DOCUMENT.code(), sequence, document), 77);
      writer.commit();
      assertThat(writer.sizeBytes()).isEqualTo(Files.size(file));
    }

    List<String> seen = new ArrayList<>();
    SegmentReader.Extent extent = SegmentReader.read(file, new Log(seen));

    List<String> expected = new ArrayList<>(List.of("run ID night", "source", "frame 0 1"));
    for (int i = 0; i < payloads.size(); i++) {
      expected.add("frame " + (8 + i) + " " + payloads.get(i).length);
    }
    expected.add("document " + (8 + payloads.size()) + " at 77");
    assertThat(seen).isEqualTo(expected);
    assertThat(extent.tornBytes()).isZero();
    assertThat(extent.validBytes()).isEqualTo(Files.size(file));
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void aSegmentCutOrDamagedAnywhereYieldsItsBeginningAndGoesOn(
      @ForAll Random random, @ForAll boolean cut) throws Exception {
    long header;
    try (SegmentWriter writer = create()) {
      header = writer.sizeBytes();
      for (int i = 0; i < 20; i++) {
        writer.appendFrame(
            0, new Frame(FrameType.SAMPLES.code(), 8 + i, new byte[random.nextInt(300)]));
      }
      writer.commit();
    }
    List<String> whole = new ArrayList<>();
    SegmentReader.read(file, new Log(whole));
    byte[] bytes = Files.readAllBytes(file);
    int at = (int) header + random.nextInt(bytes.length - (int) header);
    if (cut) {
      bytes = Arrays.copyOf(bytes, at);
    } else {
      bytes[at] ^= (byte) (1 << random.nextInt(8));
    }
    Files.write(file, bytes);

    List<String> left = new ArrayList<>();
    SegmentReader.Extent extent = SegmentReader.read(file, new Log(left));

    assertThat(whole.subList(0, left.size())).isEqualTo(left);
    assertThat(left).hasSizeLessThan(whole.size());
    assertThat(extent.validBytes()).isLessThanOrEqualTo(at);
    assertThat(extent.validBytes() + extent.tornBytes()).isEqualTo(bytes.length);

    try (SegmentWriter writer = SegmentWriter.reopen(file, extent.validBytes())) {
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 99, new byte[5]));
      writer.commit();
    }
    List<String> after = new ArrayList<>();
    assertThat(SegmentReader.read(file, new Log(after)).tornBytes()).isZero();
    left.add("frame 99 5");
    assertThat(after).isEqualTo(left);
  }

  @Example
  void readsNothingBeyondDamage() throws Exception {
    long damagedAt;
    try (SegmentWriter writer = create()) {
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 8, new byte[100]));
      damagedAt = writer.sizeBytes() + 50;
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 9, new byte[100]));
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 10, new byte[100]));
      writer.commit();
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) damagedAt] ^= 1;
    Files.write(file, bytes);

    List<String> seen = new ArrayList<>();
    try (SegmentCursor cursor = SegmentCursor.open(file)) {
      Log log = new Log(seen);
      while (cursor.next(log)) {
        // Each call shows one record.
      }
      assertThat(cursor.next(log)).isFalse();
      assertThat(cursor.next(log)).isFalse();
    }

    assertThat(seen).endsWith("frame 8 100");
  }

  @Example
  void salvageStopsWhenTheFileShrinks() throws Exception {
    try (SegmentWriter writer = create()) {
      writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), 8, new byte[100]));
      writer.commit();
    }
    byte[] whole = Files.readAllBytes(file);
    SegmentSalvage salvage = SegmentSalvage.of(file, whole.length);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));

    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          assertThatThrownBy(() -> salvage.writeTo(directory.resolve("saved")))
              .isInstanceOf(EOFException.class)
              .hasMessageContaining("shorter");
        });
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void anyOtherFileIsNoSegment(@ForAll byte[] bytes) throws Exception {
    Files.write(file, bytes);

    assertThatThrownBy(() -> SegmentReader.read(file, new Log(new ArrayList<>())))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("not a segment");
  }

  @Example
  void theTokenIsNotStored() throws Exception {
    create().close();

    List<SegmentSource> sources = new ArrayList<>();
    SegmentReader.read(
        file,
        new Log(new ArrayList<>()) {
          @Override
          public void source(SegmentSource source) {
            sources.add(source);
          }
        });

    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
        .contains("fedora")
        .doesNotContain("secret");
    SegmentSource source = sources.get(0);
    assertThat(source.lastSequence()).isEqualTo(7);
    assertThat(source.framesMissing()).isEqualTo(3);
    assertThat(source.firstSeenEpochMillis()).isEqualTo(1_000);
    assertThat(source.hello().source()).isEqualTo(new UUID(1, 2));
    assertThat(source.hello().attributes()).containsEntry("b", "c");
    assertThat(source.hello().nanos()).isEqualTo(1_234_567_890_123L);
  }

  private SegmentWriter create() throws IOException {
    return SegmentWriter.create(
        file,
        "ID",
        "night",
        List.of(SOURCE),
        List.of(new SegmentWriter.Carried(0, new Frame(FrameType.STAGES.code(), 0, new byte[1]))));
  }

  private static class Log implements SegmentVisitor {
    private final List<String> lines;

    Log(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public void run(String runId, String runName) {
      lines.add("run " + runId + " " + runName);
    }

    @Override
    public void source(SegmentSource source) {
      lines.add("source");
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      lines.add("frame " + frame.sequence() + " " + frame.payload().length);
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {
      lines.add("document " + frame.sequence() + " at " + offset);
    }
  }
}

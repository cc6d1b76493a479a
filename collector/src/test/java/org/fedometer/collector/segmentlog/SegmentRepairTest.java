package org.fedometer.collector.segmentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.fedometer.store.Ulid;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SegmentRepairTest {
  private static final UUID SOURCE = new UUID(1, 1);
  private static final int FRAMES = 8;

  @TempDir Path directory;

  /**
   * Two megabytes of apparent record starts, which would take many minutes if each were checked.
   */
  @Test
  void contentThatLooksLikeLargeRecordsEverywhereIsSavedFromBehindDamage() throws Exception {
    Path file = directory.resolve("0a1b2c3d-000001.segment");
    Hello hello = Hello.builder(SOURCE, "agent").runName("run").build();
    List<Long> damagedPlaces = new ArrayList<>();
    try (SegmentWriter writer =
        SegmentWriter.create(
            file, Ulid.next(), "run", List.of(new SegmentSource(0, hello, 0, 0, 1)), List.of())) {
      byte[] content = likeRecords(2_000_000);
      for (int sequence = 1; sequence <= 2 * FRAMES; sequence++) {
        if (sequence % 2 == 0) {
          damagedPlaces.add(writer.sizeBytes() + 1_000);
        }
        writer.appendFrame(0, new Frame(FrameType.SAMPLES.code(), sequence, content));
      }
      writer.commit();
    }
    try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
      for (long place : damagedPlaces) {
        damaged.seek(place);
        damaged.write(0xFF);
      }
    }
    byte[] asFound = Files.readAllBytes(file);

    SegmentRepair.Segment repaired = SegmentRepair.repair(file, true);

    assertThat(repaired.damaged()).isTrue();
    assertThat(SegmentRepair.framesIn(file)).containsExactly(Map.entry(SOURCE, (long) FRAMES));
    assertThat(file.resolveSibling(file.getFileName() + ".damaged"))
        .as("what it was is kept")
        .hasBinaryContent(asFound);
  }

  private static byte[] likeRecords(int bytes) {
    ByteBuffer content = ByteBuffer.allocate(bytes);
    while (content.remaining() >= 10) {
      content.putInt(2_000_000).put((byte) 3).putInt(0).put(FrameType.SAMPLES.code());
    }
    return content.array();
  }
}

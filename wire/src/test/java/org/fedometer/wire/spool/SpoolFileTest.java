package org.fedometer.wire.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Hello;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of a file of a spool, as {@code docs/developers/protocol.md} has them. */
class SpoolFileTest {
  private static final Hello HELLO =
      Hello.builder(UUID.randomUUID(), Hello.AGENT).sourceName("fedora").nanos(17).build();

  @TempDir Path folder;

  @Test
  void aFileIsReadAsItWasWritten() throws Exception {
    Path file = folder.resolve("a.names");
    Files.writeString(file, "what was there before");
    long before = System.currentTimeMillis();
    SpoolFile.write(file, HELLO, List.of(frame(3), frame(8)));

    try (DataInputStream in = SpoolFile.open(file)) {
      SpoolFile.Head head = SpoolFile.readHead(in);
      assertThat(head.epochMillis).isBetween(before, System.currentTimeMillis());
      assertThat(head.hello.encode()).isEqualTo(HELLO.encode());
      assertThat(SpoolFile.readFrame(in).toBytes()).isEqualTo(frame(3).toBytes());
      assertThat(SpoolFile.readFrame(in).toBytes()).isEqualTo(frame(8).toBytes());
      assertThatThrownBy(() -> SpoolFile.readFrame(in)).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void aHeadIsItsVersionATimeAndAHello() {
    byte[] head = SpoolFile.head(HELLO);

    assertThat(head)
        .startsWith(0x46, 0x44, 0x4D, 0x53, 0x50, 0x4C, 0x00, 0x01)
        .endsWith(Frame.session(FrameType.HELLO, HELLO.encode()).toBytes())
        .hasSize(SpoolFile.headBytes(HELLO));
  }

  @Test
  void rejectsAFileWithAWrongHeader() throws Exception {
    byte[] newer = SpoolFile.head(HELLO);
    newer[7] = 2;
    byte[] samples =
        ByteBuffer.allocate(16 + frame(1).sizeBytes())
            .put(SpoolFile.head(HELLO), 0, 16)
            .put(frame(1).toBytes())
            .array();

    assertRefused(newer, "not a spool file of this version");
    assertRefused(samples, "does not begin with a HELLO");
  }

  private void assertRefused(byte[] content, String why) throws IOException {
    Path file = Files.write(folder.resolve("refused.spool"), content);
    try (DataInputStream in = SpoolFile.open(file)) {
      assertThatThrownBy(() -> SpoolFile.readHead(in))
          .isInstanceOf(MalformedFrameException.class)
          .hasMessageContaining(why);
    }
  }

  private static Frame frame(long sequence) {
    return new Frame(FrameType.SAMPLES.code(), sequence, new byte[] {1, 2, 3});
  }
}

package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class FrameTest {
  @Property(tries = 200)
  void framesComeBackHoweverTheirBytesArrive(@ForAll List<byte[]> payloads, @ForAll Random random)
      throws Exception {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int i = 0; i < payloads.size(); i++) {
      Frame frame = new Frame(FrameType.SAMPLES.code(), i + 1, payloads.get(i));
      frame.writeTo(stream);
      assertThat(frame.toBytes()).hasSize(frame.sizeBytes());
    }
    FrameInput in = new FrameInput(new Dribble(stream.toByteArray(), random), Frame.MAX_BYTES);

    List<byte[]> received = new ArrayList<>();
    while (received.size() < payloads.size()) {
      try {
        Frame frame = in.read();
        assertThat(frame.sequence()).isEqualTo(received.size() + 1);
        assertThat(frame.type()).isEqualTo(FrameType.SAMPLES);
        received.add(frame.payload());
      } catch (SocketTimeoutException e) {
        // Nothing is lost by it.
      }
    }

    assertThat(received).containsExactlyElementsOf(payloads);
    while (true) {
      try {
        in.read();
      } catch (SocketTimeoutException e) {
        continue;
      } catch (EOFException e) {
        break;
      }
    }
  }

  @Property(tries = 300)
  void anyFlippedBitIsNoticed(@ForAll byte[] payload, @ForAll Random random) {
    byte[] bytes = new Frame(FrameType.REQUESTS.code(), 77, payload).toBytes();
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));

    assertThatThrownBy(() -> Frame.parse(ByteBuffer.wrap(bytes)))
        .isInstanceOf(MalformedFrameException.class);
  }

  @Property(tries = 300)
  void arbitraryBytesAreNoFrameAndReserveNoMemory(@ForAll byte[] bytes) {
    FrameInput in = new FrameInput(new ByteArrayInputStream(bytes), Frame.MAX_BYTES);

    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
  }

  @Example
  void reportsAStreamThatEndsInsideAFrame() {
    byte[] bytes = new Frame(FrameType.SAMPLES.code(), 1, new byte[100]).toBytes();
    for (int length = 1; length < bytes.length; length++) {
      FrameInput in = new FrameInput(new ByteArrayInputStream(bytes, 0, length), Frame.MAX_BYTES);
      assertThatThrownBy(in::read)
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("inside a frame");
    }
  }

  @Example
  void anHttpRequestIsNoFrame() {
    byte[] request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes();
    FrameInput in = new FrameInput(new ByteArrayInputStream(request), Frame.MAX_BYTES);

    assertThatThrownBy(in::read)
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("length");
  }

  @Example
  void unknownTypesAreFramesToo() throws Exception {
    Frame frame = Frame.parse(ByteBuffer.wrap(new Frame((byte) 99, 5, new byte[3]).toBytes()));

    assertThat(frame.type()).isNull();
    assertThat(frame.typeCode()).isEqualTo((byte) 99);
    assertThat(FrameType.ofCode((byte) -1)).isNull();
    for (FrameType type : FrameType.values()) {
      assertThat(FrameType.ofCode(type.code())).isSameAs(type);
    }
  }

  @Example
  void payloadsBeyondTheLimitAreRefused() {
    assertThatThrownBy(
            () -> new Frame(FrameType.SAMPLES.code(), 1, new byte[Frame.MAX_PAYLOAD_BYTES + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(Frame.MAX_PAYLOAD_BYTES));
  }

  /** Yields a few bytes a read, and times out now and then. */
  private static final class Dribble extends InputStream {
    private final ByteArrayInputStream bytes;
    private final Random random;

    Dribble(byte[] bytes, Random random) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("FrameInput reads in blocks");
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (random.nextInt(5) == 0) {
        throw new SocketTimeoutException("not yet");
      }
      return bytes.read(target, offset, Math.min(length, 1 + random.nextInt(20)));
    }
  }
}

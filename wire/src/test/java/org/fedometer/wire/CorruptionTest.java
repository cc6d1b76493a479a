package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.session.CloseRun;

/**
 * Whatever happens to bytes on their way, reading them gives an error or the right data: no crash,
 * no hang, and no more memory than the bytes are worth.
 */
class CorruptionTest {
  /** A generous allowance for an empty encoder and an exception. */
  private static final long CONSTANT_BYTES = 512 * 1024;

  /** A map entry needs about 100 bytes, and at least two on the wire. */
  private static final long MEMORY_PER_BYTE = 128;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void everyPayloadComesBack(@ForAll FrameType type, @ForAll Random random) throws Exception {
    byte[] payload = new RandomPayloads(random).of(type);

    assertThat(Reencoding.of(type, payload)).isEqualTo(payload);
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void rejectsOrReadsACorruptedPayloadWithBoundedMemory(
      @ForAll FrameType type, @ForAll Random random) {
    byte[] payload = new RandomPayloads(random).of(type);

    readCorrupted(type, corrupted(payload, random));
  }

  @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
  void rejectsOrReadsAPayloadOfAnotherTypeWithBoundedMemory(
      @ForAll FrameType type, @ForAll FrameType other, @ForAll Random random) {
    readCorrupted(type, new RandomPayloads(random).of(other));
  }

  @Example
  void declaredCountsAndLengthsReserveNothing() {
    byte[][] huge = {
      {-1, -1, -1, -1, 7}, // 2^31 - 1
      {-1, -1, -1, -1, 15}, // 2^32 - 1
      {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, // 2^64 - 1
      {-1, -1, 127}, // 2^21 - 1
    };
    Random random = new Random(11);
    for (FrameType type : FrameType.values()) {
      byte[] payload = new RandomPayloads(random).of(type);
      for (byte[] number : huge) {
        for (int at = 0; at <= payload.length; at++) {
          byte[] forged = Arrays.copyOf(payload, at + number.length + 20);
          System.arraycopy(number, 0, forged, at, number.length);
          readCorrupted(type, forged);
        }
      }
    }
  }

  @Example
  void payloadOfShortestEntriesUsesProportionalMemory() {
    for (FrameType type : FrameType.values()) {
      for (int filler = 0; filler < 4; filler++) {
        byte[] payload = new byte[Frame.MAX_PAYLOAD_BYTES];
        Arrays.fill(payload, (byte) filler);
        // A count of half a million, where the payload begins with one.
        payload[0] = (byte) 0xA0;
        payload[1] = (byte) 0xC2;
        payload[2] = 0x1E;
        assertThat(memoryOf(() -> decode(type, payload)))
            .as(type + " of " + filler)
            .isLessThan(CONSTANT_BYTES + MEMORY_PER_BYTE * payload.length);
      }
    }
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void corruptedStreamYieldsOnlySentFramesAndEnds(@ForAll Random random) throws Exception {
    List<byte[]> frames = frames(random);
    Set<ByteBuffer> sent = new HashSet<>();
    frames.forEach(frame -> sent.add(ByteBuffer.wrap(frame)));
    byte[] stream = corrupted(joined(frames), random);

    List<ByteBuffer> read = new ArrayList<>();
    long memory =
        memoryOf(
            () -> {
              FrameInput in = new FrameInput(new ByteArrayInputStream(stream), Frame.MAX_BYTES);
              while (true) {
                read.add(ByteBuffer.wrap(in.read().toBytes()));
              }
            });

    assertThat(sent).containsAll(read);
    assertThat(memory).isLessThan(CONSTANT_BYTES + MEMORY_PER_BYTE * stream.length);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void completeFramesInAnyOrderAreReadBack(@ForAll Random random) throws Exception {
    List<byte[]> frames = frames(random);
    List<byte[]> mixed = new ArrayList<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      mixed.add(frames.get(random.nextInt(frames.size())));
    }
    FrameInput in = new FrameInput(new ByteArrayInputStream(joined(mixed)), Frame.MAX_BYTES);

    for (byte[] frame : mixed) {
      Frame read = in.read();
      assertThat(read.toBytes()).isEqualTo(frame);
      assertThat(Reencoding.of(read.type(), read.payload())).isEqualTo(read.payload());
    }
    assertThatThrownBy(in::read).isInstanceOf(EOFException.class);
  }

  @Example
  void aLengthAloneReservesNoMemory() {
    byte[] head = ByteBuffer.allocate(8).putInt(Frame.MAX_BYTES - 4).array();

    assertThat(
            memoryOf(() -> new FrameInput(new ByteArrayInputStream(head), Frame.MAX_BYTES).read()))
        .isLessThan(CONSTANT_BYTES);
  }

  @Example
  void rejectsTextThatIsNotUtf8() {
    for (byte[] text :
        new byte[][] {{-1}, {(byte) 0xC3}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}}) {
      PayloadWriter payload = new PayloadWriter();
      payload.varint(text.length);
      payload.raw(text);

      assertThatThrownBy(() -> CloseRun.decode(ByteBuffer.wrap(payload.toByteArray())))
          .isInstanceOf(MalformedFrameException.class)
          .hasMessageContaining("UTF-8");
    }
  }

  @Example
  void rejectsMeaninglessValues() {
    assertRefused(FrameType.LOGS, "level", 1, 0, 0, 0, 0, 0, 0, 0, 0);
    assertRefused(FrameType.LOGS, "level", 1, 0, 7, 0, 0, 0, 0, 0, 0);
    assertRefused(FrameType.LOGS, "too early", 1, 0, 3, 0, 0, 0, 0, 0, 1);
    assertRefused(FrameType.LOGS, "too many", 0, 0);
    assertRefused(FrameType.LOGS, "cannot hold", 2, 0, 3, 0, 0, 0, 0, 0, 0);
    assertRefused(FrameType.QUERY_RESULT, "state", 0, 0, 0, 1, 3, 0);
    assertRefused(FrameType.AGENT_REPORT, "state", 0, 4, 0, 0, 0);
    assertRefused(FrameType.AGENT_REPORT, "state", 0, 0, 0, 0, 1, 1, 65, 4, 0);
    assertRefused(FrameType.SAMPLES, "flags", 1, 1, 16, 0, 0);
    assertRefused(
        FrameType.CLOCK, "uncertainty", 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0);
    assertRefused(FrameType.MARKER, "too many", 0, 0, 0);
    int[] request = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    assertRefused(FrameType.REQUESTS, "no name", joined(new int[] {0, 0}, request));
    assertRefused(FrameType.REQUESTS, "number 1", joined(new int[] {2, 1, 97}, request));
    assertRefused(FrameType.REQUESTS, "too early", 0, 1, 97, 0, 0, 0, 0, 1, 0, 0, 0);
    assertRefused(FrameType.TELEMETRY, "cannot hold", 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  private static void assertRefused(FrameType type, String word, int... payload) {
    byte[] bytes = new byte[payload.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) payload[i];
    }
    assertThatThrownBy(() -> Reencoding.of(type, bytes))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContainingAll(word);
  }

  private static List<byte[]> frames(Random random) {
    List<byte[]> frames = new ArrayList<>();
    FrameType[] types = FrameType.values();
    for (int i = 0; i <= random.nextInt(10); i++) {
      FrameType type = types[random.nextInt(types.length)];
      frames.add(new Frame(type.code(), i, new RandomPayloads(random).of(type)).toBytes());
    }
    return frames;
  }

  private static int[] joined(int[] first, int[] second) {
    return IntStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Truncates, flips, inserts, doubles, removes or exchanges bytes; often several of these. */
  private static byte[] corrupted(byte[] bytes, Random random) {
    byte[] result = bytes.clone();
    for (int i = random.nextInt(3); i >= 0 && result.length > 1; i--) {
      int from = random.nextInt(result.length);
      int to = Math.min(result.length, from + 1 + random.nextInt(20));
      byte[] before = Arrays.copyOf(result, from);
      byte[] piece = Arrays.copyOfRange(result, from, to);
      byte[] after = Arrays.copyOfRange(result, to, result.length);
      switch (random.nextInt(6)) {
        case 0 -> result = before;
        case 1 -> result[from] ^= (byte) (1 << random.nextInt(8));
        case 2 -> {
          byte[] strange = new byte[1 + random.nextInt(20)];
          random.nextBytes(strange);
          result = joined(List.of(before, strange, piece, after));
        }
        case 3 -> result = joined(List.of(before, piece, piece, after));
        case 4 -> result = joined(List.of(before, after));
        default -> result = joined(List.of(piece, before, after));
      }
    }
    return result;
  }

  /** A readable payload must also be writable again. */
  private static void readCorrupted(FrameType type, byte[] payload) {
    assertThat(memoryOf(() -> Reencoding.of(type, payload)))
        .as(() -> type + " " + Arrays.toString(payload))
        .isLessThan(CONSTANT_BYTES + MEMORY_PER_BYTE * payload.length);
  }

  private static void decode(FrameType type, byte[] payload) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(payload);
    switch (type) {
      case SAMPLES -> SampleDecoder.decode(bytes, (a, b, c, d, e, f, g) -> {});
      case TRACES -> TraceDecoder.decode(bytes, (a, b, c, d, e, f) -> {});
      case REQUESTS -> RequestDecoder.decode(bytes, row -> {});
      case LOGS -> LogDecoder.decode(bytes, row -> {});
      case TELEMETRY -> TelemetryDecoder.decode(bytes, (a, b, c) -> {});
      case GC -> GcDecoder.decode(bytes, row -> {});
      default -> Reencoding.of(type, payload);
    }
  }

  /** Bytes that the action allocates, which may end in a refusal but in nothing worse. */
  private static long memoryOf(Action action) {
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    try {
      action.run();
    } catch (MalformedFrameException | EOFException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    } catch (IOException worse) {
      throw new AssertionError(worse);
    }
    return THREADS.getThreadAllocatedBytes(thread) - before;
  }

  private interface Action {
    void run() throws IOException;
  }
}

package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.fedometer.store.RunDeletion;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.QueryRequest;

/**
 * Whatever bytes come in, a collector of 128 MB of heap goes on: one source sends all the time, and
 * each of its frames is acknowledged.
 */
@net.jqwik.api.Tag("slow")
class SocketFuzzTest {
  private static final int TRIES = 250;
  private static final int TIMEOUT_MILLIS = 20_000;

  private static Path store;
  private static CollectorProcess collector;
  private static InetSocketAddress address;
  private static RawSource faithful;
  private static long lastSequence;

  @BeforeContainer
  static void start() throws Exception {
    store = Files.createTempDirectory("fuzz");
    int port = CollectorCrashTest.freePort();
    address = new InetSocketAddress("127.0.0.1", port);
    collector = CollectorProcess.start(store, port, 1 << 20, Duration.ofMinutes(1));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(store.resolve("collector.json")));
    faithful = RawSource.connect(address, "faithful");
  }

  @AfterContainer
  static void theCollectorIsAsItWas() throws Exception {
    try (CollectorProcess process = collector;
        RawSource source = faithful) {
      assertThat(lastSequence).isEqualTo(2L * TRIES);
      source.frame(FrameType.CLOSE_RUN.code(), lastSequence + 1, new CloseRun("").encode());
      assertThat(source.awaitAcknowledgement(lastSequence + 1)).isTrue();
      assertThat(RunQueries.rows(store, "faithful", "SELECT count(DISTINCT trace) FROM samples"))
          .containsExactly(String.valueOf(lastSequence));
      assertThat(process.isAlive()).isTrue();
      assertThat(store.resolve("process.log"))
          .content()
          .doesNotContain("OutOfMemory", "unexpected failure", "segment log has failed");
    } finally {
      RunDeletion.delete(store);
    }
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void arbitraryBytesDoNotDisturbOthers(
      @ForAll @Size(max = 5_000) byte[] bytes, @ForAll boolean introduced) throws Exception {
    send(introduced ? joined(hello("agent", "fuzz"), bytes) : bytes);
    assertTheFaithfulOneGoesOn();
  }

  @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
  void corruptedConversationsDoNotDisturbOthers(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int changes, @ForAll boolean reader)
      throws Exception {
    Random random = new Random(seed);
    byte[] bytes = reader ? readersStream() : sourcesStream();
    for (int i = 0; i < changes; i++) {
      bytes = spoilt(bytes, random);
    }
    send(bytes);
    assertTheFaithfulOneGoesOn();
  }

  /** Flips, cuts out, doubles, puts in, cuts off. */
  private static byte[] spoilt(byte[] bytes, Random random) {
    if (bytes.length == 0) {
      return bytes;
    }
    int at = random.nextInt(bytes.length);
    int end = Math.min(bytes.length, at + 1 + random.nextInt(200));
    byte[] before = Arrays.copyOf(bytes, at);
    byte[] middle = Arrays.copyOfRange(bytes, at, end);
    byte[] after = Arrays.copyOfRange(bytes, end, bytes.length);
    switch (random.nextInt(5)) {
      case 0:
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        return bytes;
      case 1:
        return joined(before, after);
      case 2:
        return joined(before, middle, middle, after);
      case 3:
        byte[] noise = new byte[random.nextInt(100)];
        random.nextBytes(noise);
        return joined(before, noise, middle, after);
      default:
        return before;
    }
  }

  private static byte[] sourcesStream() {
    Document document = new Document("notes.txt", "text".getBytes(StandardCharsets.UTF_8), false);
    return joined(
        hello("agent", "fuzz"),
        frame(FrameType.STAGES, 1, Samples.stages()),
        frame(FrameType.THREADS, 2, Samples.threads()),
        frame(FrameType.SAMPLES, 3, Samples.traces(0, 50)),
        Frame.session(FrameType.CLOCK_REQUEST, new ClockRequest(1).encode()).toBytes(),
        frame(FrameType.DOCUMENT, 4, document.encode()),
        frame(FrameType.SAMPLES, 5, Samples.traces(50, 60)),
        frame(FrameType.CLOSE_RUN, 6, new CloseRun("").encode()));
  }

  private static byte[] readersStream() {
    return joined(
        hello(Hello.READER, ""),
        Frame.session(FrameType.QUERY, new QueryRequest(1, "{\"request\":\"runs\"}").encode())
            .toBytes(),
        Frame.session(
                FrameType.QUERY,
                new QueryRequest(
                        2, "{\"request\":\"file\",\"run\":\"fuzz\",\"path\":\"notes.txt\"}")
                    .encode())
            .toBytes());
  }

  private static byte[] hello(String kind, String run) {
    Hello hello = Hello.builder(UUID.randomUUID(), kind).runName(run).build();
    return Frame.session(FrameType.HELLO, hello.encode()).toBytes();
  }

  private static byte[] frame(FrameType type, long sequence, byte[] payload) {
    return new Frame(type.code(), sequence, payload).toBytes();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List.of(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Sends bytes and reads until the collector disconnects or falls silent. */
  private static void send(byte[] bytes) throws IOException {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        // Answers are of no interest.
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the collector keeps a connection whose peer has ended it", e);
    } catch (IOException e) {
      // The collector may hang up in the middle of it.
    }
  }

  private static void assertTheFaithfulOneGoesOn() throws IOException {
    lastSequence++;
    byte[] one = Samples.traces(lastSequence, lastSequence + 1);
    faithful.frame(FrameType.SAMPLES.code(), lastSequence, one);
    assertThat(faithful.awaitAcknowledgement(lastSequence)).isTrue();
  }
}

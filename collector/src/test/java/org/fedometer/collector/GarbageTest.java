package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.CloseRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whatever arrives on its port, the collector goes on serving those who speak its language. */
@Timeout(60)
class GarbageTest {
  @TempDir Path store;
  private CollectorServer server;

  /** Seed of all random choices. */
  private final long seed = new Random().nextLong();

  @RegisterExtension
  final AfterTestExecutionCallback printSeed =
      test ->
          test.getExecutionException()
              .ifPresent(failure -> System.err.println("GarbageTest failed with seed " + seed));

  @BeforeEach
  void start() throws Exception {
    server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store));
  }

  @AfterEach
  void stillServesThenStops() throws Exception {
    try (RawSource source = RawSource.connect(server.address(), "after")) {
      source.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 5));
      source.frame(FrameType.CLOSE_RUN.code(), 2, new CloseRun("").encode());
      assertThat(source.awaitAcknowledgement(2)).as("seed %d", seed).isTrue();
    }
    assertThat(RunQueries.rows(store, "after", "SELECT count(*) FROM samples"))
        .as("seed %d", seed)
        .containsExactly("5");
    server.close();
  }

  @Test
  void explainsThatThePortServesNoHttp() throws Exception {
    try (RawSource browser = RawSource.open(server.address())) {
      browser.bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(browser.awaitRefusal()).contains("HTTP");
    }
  }

  @Test
  void requiresAHelloBeforeLongFrames() throws Exception {
    try (RawSource stranger = RawSource.open(server.address())) {
      stranger.bytes(ByteBuffer.allocate(4).putInt(1_000_000).array());
      assertThat(stranger.awaitRefusal()).contains("length");
    }
  }

  @Test
  void theFirstFrameMustBeAnIntroduction() throws Exception {
    try (RawSource stranger = RawSource.open(server.address())) {
      stranger.frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 5));
      assertThat(stranger.awaitRefusal()).contains("not a HELLO");
    }
    try (RawSource stranger = RawSource.open(server.address())) {
      stranger.bytes(Frame.session(FrameType.HELLO, new byte[] {1, 2, 3, 4, 5, 6}).toBytes());
      assertThat(stranger.awaitRefusal()).contains("not a Fedometer HELLO");
    }
    try (RawSource twice = RawSource.connect(server.address(), "twice")) {
      twice.bytes(Frame.session(FrameType.HELLO, new byte[6]).toBytes());
      assertThat(twice.awaitRefusal()).contains("second HELLO");
    }
  }

  @RepeatedTest(5)
  void noiseIsRefusedOrDropped() throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      byte[] noise = new byte[random.nextInt(200_000)];
      random.nextBytes(noise);
      try (RawSource source =
          random.nextBoolean()
              ? RawSource.open(server.address())
              : RawSource.connect(server.address(), "noise")) {
        source.bytes(noise);
      } catch (IOException e) {
        // The collector may hang up in the middle of it.
      }
    }
  }

  @RepeatedTest(3)
  void textThatOnlyBeginsLikeLogEventsIsHarmless() throws Exception {
    List<String> pieces =
        List.of(
            "{",
            "}",
            "[",
            "\"",
            "\\",
            ",",
            ":",
            "\n",
            "\0",
            "<Event",
            "<Event>",
            "</Event>",
            "<!--",
            "<![CDATA[",
            "&x;",
            "<134>1 ",
            "99 <1>",
            "{\"message\":\"",
            "\"thrown\":{",
            "1e999",
            "{\"fedometer\":{",
            "{\"level\":",
            "{\"timestamp\":",
            "\u00e4",
            "x".repeat(2_000));
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      StringBuilder text = new StringBuilder();
      random
          .ints(1 + random.nextInt(60), 0, pieces.size())
          .forEach(piece -> text.append(pieces.get(piece)));
      try (RawSource sender = RawSource.open(server.address())) {
        for (byte[] part :
            List.of(
                text.substring(0, text.length() / 2).getBytes(StandardCharsets.UTF_8),
                text.substring(text.length() / 2).getBytes(StandardCharsets.ISO_8859_1))) {
          sender.bytes(part);
        }
      } catch (IOException e) {
        // The collector may hang up in the middle of it.
      }
    }
  }

  @Test
  void aFrameWithAFlippedBitEndsTheConnectionAndIsNotStored() throws Exception {
    Random random = new Random(5);
    for (int i = 0; i < 30; i++) {
      byte[] frame = new Frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 50)).toBytes();
      frame[4 + random.nextInt(frame.length - 4)] ^= (byte) (1 << random.nextInt(8));
      try (RawSource source = RawSource.connect(server.address(), "flipped")) {
        source.bytes(frame);
        assertThat(source.awaitRefusal()).contains("CRC");
      }
    }
    try (RawSource source = RawSource.connect(server.address(), "flipped")) {
      source.frame(FrameType.CLOSE_RUN.code(), 1, new CloseRun("").encode());
      assertThat(source.awaitAcknowledgement(1)).isTrue();
    }
    assertThat(RunQueries.rows(store, "flipped", "FROM samples")).isEmpty();
  }

  @Test
  void framesCutShortAreNotStored() throws Exception {
    byte[] frame = new Frame(FrameType.SAMPLES.code(), 1, Samples.traces(0, 50)).toBytes();
    for (int length = 1; length < frame.length; length += 13) {
      try (RawSource source = RawSource.connect(server.address(), "cut")) {
        source.bytes(Arrays.copyOf(frame, length));
      }
    }
    try (RawSource source = RawSource.connect(server.address(), "cut")) {
      source.frame(FrameType.CLOSE_RUN.code(), 1, new CloseRun("").encode());
      assertThat(source.awaitAcknowledgement(1)).isTrue();
    }
    assertThat(RunQueries.rows(store, "cut", "FROM samples")).isEmpty();
  }
}

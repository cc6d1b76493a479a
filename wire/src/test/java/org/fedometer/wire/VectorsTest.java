package org.fedometer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The frames of {@code vectors.txt}, which clients in other languages can test against, are what
 * this code sends.
 */
class VectorsTest {
  @Test
  void everyVectorIsWhatThisCodeSends() throws Exception {
    Map<String, String> sent = new LinkedHashMap<>();
    vectors().forEach((name, frame) -> sent.put(name, HexFormat.of().formatHex(frame.toBytes())));

    assertThat(published()).isEqualTo(sent);
  }

  @Test
  void everyVectorIsReadBack() throws Exception {
    Map<String, Frame> vectors = vectors();
    for (Map.Entry<String, String> line : published().entrySet()) {
      Frame read = Frame.parse(ByteBuffer.wrap(HexFormat.of().parseHex(line.getValue())));
      Frame expected = vectors.get(line.getKey());
      assertThat(read.type()).isEqualTo(expected.type());
      assertThat(read.sequence()).isEqualTo(expected.sequence());
      assertThat(read.payload()).isEqualTo(expected.payload());
    }
  }

  private static Map<String, Frame> vectors() {
    Map<String, Frame> frames = new LinkedHashMap<>();
    Hello hello =
        new Hello(
            1,
            1,
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
            1,
            "agent",
            "fedora",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "night",
            "",
            Map.of("bootId", "b1"));
    frames.put("hello", Frame.session(FrameType.HELLO, hello.encode()));
    frames.put(
        "welcome",
        Frame.session(
            FrameType.WELCOME,
            new Welcome(1, 300, "/store", "host", "night", "01ARZ3NDEKTSV4RRFFQ69G5FAV").encode()));
    frames.put(
        "refused",
        Frame.session(FrameType.REFUSED, new Refused(true, "the collector is stopping").encode()));
    frames.put(
        "acknowledgement",
        Frame.session(FrameType.ACKNOWLEDGEMENT, new Acknowledgement(301, "").encode()));
    put(frames, FrameType.STAGES, new Dictionary().put(0, "ingest").put(1, "ingest.pid").encode());
    put(frames, FrameType.THREADS, new Dictionary().put(5, "http-5").encode());
    SampleEncoder samples = new SampleEncoder();
    samples.add(1, 5, 7, 1_000_000, 2_000, 2_000, false);
    samples.add(0, 5, 7, 999_000, 10_000, 8_000, false);
    samples.add(0, 5, 8, 1_100_000, 9_000, 8_500, true);
    put(frames, FrameType.SAMPLES, samples.finish());
    TraceEncoder traces = new TraceEncoder();
    traces.add(7, 0, "demo:7", "", false);
    put(frames, FrameType.TRACES, traces.finish());
    put(
        frames,
        FrameType.TOTALS,
        new Totals(List.of(new Totals.StageTotal(0, 2, 1, 19_000)), 3, 0, true).encode());
    RequestEncoder requests = new RequestEncoder();
    requests.add(7, "demo:7", "", 2, 1, 990_000, 30_000, 201, 20_480, "");
    put(frames, FrameType.REQUESTS, requests.finish());
    put(
        frames,
        FrameType.DOCUMENT,
        new Document("logs/a.log", "hi\n".getBytes(StandardCharsets.UTF_8), true).encode());
    put(frames, FrameType.CLOSE_RUN, new CloseRun("").encode());
    return frames;
  }

  private static void put(Map<String, Frame> frames, FrameType type, byte[] payload) {
    String name = type.name().toLowerCase(java.util.Locale.ROOT);
    frames.put(name, new Frame(type.code(), frames.size() - 3, payload));
  }

  private static Map<String, String> published() throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("src/test/resources/vectors.txt"))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" ");
        lines.put(parts[0], parts[1]);
      }
    }
    return lines;
  }
}

package org.fedometer.collector.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Whatever comes, and in whatever pieces. */
class LogStreamPropertiesTest {
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          "\\",
          ",",
          ":",
          "\n",
          "\0",
          " ",
          "<",
          ">",
          "/",
          "<Event",
          "</Event>",
          "<Event>",
          "<Message>",
          "</Message>",
          "<![CDATA[",
          "]]>",
          "<!--",
          "-->",
          "<?",
          "?>",
          "&amp;",
          "'",
          "=",
          "<134>1 ",
          "12 ",
          "-",
          "[a b=\"c\"]",
          "\"message\":\"",
          "\"thrown\":{",
          "null",
          "1e9",
          "\"level\":",
          "\"contextMap\":[",
          "\"timestamp\":",
          "\"fedometer\":{",
          "\u00e4",
          "\ud83e\udd89");

  @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
  void howBytesAreSplitIntoReadsMakesNoDifference(
      @ForAll("formats") LogFormat format,
      @ForAll long seed,
      @ForAll @Size(min = 1, max = 40) List<Integer> reads) {
    byte[] bytes = stream(format, new Random(seed));
    ReadResult whole = ReadResult.of(format, bytes, List.of(bytes.length));
    ReadResult split =
        ReadResult.of(format, bytes, reads.stream().map(n -> Math.floorMod(n, 90)).toList());
    assertThat(whole.refusal()).isNull();
    assertThat(split.lines()).isEqualTo(whole.lines());
    assertThat(split.cutShort()).isEqualTo(whole.cutShort());
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void splittingGarbageMakesNoDifference(
      @ForAll("formats") LogFormat format,
      @ForAll("garbage") byte[] bytes,
      @ForAll @Size(min = 1, max = 40) List<Integer> reads) {
    ReadResult whole = ReadResult.of(format, bytes, List.of(Math.max(1, bytes.length)));
    ReadResult split =
        ReadResult.of(format, bytes, reads.stream().map(n -> Math.floorMod(n, 90)).toList());
    // Times of those that have none are those of their coming.
    assertThat(split.messages()).isEqualTo(whole.messages());
    assertThat(split.refusal()).isEqualTo(whole.refusal());
    assertThat(split.cutShort()).isEqualTo(whole.cutShort());
    assertThat(split.maxPartBytes()).isLessThanOrEqualTo(bytes.length);
  }

  @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
  void aStreamThatIsDamagedAnywhereIsReadUpToThere(
      @ForAll("formats") LogFormat format, @ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = stream(format, random);
    int at = random.nextInt(bytes.length);
    List<String> before = ReadResult.of(format, bytes, List.of(at == 0 ? 1 : at)).messages();
    bytes[at] = (byte) random.nextInt(256);
    ReadResult damaged = ReadResult.of(format, bytes, List.of(1 + random.nextInt(50)));
    long certain =
        ReadResult.of(format, Arrays.copyOf(bytes, at), List.of(bytes.length)).messages().size();
    int kept = (int) (format.endsWithTheConnection() ? Math.max(0, certain - 1) : certain);
    assertThat(damaged.messages().subList(0, kept)).isEqualTo(before.subList(0, kept));
  }

  @Provide
  Arbitrary<LogFormat> formats() {
    return Arbitraries.of(LogFormat.class);
  }

  @Provide
  Arbitrary<byte[]> garbage() {
    Arbitrary<byte[]> noise = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
    Arbitrary<byte[]> nearlyEvents =
        Arbitraries.of(PIECES)
            .list()
            .ofMaxSize(60)
            .map(pieces -> String.join("", pieces).getBytes(StandardCharsets.UTF_8));
    return Arbitraries.oneOf(noise, nearlyEvents);
  }

  // ---- streams as they should be ----

  private static byte[] stream(LogFormat format, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int events = 1 + random.nextInt(6);
    write(out, begin(format));
    for (int i = 0; i < events; i++) {
      if (i > 0 && format == LogFormat.JSON_ARRAY) {
        write(out, ", ");
      }
      String event = event(format, random);
      if (format == LogFormat.SYSLOG_COUNTED) {
        write(out, event.getBytes(StandardCharsets.UTF_8).length + " ");
      }
      write(out, event);
    }
    write(out, end(format));
    return out.toByteArray();
  }

  private static String begin(LogFormat format) {
    return switch (format) {
      case JSON_ARRAY -> "[\r\n";
      case XML -> "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Events xmlns=\"u\">\n";
      default -> "";
    };
  }

  private static String end(LogFormat format) {
    return switch (format) {
      case JSON_ARRAY -> "\r\n]\r\n";
      case XML -> "\n</Events>";
      default -> "";
    };
  }

  private static String event(LogFormat format, Random random) {
    String text = text(random);
    return switch (format) {
      case JSON, JSON_ARRAY ->
          "{\"instant\":{\"epochSecond\":1700000000,\"nanoOfSecond\":7},\"message\":"
              + quoted(text)
              + ",\"contextMap\":{\"k\":"
              + quoted(text)
              + "}}"
              + (random.nextBoolean() ? "\n" : "");
      case XML ->
          "<Event timeMillis=\"1700000000000\"><Message>"
              + text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
              + "</Message></Event>"
              + (random.nextBoolean() ? "\r\n" : "");
      case SYSLOG_COUNTED -> "<134>1 2023-11-14T22:13:20Z h a - - [m k=\"v\"] " + text + "\n";
      case SYSLOG_LINES ->
          "<134>1 2023-11-14T22:13:20Z h a - - - " + text.replace("\n", " ") + "\n";
      case LINES -> "WARN " + text.replace("\n", " ") + "\r\n";
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(20); i >= 0; i--) {
      text.append(
          List.of(
                  "a",
                  " ",
                  "\"",
                  "\\",
                  "{",
                  "}",
                  "\n",
                  "<",
                  ">",
                  "&",
                  "]",
                  "\u00e4",
                  "\u65e5",
                  "\ud83e\udd89")
              .get(random.nextInt(14)));
    }
    return text.append('.').toString();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder();
    JsonText.quote(text, quoted);
    return quoted.toString();
  }

  private static void write(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}

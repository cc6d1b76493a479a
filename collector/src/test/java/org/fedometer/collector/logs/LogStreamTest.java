package org.fedometer.collector.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogStreamTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n", "\0", " ", "\r\n\0\t "})
  void objectsEndWhateverIsBetweenThem(String between) {
    String pretty = "{\r\n  \"message\" : \"a } \\\" \\\\\",\r\n  \"contextMap\" : { }\r\n}";
    ReadResult result =
        ReadResult.of(LogFormat.JSON, pretty + between + "{\"message\":\"b\"}" + between);
    assertThat(result.messages()).containsExactly("a } \" \\", "b");
    assertThat(result.refusal()).isNull();
    assertThat(result.cutShort()).isNull();
  }

  @Test
  void anArrayIsItsElements() {
    ReadResult result =
        ReadResult.of(
            LogFormat.JSON_ARRAY, "[\r\n{\"message\":\"a\"}, \r\n{\"message\":\"b\"}\r\n]\r\n");
    assertThat(result.messages()).containsExactly("a", "b");
    assertThat(result.refusal()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{\"message\":\"a\"}:{\"message\":\"b\"}~58",
        "[{\"message\":\"a\"}[~91",
        "{\"message\":\"a\"}x~120",
        "{\"message\":\"a\"} {message:1}~broken",
        "{\"message\":\"a\"} {\"x\":[1}]~broken",
        "{\"message\":\"a\"} {\"x\":NaN}~broken"
      })
  void brokenJsonEndsTheStreamAndWhatCameBeforeIsKept(String text, String reason) {
    ReadResult result = ReadResult.of(LogFormat.JSON, text);
    assertThat(result.messages()).containsExactly("a");
    assertThat(result.refusal()).contains(reason);
  }

  /** As JsonLayout with complete="true" writes it on a second connection, or a late first one. */
  @ParameterizedTest
  @ValueSource(strings = {", ", ",\r\n", "", "[\r\n"})
  void anArrayIsReadWhetherItsHeadHasComeOrNot(String begin) {
    String text = begin + "{\"message\":\"a\"}, {\"message\":\"b\"}\r\n]\r\n";
    for (LogFormat format : new LogFormat[] {LogFormat.JSON, LogFormat.JSON_ARRAY}) {
      ReadResult result = ReadResult.of(format, text);
      assertThat(result.refusal()).isNull();
      assertThat(result.messages()).containsExactly("a", "b");
    }
  }

  @Test
  void reportsTruncationAndKeepsEarlierEvents() {
    ReadResult result = ReadResult.of(LogFormat.JSON, "{\"message\":\"a\"}\n{\"mess");
    assertThat(result.messages()).containsExactly("a");
    assertThat(result.cutShort()).isEqualTo("an event was cut short after 6 bytes");
    assertThat(ReadResult.of(LogFormat.XML, "<Event><Mess").cutShort()).contains("12 bytes");
    assertThat(ReadResult.of(LogFormat.SYSLOG_COUNTED, "20 <134>1").cutShort()).contains("9 bytes");
  }

  @ParameterizedTest
  @CsvSource({"JSON,{\"message\":\"m\"}", "XML,<Event><Message>m</Message></Event>", "LINES,m"})
  void oneByteOrderMarkIsPassedOver(LogFormat format, String event) {
    byte[] bytes = ("\uFEFF" + event + "\n").getBytes(StandardCharsets.UTF_8);
    for (int read : new int[] {1, 2, 100}) {
      assertThat(ReadResult.of(format, bytes, List.of(read)).messages()).containsExactly("m");
    }
    byte[] noMark = "\uFEFE m\n".getBytes(StandardCharsets.UTF_8);
    assertThat(ReadResult.of(LogFormat.LINES, noMark, List.of(1)).messages())
        .containsExactly("\uFEFE m");
  }

  @Test
  void jsonInUtf16IsRefusedAsSuch() {
    byte[] bytes = "{\"message\":\"m\"}\n".getBytes(StandardCharsets.UTF_16LE);
    assertThat(ReadResult.of(LogFormat.JSON, bytes, List.of(9)).refusal()).contains("UTF-8");
  }

  @Test
  void theLastLineNeedsNoEnd() {
    assertThat(ReadResult.of(LogFormat.LINES, "one\r\n\r\ntwo\0three").messages())
        .containsExactly("one", "two", "three");
  }

  @Test
  void acceptsUnterminatedSyslogEventsWithARemark() throws Exception {
    String event = "<134>1 2025-11-20T10:12:03Z host app 77 - - text of <1>1 and <9>1 kinds";
    List<String> messages = new ArrayList<>();
    LogStream stream =
        new LogStream(LogFormat.SYSLOG_LINES, taken -> messages.add(taken.message()), null);
    stream.read(bytes(event + "\n"), 0, event.length() + 1);
    assertThat(stream.remark()).isNull();

    stream.read(bytes(event + event), 0, 2 * event.length());
    stream.end();
    assertThat(messages).hasSize(2);
    assertThat(stream.remark()).contains("newLine=\"true\"");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void gelfWithoutADelimiterIsRefusedAfterItsFirstEvent() {
    String event = "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"m\"}";
    ReadResult result = ReadResult.of(LogFormat.JSON, event + event);
    assertThat(result.messages()).containsExactly("m");
    assertThat(result.refusal()).contains("compressionType=\"OFF\" includeNullDelimiter=\"true\"");
    assertThat(ReadResult.of(LogFormat.JSON, event + "\0" + event + "\n" + event).messages())
        .containsExactly("m", "m", "m");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE Event SYSTEM \"http://example.org/x\"><Event/>",
        "<Event><!DOCTYPE x></Event>",
        "<Event><Message>&x;</Message></Event>",
        "<Event><Message></Event></Message>",
        "<Event a=<b/></Event>",
        "<log4j:event/>",
        "<Event/>x",
        "</Event>",
        "<![CDATA[x]]>",
        "<Event><Message>\uFFFE</Message></Event>"
      })
  void brokenOrDangerousXmlEndsTheStream(String text) {
    assertThat(ReadResult.of(LogFormat.XML, text).refusal()).isNotEmpty();
  }

  @Test
  void xmlIsCutByItsTagsAlone() {
    ReadResult result =
        ReadResult.of(
            LogFormat.XML,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<Events xmlns=\"u\">\r\n"
                + "<!-- <Event> --><Event xmlns=\"u\" thread=\"a>b &lt;/Event>\"><Message>"
                + "<![CDATA[</Event>]]> &lt;b&gt; <!-- </Event> --></Message></Event>\r\n"
                + "<Event/>\0<Event xmlns='u' level='WARN'><Message>c</Message></Event>"
                + "</Events>\r\n");
    assertThat(result.refusal()).isNull();
    assertThat(result.messages()).containsExactly("</Event> <b> ", "", "c");
    assertThat(result.lines().get(0).thread()).isEqualTo("a>b </Event>");
  }

  @Test
  void countedFramesMayHoldAnything() {
    String frame = "<134>1 - - - - - - b\u00f6se\n57 <1";
    int octets = frame.getBytes(StandardCharsets.UTF_8).length;
    ReadResult result =
        ReadResult.of(LogFormat.SYSLOG_COUNTED, octets + " " + frame + octets + " " + frame);
    assertThat(result.messages()).containsExactly("b\u00f6se\n57 <1", "b\u00f6se\n57 <1");
    assertThat(ReadResult.of(LogFormat.SYSLOG_COUNTED, "5x<1>").refusal()).contains("octets");
    assertThat(ReadResult.of(LogFormat.SYSLOG_COUNTED, "2000000 <").refusal()).contains("1048576");
    assertThat(ReadResult.of(LogFormat.SYSLOG_COUNTED, " 5 <1>a").refusal()).contains("octets");
  }

  @ParameterizedTest
  @CsvSource({"JSON,{\"message\":\"", "XML,<Event a=\"", "LINES,x", "SYSLOG_LINES,<134>1 "})
  void anEventOverTheLimitIsRefusedAndNoMoreThanThatIsKept(LogFormat format, String begin) {
    byte[] bytes = new byte[3 * LogStream.MAX_EVENT_BYTES];
    Arrays.fill(bytes, (byte) 'x');
    byte[] first = begin.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(first, 0, bytes, 0, first.length);
    for (int read : new int[] {1_000, 65_536, bytes.length}) {
      ReadResult result = ReadResult.of(format, bytes, List.of(read));
      assertThat(result.refusal()).contains("1048576");
      assertThat(result.lines()).isEmpty();
      assertThat(result.maxPartBytes()).isLessThanOrEqualTo(LogStream.MAX_EVENT_BYTES);
    }
  }

  @Test
  void acceptsALongEventByteByByte() {
    String message = "\u00e4".repeat(500_000);
    byte[] bytes = ("{\"message\":\"" + message + "\"}").getBytes(StandardCharsets.UTF_8);
    assertThat(ReadResult.of(LogFormat.JSON, bytes, List.of(1)).messages())
        .containsExactly(message);
  }

  @ParameterizedTest
  @CsvSource({"JSON,{\"a\":,}", "XML,<Event>,</Event>"})
  void whatIsNestedTooDeepIsRefused(LogFormat format, String brackets) {
    String[] pair = brackets.split(",");
    assertThat(ReadResult.of(format, pair[0].repeat(70)).refusal()).contains("64");
    assertThat(
            ReadResult.of(LogFormat.JSON, "{\"a\":" + "[".repeat(63) + "]".repeat(63) + "}")
                .lines())
        .hasSize(1);
  }

  @Test
  void invalidUtf8IsRefusedInJsonAndReplacedInLines() {
    byte[] json = "{\"message\":\"\u00ff\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ReadResult.of(LogFormat.JSON, json, List.of(5)).refusal()).contains("broken");
    byte[] xml = "<Event><Message>\u00ff</Message></Event>".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ReadResult.of(LogFormat.XML, xml, List.of(5)).refusal()).contains("broken");
    byte[] line = "gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ReadResult.of(LogFormat.LINES, line, List.of(5)).messages())
        .containsExactly("gr\uFFFDn");
  }

  @Test
  void dispatchesAgentEvents() throws Exception {
    List<String> agentEvents = new ArrayList<>();
    List<String> log = new ArrayList<>();
    AgentEvents taker =
        new AgentEvents() {
          @Override
          public void event(JsonParser parser) throws IOException {
            assertThat(parser.currentToken()).isEqualTo(JsonToken.START_OBJECT);
            StringBuilder text = new StringBuilder();
            JsonText.copy(parser, text);
            agentEvents.add(text.toString());
          }

          @Override
          public void readComplete() {}

          @Override
          public void closed() {}
        };
    LogStream stream = new LogStream(LogFormat.JSON, event -> log.add(event.message()), taker);
    byte[] bytes =
        ("{\"@timestamp\":\"2026-11-22T10:11:12Z\",\"fedometer\":{\"event\":\"hello\",\"n\":[1]},"
                + "\"more\":{}}\n{\"message\":\"m\",\"fedometer\":1}\n")
            .getBytes(StandardCharsets.UTF_8);
    stream.read(bytes, 0, bytes.length);

    assertThat(agentEvents).containsExactly("{\"event\":\"hello\",\"n\":[1]}");
    assertThat(log).containsExactly("m");
    assertThat(stream.events()).isEqualTo(2);
  }
}

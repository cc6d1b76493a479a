package org.fedometer.collector.logs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading of single events; LogLayoutsIT has those that Log4j2 itself writes. */
class LogEventsTest {
  private static final long AT = 1_763_633_523_123_456_789L;

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "\"instant\":{\"epochSecond\":1763633523,\"nanoOfSecond\":123456789}",
        "\"@timestamp\":\"2025-11-20T10:12:03.123456789Z\"",
        "\"@timestamp\":\"2025-11-20T11:12:03,123456789+0100\"",
        "\"@timestamp\":\"2025-11-20 05:42:03.1234567891-04:30\"",
        "\"timestamp\":1763633523.123456789",
        "\"timestamp\":1763633523123456789",
        "\"timestamp\":\"1763633523.123456789\"",
        "\"timestampSeconds\":1763633523,\"timestampNanos\":123456789",
        "\"timestamp\":{\"seconds\":1763633523,\"nanos\":123456789}",
        "\"ts\":1763633523123.456789",
        "\"ts\":\"1763633523123456.789\"",
        "\"@t\":\"2025-11-20t10:12:03.123456789z\"",
        "\"time\":\"2025/11/20 10:12:03.123456789 UTC\"",
        "\"Timestamp\":\"2025-11-20T11:12:03.123456789+01:00[Europe/Vienna]\"",
        "\"time\":\"2025-11-20 11:12:03,123456789 CET\"",
        "\"time\":\"2025-11-20 05:12:03,123456789 America/New_York\"",
        "\"time\":\"2025-11-20 05:12:03.123456789 EST\"",
        "\"time\":\"2025-11-20 11:12:03.123456789 +0100\"",
        "\"timestamp\":1763633523123,\"nanoseconds\":123456789"
      })
  void timesAreReadToTheNanosecond(String field) {
    assertThat(json("{\"message\":\"m\"," + field + "}").epochNanos()).isEqualTo(AT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"timeMillis\":99999999999999999999",
        "\"timestampSeconds\":1e400",
        "\"instant\":{\"epochSecond\":-99999999999999999999}",
        "\"level\":99999999999999999999",
        "\"thrown\":{\"commonElementCount\":1e99}"
      })
  void numbersThatAreTooLargeCostNoEvent(String field) {
    ReadResult.Line line = json("{\"message\":\"m\"," + field + "}");
    assertThat(line.message()).isEqualTo("m");
    assertThat(line.level()).isEqualTo(LogLevel.INFO);
  }

  @Test
  @Timeout(5)
  void aStackTraceIsNotLookedForAtTheCostOfTheSquareOfItsLength() {
    String message = "a".repeat(500_000);
    String first = "a".repeat(250_000) + "b";
    ReadResult.Line line =
        json("{\"message\":\"" + message + "\",\"stack_trace\":\"" + first + "\\n\\tat x\"}");
    assertThat(line.message()).isEqualTo(message);
  }

  @Test
  void aLongFirstLineOfAStackTraceIsTakenOffTheMessageToo() {
    String trace = "Boom: " + "x".repeat(1_000) + "\\n\\tat y";
    assertThat(
            json("{\"message\":\"m " + trace + "\",\"stack_trace\":\"" + trace + "\"}").message())
        .isEqualTo("m");
  }

  @Test
  void agentEventLeavesNoStateForTheNextEvent() throws Exception {
    List<ReadResult.Line> lines = new ArrayList<>();
    LogStream stream =
        new LogStream(LogFormat.JSON, event -> lines.add(ReadResult.Line.of(event)), IGNORED);
    byte[] bytes =
        ("{\"thrown\":{\"name\":\"Boom\"},\"full_message\":\"x\",\"fedometer\":{}}\n"
                + "{\"message\":\"quiet\"}\n")
            .getBytes(StandardCharsets.UTF_8);
    stream.read(bytes, 0, bytes.length);
    assertThat(lines).singleElement().extracting(ReadResult.Line::message).isEqualTo("quiet");
    assertThat(lines.get(0).thrown()).isEmpty();
  }

  private static final AgentEvents IGNORED =
      new AgentEvents() {
        @Override
        public void event(JsonParser parser) throws IOException {
          parser.skipChildren();
        }

        @Override
        public void readComplete() {}

        @Override
        public void closed() {}
      };

  @ParameterizedTest
  @CsvSource({
    "\"timeMillis\":1763633523123, 1763633523123000000",
    "\"timestamp\":1763633523, 1763633523000000000",
    "\"timestamp\":1763633523123456, 1763633523123456000",
    "\"time\":\"2025-11-20T10:12\", 1763633520000000000",
    "\"timestamp\":1.763633523E9, 1763633523000000000"
  })
  void coarserTimesAreReadToo(String field, long expected) {
    assertThat(json("{" + field + "}").epochNanos()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "\"yesterday\"",
        "\"2025-13-41T10:12:03Z\"",
        "-5",
        "1e300",
        "\"2025-11-20T10:12:03 in Graz\"",
        "null",
        "true",
        "[1]",
        "999999999999.5",
        "\"2025-11-20T25:12:03Z\"",
        "\"2025-11-20T10:12:03+99:00\"",
        "\"2025-11-20T10:12:03 Nowhere/Land\"",
        "\"Nov 20 10:12:03\""
      })
  void keepsArrivalTimeForInvalidTimes(String value) {
    ReadResult.Line line = json("{\"message\":\"m\",\"level\":6,\"@timestamp\":" + value + "}");
    assertThat(line.epochNanos()).isEqualTo(LogEvent.UNKNOWN);
    assertThat(line.message()).isEqualTo("m");
    assertThat(line.context())
        .isEqualTo(
            value.equals("null")
                ? "{\"fedometer.assumed\":\"time\"}"
                : "{\"@timestamp\":" + value + ",\"fedometer.assumed\":\"time\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "\"WARN\"~WARN",
        "\"warning\"~WARN",
        "\"SEVERE\"~ERROR",
        "\"CRITICAL\"~FATAL",
        "\"FINEST\"~TRACE",
        "3~ERROR",
        "7~DEBUG",
        "0~FATAL",
        "350~INFO",
        "290~WARN",
        "{\"name\":\"NOTICE-ME\",\"intLevel\":450}~DEBUG",
        "{\"name\":\"ERROR\",\"intLevel\":200}~ERROR",
        "\"AUDIT\"~INFO",
        "\"3\"~ERROR",
        "\"0\"~FATAL",
        "\"4.0\"~WARN",
        "10~TRACE",
        "20~DEBUG",
        "30~INFO",
        "\"40\"~WARN",
        "50~ERROR",
        "60~FATAL",
        "900~WARN",
        "40000~ERROR",
        "{\"levelInt\":30000,\"levelStr\":\"WARN\"}~WARN",
        "\"err\"~ERROR",
        "\" NOTICE\"~INFO",
        "\"Wrn\"~WARN",
        "\"ERROR3\"~ERROR",
        "\"I\"~INFO"
      })
  void mapsForeignLevelsToTheNearest(String value, LogLevel level) {
    assertThat(json("{\"level\":" + value + "}").level()).isEqualTo(level);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"AUDIT\"", "\"-4\"", "-4", "99999999999999999999", "true", "1.5"})
  void keepsUnknownLevelsInTheContext(String value) {
    ReadResult.Line line = json("{\"level\":" + value + ",\"time\":1763633523}");
    assertThat(line.level()).isEqualTo(LogLevel.INFO);
    String text = value.startsWith("\"") ? value : '"' + value + '"';
    assertThat(line.context())
        .isEqualTo("{\"level\":" + text + ",\"fedometer.assumed\":\"level\"}");
  }

  @Test
  void marksEventsWithAssumedLevelOrTime() {
    assertThat(json("{\"message\":\"m\"}").context())
        .isEqualTo("{\"fedometer.assumed\":\"level,time\"}");
    assertThat(json("{\"msg\":\"m\",\"level\":\"info\",\"time\":1763633523}").context()).isEmpty();
    assertThat(
            ReadResult.line(LogFormat.XML, "<Event level=\"LOUD\" timeMillis=\"soon\"/>").context())
        .isEqualTo(
            "{\"timeMillis\":\"soon\",\"level\":\"LOUD\",\"fedometer.assumed\":\"level,time\"}");
    assertThat(ReadResult.line(LogFormat.SYSLOG_LINES, "<12>1 yesterday - - - - - m\n").context())
        .isEqualTo("{\"time\":\"yesterday\",\"fedometer.assumed\":\"time\"}");
    assertThat(ReadResult.line(LogFormat.LINES, "INFO only").context()).isEmpty();
  }

  @Test
  void levelNameTakesPrecedenceOverNumber() {
    for (String fields :
        List.of(
            "\"level\":400,\"level_name\":\"ERROR\"", "\"level_name\":\"ERROR\",\"level\":400")) {
      assertThat(json("{" + fields + "}").level()).isEqualTo(LogLevel.ERROR);
    }
    assertThat(json("{\"level\":\"AUDIT\",\"severity\":\"WARN\",\"time\":1}").context())
        .isEqualTo("{\"level\":\"AUDIT\"}");
  }

  @Test
  void nestedEcsIsReadAsDottedEcsIs() {
    String dotted =
        "{\"@timestamp\":\"2025-11-20T10:12:03.123456789Z\",\"log.level\":\"ERROR\","
            + "\"log.logger\":\"l\",\"process.pid\":12,\"process.thread.name\":\"t\","
            + "\"service.name\":\"shop\",\"message\":\"m\",\"error.type\":\"a.B\","
            + "\"error.message\":\"boom\",\"error.stack_trace\":\"a.B: boom\\n\\tat c.D.e(D.java:1)\","
            + "\"ecs.version\":\"8.11\"}";
    String nested =
        "{\"@timestamp\":\"2025-11-20T10:12:03.123456789Z\",\"log\":{\"level\":\"ERROR\","
            + "\"logger\":\"l\"},\"process\":{\"pid\":12,\"thread\":{\"name\":\"t\"}},"
            + "\"service\":{\"name\":\"shop\"},\"message\":\"m\",\"error\":{\"type\":\"a.B\","
            + "\"message\":\"boom\",\"stack_trace\":\"a.B: boom\\n\\tat c.D.e(D.java:1)\"},"
            + "\"ecs\":{\"version\":\"8.11\"}}";
    ReadResult.Line line = json(nested);
    assertThat(line).isEqualTo(json(dotted));
    assertThat(line)
        .isEqualTo(
            new ReadResult.Line(
                AT,
                LogLevel.ERROR,
                "l",
                "t",
                "m",
                "a.B: boom\n\tat c.D.e(D.java:1)",
                "{\"process.pid\":12,\"service.name\":\"shop\"}"));
  }

  /** As these write their events by default. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        // Logback's JsonEncoder
        "{'sequenceNumber':0,'timestamp':1763633523123,'nanoseconds':123456789,'level':'WARN',"
            + "'threadName':'t','loggerName':'l','mdc': {'user':'u'},'kvpList': [{'k':'v'}],"
            + "'message':'load of {} failed','arguments': ['4711'],'throwable':null}"
            + "~load of 4711 failed",
        // logstash-logback-encoder
        "{'@timestamp':'2025-11-20T11:12:03.123456789+01:00','@version':'1','message':'m',"
            + "'logger_name':'l','thread_name':'t','level':'WARN','level_value':30000}~m",
        // pino
        "{'level':40,'time':1763633523123,'pid':7,'hostname':'h','name':'l','msg':'m'}~m",
        // bunyan
        "{'name':'l','hostname':'h','pid':7,'level':40,'msg':'m',"
            + "'time':'2025-11-20T10:12:03.123Z','v':0}~m",
        // python-json-logger
        "{'asctime':'2025-11-20 10:12:03,123','name':'l','levelname':'WARNING','message':'m'}~m",
        // zap
        "{'level':'warn','ts':1763633523.1234567,'logger':'l','caller':'a.go:1','msg':'m'}~m",
        // Serilog
        "{'@t':'2025-11-20T10:12:03.1234567Z','@m':'m','@l':'Warning','logger':'l'}~m",
        // structlog
        "{'event':'m','logger':'l','level':'warning','timestamp':'2025-11-20T10:12:03.123Z'}~m"
      })
  void eventsOfOtherLoggersAreReadByTheirShapes(String event, String message) {
    ReadResult.Line line = json(event.replace('\'', '"'));
    assertThat(line.message()).isEqualTo(message);
    assertThat(line.level()).isEqualTo(LogLevel.WARN);
    assertThat(line.logger()).isEqualTo("l");
    assertThat(line.epochNanos() / 1_000_000).isEqualTo(AT / 1_000_000);
    assertThat(line.context()).doesNotContain("fedometer.assumed");
  }

  /** The level of Logback and Log4j 1 that is no multiple of the others' distance. */
  @Test
  void traceIsKnownByItsNumber() {
    assertThat(json("{\"level_value\":5000,\"message\":\"m\"}").level()).isEqualTo(LogLevel.TRACE);
    assertThat(json("{\"level_value\":10000,\"message\":\"m\"}").level()).isEqualTo(LogLevel.DEBUG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"exception", "Exception", "stack_trace", "exc_info"})
  void whetherThereWasAnExceptionIsNoStackTrace(String field) {
    ReadResult.Line line = json("{\"message\":\"m\",\"" + field + "\":false}");
    assertThat(line.thrown()).isEmpty();
    assertThat(line.context()).contains("\"" + field + "\":false");
  }

  @Test
  void exceptionsOfOtherLoggersAreStackTraces() {
    assertThat(
            json(
                "{\"err\":{\"type\":\"Error\",\"message\":\"no\",\"stack\":\"Error: no\\n    at f (a.js:1:1)\","
                    + "\"code\":\"E1\"}}"))
        .extracting(ReadResult.Line::thrown, ReadResult.Line::context)
        .containsExactly(
            "Error: no\n    at f (a.js:1:1)",
            "{\"err.code\":\"E1\",\"fedometer.assumed\":\"level,time\"}");
    assertThat(
            json("{\"throwable\":{\"className\":\"a.B\",\"message\":\"m\",\"stepArray\":[{\"className\":\"c.D\","
                    + "\"methodName\":\"e\",\"fileName\":\"D.java\",\"lineNumber\":1}],\"commonFramesCount\":2}}")
                .thrown())
        .isEqualTo("a.B: m\n\tat c.D.e(D.java:1)\n\t... 2 more");
    assertThat(json("{\"throwable\":[\"a.B: m\",\" at c.D.e\"]}").thrown())
        .isEqualTo("a.B: m\n at c.D.e");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "Traceback (most recent call last):|  File~short~Traceback (most recent call last):|  File",
        "java.lang.RuntimeException: outer~short~java.lang.RuntimeException: outer",
        "short, and longer~short, and longer~''",
        "another text~short|another text~''",
        "short~short~''"
      })
  void bothMessagesOfGelfAreKept(String full, String message, String thrown) {
    ReadResult.Line line =
        json(
            "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"short\",\"full_message\":\""
                + full.replace("|", "\\n")
                + "\"}");
    assertThat(line.message()).isEqualTo(message.replace('|', '\n'));
    assertThat(line.thrown()).isEqualTo(thrown.replace('|', '\n'));
  }

  @Test
  void anExceptionIsWrittenAsJavaWritesIt() {
    ReadResult.Line line =
        json(
            "{\"message\":\"m\",\"thrown\":{\"commonElementCount\":0,\"message\":\"outer\","
                + "\"name\":\"a.B\",\"cause\":{\"commonElementCount\":1,\"name\":\"c.D\","
                + "\"extendedStackTrace\":[{\"class\":\"x.Y\",\"method\":\"n\",\"line\":-2}]},"
                + "\"extendedStackTrace\":[{\"class\":\"x.Y\",\"method\":\"m\",\"file\":\"Y.java\","
                + "\"line\":7,\"exact\":false,\"location\":\"y.jar\",\"version\":\"1\"}],"
                + "\"suppressed\":[{\"name\":\"e.F\",\"message\":\"beside\"}]}}");
    assertThat(line.thrown())
        .isEqualTo(
            """
            a.B: outer
            \tat x.Y.m(Y.java:7) ~[y.jar:1]
            \tSuppressed: e.F: beside
            Caused by: c.D
            \tat x.Y.n(Native Method)
            \t... 1 more\
            """);
  }

  @Test
  void whatHasNoPlaceIsInTheContextOnceAndInItsOrder() {
    ReadResult.Line line =
        json(
            "{\"message\":\"m\",\"level\":\"INFO\",\"time\":1,\"contextMap\":[{\"key\":\"user\",\"value\":\"x\\\"y\"}],"
                + "\"user\":\"other\",\"_added\":1.50,\"marker\":{\"name\":\"M\",\"parents\":[{\"a\":"
                + "[true,null]}]},\"contextStack\":[],\"endOfBatch\":true}");
    assertThat(line.context())
        .isEqualTo(
            "{\"user\":\"x\\\"y\",\"added\":1.50,"
                + "\"marker\":{\"name\":\"M\",\"parents\":[{\"a\":[true,null]}]}}");
  }

  @Test
  void aContextIsNeverLongerThanTheWireAllowsAndStaysJson() {
    StringBuilder event = new StringBuilder("{\"message\":\"m\"");
    for (int i = 0; i < 300; i++) {
      event.append(",\"k").append(i).append("\":\"").append("\u00e4\u65e5".repeat(i)).append('"');
    }
    String context = json(event + "}").context();
    assertThat(context.getBytes(StandardCharsets.UTF_8))
        .hasSizeBetween(LogEncoder.MAX_CONTEXT_BYTES * 9 / 10, LogEncoder.MAX_CONTEXT_BYTES);
    assertThat(context).startsWith("{\"k0\":\"\",").endsWith("\"}");
  }

  @Test
  void anObjectWithoutAnyKnownFieldIsAMessage() {
    ReadResult.Line line = json("{\"a\":1,\"b\":{\"message\":\"not here\"}}");
    assertThat(line.message()).isEqualTo("{\"a\":1,\"b\":{\"message\":\"not here\"}}");
    assertThat(line.context()).isEqualTo("{\"fedometer.assumed\":\"level,time\"}");
  }

  @Test
  void aMessageThatIsAnObjectIsItsText() {
    assertThat(json("{\"message\":{\"a\":[1,\"x\"]}}").message()).isEqualTo("{\"a\":[1,\"x\"]}");
  }

  @Test
  void gelfIsReadByItsNames() {
    ReadResult.Line line =
        json(
            "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"m\",\"level\":4,"
                + "\"timestamp\":1763633523.123,\"_thread\":\"t\",\"_logger\":\"l\",\"_user\":\"u\",\"full_message\":\"a.B\\n"
                + "\\tat c.D.e(D.java:1)\"}");
    assertThat(line)
        .isEqualTo(
            new ReadResult.Line(
                1_763_633_523_123_000_000L,
                LogLevel.WARN,
                "l",
                "t",
                "m",
                "a.B\n\tat c.D.e(D.java:1)",
                "{\"host\":\"h\",\"user\":\"u\"}"));
  }

  @Test
  void syslogIsReadWithItsStructuredData() {
    ReadResult.Line line =
        ReadResult.line(
            LogFormat.SYSLOG_LINES,
            "<131>1 2025-11-20T10:12:03.123456789Z host app 77 id"
                + " [a@1 user=\"x\\\"\\]\\\\y\" logger=\"l\"][b thread=\"t\"] \uFEFFm \u00e4\n");
    assertThat(line)
        .isEqualTo(
            new ReadResult.Line(
                AT,
                LogLevel.ERROR,
                "l",
                "t",
                "m \u00e4",
                "",
                "{\"host\":\"host\",\"app\":\"app\",\"procId\":\"77\",\"msgId\":\"id\","
                    + "\"user\":\"x\\\"]\\\\y\"}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "<12>Nov 20 10:12:03 host app: old~WARN~Nov 20 10:12:03 host app: old",
        "<12>1 - - -~WARN~1 - - -",
        "<12>1 - - - - - [a b=c] m~WARN~[a b=c] m",
        "<12>1 - - - - - -~WARN~<12>1 - - - - - -",
        "<999>1 no ERROR here~ERROR~<999>1 no ERROR here",
        "second line of WARN~WARN~second line of WARN"
      })
  void readsPartialSyslog(String text, LogLevel level, String message) {
    ReadResult.Line line = ReadResult.line(LogFormat.SYSLOG_LINES, text + "\n");
    assertThat(line.level()).isEqualTo(level);
    assertThat(message).endsWith(line.message());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "2026-11-20 10:12:03 WARN  [main] x: ERROR comes later~WARN",
        "[ERROR] x~ERROR",
        "ERROR~ERROR",
        "TERROR and ERRORS~INFO",
        "\\tat x.ERROR_HANDLER(X.java)~INFO",
        "the OFF switch is FINE~INFO"
      })
  void theLevelOfALineIsTheFirstThatItNames(String line, LogLevel level) {
    assertThat(ReadResult.line(LogFormat.LINES, line).level()).isEqualTo(level);
  }

  private static ReadResult.Line json(String text) {
    return ReadResult.line(LogFormat.JSON, text);
  }
}

package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three Log4j2 versions send with every supported layout, and all events arrive. Each version has a
 * JVM without other libraries, all with one collector. A Logback that serializes its events affects
 * none of them.
 */
@Tag("slow")
@Timeout(300)
class LogLayoutsIT {
  private static final Path SENDERS = Path.of("target/senders");
  private static final List<String> VERSIONS =
      List.of("log4j-2.17.2", "log4j-2.20.0", "log4j-newest");
  private static final String SECOND_LINE = Log4jSender.TEXT.split("\n")[1];

  /** By the name of the configuration. */
  private static final Map<String, String> LAYOUTS = new LinkedHashMap<>();

  static {
    template("ecs", "EcsLayout.json", "");
    template("logstash", "LogstashJsonEventLayoutV1.json", "");
    template("gelf-template", "GelfLayout.json", " nullEventDelimiterEnabled=\"true\"");
    template("json-template", "JsonLayout.json", "");
    template("gcp", "GcpLayout.json", "");
    layout("json-pretty", "JsonLayout", "properties=\"true\"");
    layout("json-compact", "JsonLayout", "compact=\"true\" properties=\"true\"");
    layout("json-lines", "JsonLayout", "compact=\"true\" eventEol=\"true\" properties=\"true\"");
    layout("json-complete", "JsonLayout", "complete=\"true\" properties=\"true\"");
    layout(
        "json-complete-compact",
        "JsonLayout",
        "complete=\"true\" compact=\"true\" properties=\"true\"");
    layout(
        "json-list",
        "JsonLayout",
        "propertiesAsList=\"true\" properties=\"true\" stacktraceAsString=\"true\""
            + " includeNullDelimiter=\"true\" includeTimeMillis=\"true\"");
    layout("xml-pretty", "XmlLayout", "properties=\"true\"");
    layout("xml-compact", "XmlLayout", "compact=\"true\" properties=\"true\"");
    layout(
        "xml-complete",
        "XmlLayout",
        "complete=\"true\" properties=\"true\" stacktraceAsString=\"true\"");
    layout(
        "syslog-counted",
        "Rfc5424Layout",
        "appName=\"app\" id=\"x\" mdcId=\"mdc\" includeMDC=\"true\" useTlsMessageFormat=\"true\""
            + " exceptionPattern=\"%ex{full}\"");
    layout(
        "syslog-lines",
        "Rfc5424Layout",
        "appName=\"app\" includeMDC=\"true\" newLine=\"true\" newLineEscape=\"\\n\"");
    layout(
        "gelf-null",
        "GelfLayout",
        "host=\"somewhere\" compressionType=\"OFF\" includeNullDelimiter=\"true\"");
    layout("pattern", "PatternLayout", "pattern=\"%d %p [%t] %c: %m %X{user}%n\"");
  }

  @TempDir static Path directory;
  private static Path store;
  private static Instant begin;
  private static Query query;

  private static void template(String name, String template, String further) {
    layout(name, "JsonTemplateLayout", "eventTemplateUri=\"classpath:" + template + "\"" + further);
  }

  private static void layout(String name, String layout, String attributes) {
    LAYOUTS.put(name, "<" + layout + " charset=\"UTF-8\" " + attributes + "/>");
  }

  @BeforeAll
  static void sendAll() throws Exception {
    store = directory.resolve("store");
    begin = Instant.now();
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.foreground(
                    EndpointOptions.at(new InetSocketAddress("127.0.0.1", 0))
                        .withHttp(new InetSocketAddress("127.0.0.1", 0)),
                    store)
                .withSegmentLog(
                    SegmentLogOptions.defaults()
                        .withSealAge(Duration.ofMillis(200))
                        .withClock(OneDay.CLOCK)))) {
      Process logback = startLogback(server.address().getPort());
      List<Process> senders = new ArrayList<>();
      for (String version : VERSIONS) {
        senders.add(startLog4j(version, server.address().getPort()));
      }
      // It connects anew each time, beside all the others.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                logback.getOutputStream().write('\n');
                logback.getOutputStream().flush();
                return refused(server.httpAddress()) >= 3;
              });
      logback.getOutputStream().close();
      end(logback);
      for (Process sender : senders) {
        end(sender);
      }
      // Without acknowledgements, sent data may not have been read yet.
      await().atMost(Duration.ofSeconds(60)).until(LogLayoutsIT::allHasCome);
    }
    query = RunStore.at(store).runs().get(0).query();
  }

  @AfterAll
  static void close() throws QueryException {
    if (query != null) {
      query.close();
    }
  }

  /** How many connections were hung up on for what their first bytes are. */
  private static long refused(InetSocketAddress http) throws Exception {
    URI metrics = URI.create("http://127.0.0.1:" + http.getPort() + "/metrics");
    String name = "fedometer_connections_refused_total{reason=\"malformed\"} ";
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElse(0);
  }

  private static boolean allHasCome() throws Exception {
    if (RunStore.at(store).runs().isEmpty()) {
      return false;
    }
    int events = VERSIONS.size() * Log4jSender.EVENTS;
    String sql =
        "SELECT count(*) FILTER (starts_with(message, 'log4j-')) >= "
            + (LAYOUTS.size() - 1) * events
            + ", count(*) FILTER (contains(message, '"
            + SECOND_LINE.replace("'", "''")
            + " n\u00e4me ')) >= "
            + events
            + " FROM logs";
    String run = RunStore.at(store).runs().get(0).name();
    return RunQueries.rows(store, run, sql).equals(List.of("true|true"));
  }

  @TestFactory
  Stream<DynamicTest> everythingArrives() {
    return VERSIONS.stream()
        .flatMap(
            version ->
                LAYOUTS.keySet().stream()
                    .map(
                        layout ->
                            DynamicTest.dynamicTest(
                                version + " " + layout, () -> check(version, layout))));
  }

  @Test
  void refusesLogbackSerialisation() throws Exception {
    assertThat(queried("SELECT count(*) FROM logs WHERE message LIKE '%serialised%'"))
        .containsExactly("0");
  }

  private static void check(String version, String layout) throws Exception {
    // A configuration's name includes the version.
    String name = version + "-" + layout;
    List<String> expected =
        IntStream.range(0, Log4jSender.EVENTS)
            .mapToObj(event -> name + " " + event + " " + Log4jSender.TEXT)
            .toList();
    if (layout.equals("pattern")) {
      checkPattern(name);
      return;
    }
    String where = " FROM logs WHERE starts_with(message, '" + name + " ')";
    boolean oneLine = layout.equals("syslog-lines");
    assertThat(queried("SELECT message" + where))
        .containsExactlyInAnyOrderElementsOf(
            oneLine
                ? expected.stream().map(message -> message.replace("\n", "\\n")).toList()
                : expected);
    assertThat(
            queried(
                "SELECT DISTINCT level"
                    + where
                    + " AND split_part(message, ' ', 2)::INTEGER % 4 = 3"))
        .containsExactly("ERROR");
    assertThat(queried("SELECT level, count(*)" + where + " GROUP BY ALL ORDER BY ALL"))
        .containsExactly("DEBUG|10", "ERROR|10", "INFO|10", "WARN|10");
    // The template of that version has no MDC.
    boolean noContext = name.equals("log4j-2.17.2-json-template");
    assertThat(
            queried(
                "SELECT count(*)"
                    + where
                    + " AND context->>'user' = 'n\u00e4me ' || split_part(message, ' ',"
                    + " 2) AND context->>'session' = 's\"' || split_part(message, ' ',"
                    + " 2)"))
        .containsExactly(noContext ? "0" : "40");
    long from = begin.toEpochMilli() * 1_000_000;
    assertThat(
            queried(
                "SELECT count(*)"
                    + where
                    + " AND at_nanos BETWEEN "
                    + from
                    + " AND "
                    + Instant.now().toEpochMilli() * 1_000_000))
        .containsExactly("40");
    if (!layout.startsWith("syslog")) {
      assertThat(queried("SELECT DISTINCT logger, thread" + where))
          .containsExactly("org.example." + name + "|sender-of-" + name);
    }
    if (!oneLine) {
      assertThat(
              queried(
                  "SELECT count(*)"
                      + where
                      + " AND contains(thrown, 'java.lang.IllegalStateException: outer ')"
                      + " AND contains(thrown, 'at org.fedometer.collector.Log4jSender.failure(')"
                      + (layout.equals("json-template")
                          ? ""
                          : " AND contains(thrown, 'Caused by: java.lang.RuntimeException:"
                              + " inner')")))
          .containsExactly("10");
      assertThat(queried("SELECT count(*)" + where + " AND thrown = ''")).containsExactly("30");
    }
  }

  /** Lines are lines: the second one of a message is one of its own. */
  private static void checkPattern(String name) throws Exception {
    assertThat(
            queried(
                "SELECT level, count(*) FROM logs WHERE contains(message, 'org.example."
                    + name
                    + ": "
                    + name
                    + " ') GROUP BY ALL ORDER BY ALL"))
        .containsExactly("DEBUG|10", "ERROR|10", "INFO|10", "WARN|10");
    assertThat(
            queried(
                "SELECT count(*) FROM logs WHERE starts_with(message, '"
                    + SECOND_LINE
                    + " n\u00e4me ')"))
        .containsExactly(String.valueOf(VERSIONS.size() * Log4jSender.EVENTS));
  }

  // ---- the senders ----

  private static Process startLog4j(String version, int port) throws IOException {
    List<String> command = new ArrayList<>(java(version, "jackson"));
    command.add(Log4jSender.class.getName());
    for (Map.Entry<String, String> layout : LAYOUTS.entrySet()) {
      command.add(configuration(version + "-" + layout.getKey(), layout.getValue(), port));
    }
    return start(command, version);
  }

  private static String configuration(String name, String layout, int port) throws IOException {
    Path file = directory.resolve(name + ".xml");
    Files.writeString(
        file,
        """
        <Configuration status="warn">
          <Appenders>
            <Socket name="collector" host="127.0.0.1" port="%d" ignoreExceptions="false">%s</Socket>
          </Appenders>
          <Loggers><Root level="debug"><AppenderRef ref="collector"/></Root></Loggers>
        </Configuration>
        """
            .formatted(port, layout));
    return file.toString();
  }

  private static Process startLogback(int port) throws IOException {
    Path file = directory.resolve("logback.xml");
    Files.writeString(
        file,
        """
        <configuration>
          <appender name="collector" class="ch.qos.logback.classic.net.SocketAppender">
            <remoteHost>127.0.0.1</remoteHost><port>%d</port>
            <reconnectionDelay>50 milliseconds</reconnectionDelay>
          </appender>
          <root level="info"><appender-ref ref="collector"/></root>
        </configuration>
        """
            .formatted(port));
    List<String> command = new ArrayList<>(java("logback"));
    command.add("-Dlogback.configurationFile=" + file);
    command.add(LogbackSender.class.getName());
    return start(command, "logback");
  }

  private static List<String> java(String... folders) throws IOException {
    List<String> classPath = new ArrayList<>(List.of("target/test-classes"));
    for (String folder : folders) {
      try (Stream<Path> jars = Files.list(SENDERS.resolve(folder))) {
        jars.map(Path::toString).forEach(classPath::add);
      }
    }
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-XX:TieredStopAtLevel=1",
        "-Dfile.encoding=UTF-8",
        "-cp",
        String.join(":", classPath));
  }

  private static Process start(List<String> command, String name) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output(name).toFile())
        .start();
  }

  private static Path output(String name) {
    return directory.resolve(name + ".out");
  }

  private static void end(Process sender) throws Exception {
    try {
      assertThat(sender.waitFor(100, TimeUnit.SECONDS)).isTrue();
      assertThat(sender.exitValue()).as(LogLayoutsIT::outputs).isZero();
    } finally {
      sender.destroyForcibly();
    }
  }

  private static String outputs() {
    try (Stream<Path> files = Files.list(directory)) {
      StringBuilder all = new StringBuilder();
      for (Path file : files.filter(each -> each.toString().endsWith(".out")).toList()) {
        all.append(file.getFileName()).append('\n');
        all.append(Files.readString(file, StandardCharsets.UTF_8)).append('\n');
      }
      return all.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> queried(String sql) throws Exception {
    return RunQueries.rows(query, sql);
  }
}

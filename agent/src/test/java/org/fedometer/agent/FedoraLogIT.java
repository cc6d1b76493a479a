package org.fedometer.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.fedometer.agent.ScriptedCollector.LogLine;
import org.fedometer.agent.ScriptedCollector.Reading;
import org.fedometer.agent.ScriptedCollector.Sample;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.session.AgentReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the agent's capture of the log in a JVM that it was attached to. */
class FedoraLogIT {

  @TempDir Path folder;
  private ScriptedCollector collector;
  private AgentJvm fedora;

  @BeforeEach
  void begin() throws Exception {
    collector = new ScriptedCollector(0);
    fedora = AgentJvm.start(folder, null, Map.of());
  }

  @AfterEach
  void end() throws Exception {
    fedora.close();
    collector.close();
  }

  @Test
  void aWarningComesWithItsTraceAndItsException() throws Exception {
    fedora.send("ingest 1 1");
    attach("telemetry=off");
    fedora.send("ingest 1 3");
    LogLine line = awaitLine(any -> any.message().contains("w0:bad"));
    assertThat(line.level()).isEqualTo(LogLevel.WARN);
    assertThat(line.logger()).isEqualTo("org.fcrepo.server.management.DefaultManagement");
    assertThat(line.thread()).isEqualTo("http-exec-0");
    assertThat(line.thrown())
        .startsWith("java.lang.IllegalStateException: because\n\tat org.fcrepo.server.management");
    fedora.awaitUntil(
        () ->
            List.copyOf(collector.traces).stream().anyMatch(trace -> trace.pid().equals("w0:bad")));
    ScriptedCollector.Trace trace =
        List.copyOf(collector.traces).stream()
            .filter(any -> any.pid().equals("w0:bad"))
            .findFirst()
            .get();
    assertThat(line.trace()).isEqualTo(trace.trace());
    Sample root =
        List.copyOf(collector.samples).stream()
            .filter(
                sample -> sample.trace() == trace.trace() && sample.stage().equals("http.request"))
            .findFirst()
            .get();
    assertThat(line.atNanos())
        .isBetween(root.startNanos(), root.startNanos() + root.durationNanos());
  }

  @Test
  void linesBeyondTheRateAreCountedInASeparateLine() throws Exception {
    attach("log-rate=5");
    fedora.send("log 1000");
    // On a busy machine the agent counts in the middle of them, and again.
    fedora.awaitUntil(() -> captured() + dropped() == 1000);
    assertThat(captured()).isGreaterThanOrEqualTo(5);
    assertThat(dropped()).isPositive();
    assertThat(lines().get(0).trace()).isZero();
  }

  @Test
  void capturesNothingWhenOffOrPaused() throws Exception {
    attach("log-level=off");
    fedora.send("log 3");
    attach("log-level=warn");
    fedora.send("log 1");
    awaitLine(any -> any.logger().equals("stand.in"));
    Tool.command(fedora.pid(), "pause");
    fedora.send("log 2");
    Tool.command(fedora.pid(), "resume");
    fedora.send("log 1");
    Tool.command(fedora.pid(), "detach");
    fedora.send("log 2");
    assertThat(lines()).extracting(LogLine::message).containsExactly("line 0", "line 0");
  }

  @Test
  void capturesLog4jEvents() throws Exception {
    AgentReport report = attach("telemetry=off");
    assertThat(report.captures())
        .anySatisfy(
            capture -> {
              assertThat(capture.name()).isEqualTo("log4j-events");
              assertThat(capture.weaving()).isEqualTo(AgentReport.Weaving.WOVEN);
              assertThat(capture.detail()).isEqualTo("org.apache.log4j.Category.callAppenders");
            });
    fedora.send("log4j");
    LogLine line = awaitLine(any -> any.logger().equals("old"));
    assertThat(line.message()).isEqualTo("as before Fedora 3.4");
    assertThat(line.level()).isEqualTo(LogLevel.WARN);
  }

  @Test
  void flushesOfTriplesAreTelemetryAndThoseThatFailAreErrors() throws Exception {
    attach("telemetry=off");
    assertThat(fedora.send("lose")).isEqualTo("lost");
    LogLine line = awaitLine(any -> any.level() == LogLevel.ERROR);
    assertThat(line.message())
        .isEqualTo(
            "triples lost: a flush of 3 updates failed:"
                + " java.lang.IllegalArgumentException: value too long");
    assertThat(line.thrown()).contains("Error updating triples", "Caused by: ");
    assertThat(value("triples.flush.lost")).isEqualTo(3);
    fedora.end();
    await().atMost(AgentJvm.TIMEOUT).until(() -> collector.hasEnded());
    assertThat(value("triples.flush.updates")).isEqualTo(42);
    assertThat(value("triples.flush.duration")).isBetween(0.0, 60.0);
    assertThat(collector.fault).isNull();
  }

  private AgentReport attach(String option) throws Exception {
    return Tool.command(fedora.pid(), "attach", "collector=" + collector.address(), option);
  }

  private List<LogLine> lines() {
    return List.copyOf(collector.lines);
  }

  private long captured() {
    return lines().stream().filter(any -> any.logger().equals("stand.in")).count();
  }

  /** Returns the count in the agent's own lines. */
  private long dropped() {
    return lines().stream()
        .filter(any -> any.logger().equals("org.fedometer.agent"))
        .filter(any -> any.message().matches("[0-9,]+ lines? of Fedora's log left out.*"))
        .mapToLong(any -> Long.parseLong(any.message().split(" ")[0].replace(",", "")))
        .sum();
  }

  private LogLine awaitLine(Predicate<LogLine> wanted) {
    await().atMost(AgentJvm.TIMEOUT).until(() -> lines().stream().anyMatch(wanted));
    return lines().stream().filter(wanted).findFirst().get();
  }

  private double value(String metric) {
    return List.copyOf(collector.readings).stream()
        .filter(reading -> reading.metric().equals(metric))
        .mapToDouble(Reading::value)
        .findFirst()
        .orElse(Double.NaN);
  }
}

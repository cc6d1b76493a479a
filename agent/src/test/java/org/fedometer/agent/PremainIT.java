package org.fedometer.agent;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fedometer.agent.ScriptedCollector.Sample;
import org.fedometer.agent.ScriptedCollector.Trace;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** The agent's real jar in a real JVM, from the command line to the collector. */
class PremainIT {

  private static final int WORKERS = 3;
  private static final int INGESTS = 200;
  private static final Map<String, String> NO_ENVIRONMENT = Map.of();

  @TempDir Path folder;

  @Test
  void shipsEveryStageOfEveryRequestAndTheLastFlush() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0)) {
      AgentJvm.Outcome outcome = ingestTo(collector, ",source-name=here");

      assertThat(outcome.exitCode()).isZero();
      assertThat(outcome.err()).isEmpty();
      assertThat(collector.fault).isNull();
      assertThat(collector.hello.sourceKind()).isEqualTo("agent");
      assertThat(collector.hello.sourceName()).isEqualTo("here");
      assertThat(collector.hello.attributes()).containsOnlyKeys("java", "pid", "bootId");

      long requests = WORKERS * (INGESTS + 1);
      assertThat(collector.samples.stream().collect(groupingBy(Sample::stage, counting())))
          .containsOnly(
              Map.entry("http.request", requests),
              Map.entry("ingest", requests),
              Map.entry("ingest.parse", 2 * requests - WORKERS),
              Map.entry("triples.flush", 1L));
      assertThat(collector.samples)
          .extracting(Sample::thread)
          .containsOnly("http-exec-0", "http-exec-1", "http-exec-2", "localhost-startStop-2");
      assertThat(collector.samples.stream().filter(Sample::failed))
          .hasSize(WORKERS)
          .allMatch(sample -> sample.stage().equals("ingest"));
      assertThat(collector.hasEnded()).isTrue();
      assertThat(collector.totals.samplesDropped()).isZero();
      assertTotalsAreTheSumsOfTheSamples(collector);
      assertThat(collector.log).contains("woven 5 of ").contains("agent ends, connected");
    }
  }

  @Test
  void tracesJoinTheClientsRequestsWithTheirObjects() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0)) {
      ingestTo(collector, "");

      assertThat(collector.traces)
          .filteredOn(trace -> trace.rootStage().equals("http.request"))
          .hasSize(WORKERS * (INGESTS + 1))
          .extracting(Trace::pid, Trace::traceparent, Trace::operation, Trace::failed)
          .contains(
              tuple("w1:7", "00-trace-w1-7-01", "ingest", false),
              tuple("w2:bad", "", "ingest", true));
      // Self times of a trace add up to its root's total: no time is counted twice or lost.
      Map<Long, Long> own =
          collector.samples.stream()
              .collect(groupingBy(Sample::trace, summingLong(Sample::selfNanos)));
      assertThat(collector.samples)
          .filteredOn(sample -> sample.stage().equals("http.request"))
          .allSatisfy(root -> assertThat(own.get(root.trace())).isEqualTo(root.durationNanos()));
    }
  }

  @Test
  void countsWhatATinyRingDropsAndKeepsTheTotalsExact() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0)) {
      ingestTo(collector, ",ring-samples=4");

      long requests = WORKERS * (INGESTS + 1);
      assertThat(collector.totals.samplesDropped()).isPositive();
      assertThat(collector.totals.tracesDropped()).isPositive();
      assertThat(collector.totals.stages().stream().mapToLong(Totals.StageTotal::count).sum())
          .isEqualTo(collector.samples.size() + collector.totals.samplesDropped())
          .isEqualTo(4 * requests - WORKERS + 1);
    }
  }

  @Test
  void noAgentClassIsVisibleToThePrograms() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0);
        AgentJvm fedora =
            AgentJvm.start(folder, "=collector=" + collector.address(), NO_ENVIRONMENT)) {
      for (String inside :
          List.of(
              "org.aspectj.weaver.World",
              "org.aspectj.lang.JoinPoint",
              "org.fedometer.wire.client.CollectorClient",
              "org.fedometer.agent.core.Agent")) {
        assertThat(fedora.send("sees " + inside)).isEqualTo(inside + " hidden");
      }
    }
  }

  @Test
  void readsOptionsFromPropertiesAndEnvironment() throws Exception {
    try (ScriptedCollector collector = new ScriptedCollector(0)) {
      try (AgentJvm fedora =
          AgentJvm.start(
              folder,
              "",
              Map.of(
                  "FEDOMETER_COLLECTOR",
                  collector.address(),
                  "FEDOMETER_SOURCE_NAME",
                  "overridden"),
              "-Dfedometer.source-name=by-property")) {
        ingest(fedora, collector, 1, 1);
        fedora.end();
      }
      assertThat(collector.hello.sourceName()).isEqualTo("by-property");
      assertThat(collector.samples).isNotEmpty();
    }
  }

  @Test
  void aWrongOptionIsOneLineOnStderrAndFedoraRunsAsBefore() throws Exception {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("", "the collector is missing"),
            Map.entry("=collectr=127.0.0.1:4711", "unknown option 'collectr'"),
            Map.entry("=collector", "option 'collector' has no value"),
            Map.entry("=collector=127.0.0.1", "is not HOST:PORT"),
            Map.entry("=collector=127.0.0.1:port", "not 'port'"),
            Map.entry("=collector=127.0.0.1:70000", "not '70000'"),
            Map.entry(
                "=collector=127.0.0.1:4711,ring-samples=1000",
                "ring-samples=1000 is not a power of two"),
            Map.entry("=collector=127.0.0.1:4711,memory=1k", "at least 4m"),
            Map.entry(
                "=collector=127.0.0.1:4711,token-file=/no/such/file", "token file cannot be read"),
            Map.entry("=collector=127.0.0.1:4711,command=dance", "unknown command 'dance'"),
            Map.entry("=collector=127.0.0.1:4711,spool=/tmp/x,memory=15m", "at least 16m"),
            Map.entry("=collector=127.0.0.1:4711,spool=/tmp/x,spool-size=1m", "at least 4m"),
            Map.entry("=collector=127.0.0.1:4711,spool=/proc/x", "cannot be used"));
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      try (AgentJvm fedora = AgentJvm.start(folder, each.getKey(), NO_ENVIRONMENT)) {
        assertThat(fedora.send("ingest 1 3")).isEqualTo("done");
        assertThat(fedora.send("threads")).doesNotContain("fedometer");
        AgentJvm.Outcome outcome = fedora.end();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err())
            .startsWith("fedometer: agent off: ")
            .contains(each.getValue())
            .hasLineCount(1);
      }
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_23, disabledReason = "later ones have no security manager")
  void aSecurityManagerThatGrantsItNothingLeavesTheJvmRunningWithoutIt() throws Exception {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.security.manager",
                "-javaagent:" + AgentJvm.JAR + "=collector=127.0.0.1:1",
                "-version")
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(java.waitFor()).as(said).isZero();
    assertThat(said).contains("fedometer: agent off: ", "access denied");
  }

  @Test
  void doesNotWaitForeverForAMissingCollectorAndReportsIt() throws Exception {
    try (AgentJvm fedora = AgentJvm.start(folder, "=collector=127.0.0.1:1", NO_ENVIRONMENT)) {
      assertThat(fedora.send("ingest 1 10")).isEqualTo("done");
      AgentJvm.Outcome outcome = fedora.end();
      assertThat(outcome.exitCode()).isZero();
      assertThat(outcome.err())
          .startsWith("fedometer: the last samples were not acknowledged (")
          .containsPattern(" frames?\\): Connection refused")
          .hasLineCount(1);
    }
  }

  private AgentJvm.Outcome ingestTo(ScriptedCollector collector, String moreOptions)
      throws Exception {
    try (AgentJvm fedora =
        AgentJvm.start(folder, "=collector=" + collector.address() + moreOptions, NO_ENVIRONMENT)) {
      ingest(fedora, collector, WORKERS, INGESTS);
      return fedora.end();
    }
  }

  /** As clients do: when Fedora is up, and so its classes are woven. */
  private static void ingest(AgentJvm fedora, ScriptedCollector collector, int workers, int ingests)
      throws Exception {
    await()
        .atMost(AgentJvm.TIMEOUT)
        .untilAsserted(() -> assertThat(collector.log).contains("woven 5 of "));
    assertThat(fedora.send("ingest " + workers + " " + ingests)).isEqualTo("done");
  }

  private static void assertTotalsAreTheSumsOfTheSamples(ScriptedCollector collector) {
    for (Totals.StageTotal total : collector.totals.stages()) {
      List<Sample> samples =
          collector.samples.stream()
              .filter(sample -> sample.stage().equals(collector.stage(total.stageId())))
              .toList();
      assertThat(total.count()).isEqualTo(samples.size());
      assertThat(total.failedCount()).isEqualTo(samples.stream().filter(Sample::failed).count());
      assertThat(total.sumDurationNanos())
          .isEqualTo(samples.stream().mapToLong(Sample::durationNanos).sum());
    }
  }
}

package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Five hundred agents send to one collector, which is killed and started again meanwhile. */
@Tag("faults")
class ManyAgentsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final int AGENTS = 500;
  private static final int SECONDS = 12;
  private static final int SENDING_THREADS = 8;

  /** Frames of one second, without those of names. */
  private static final int FRAMES_A_SECOND = 4;

  @TempDir private Path folder;

  @Test
  void sharedRunsHaveEachFrameOnceAfterACollectorKill() throws Exception {
    Trials.of(
        "collector-killed-500-agents",
        trial -> killedAndStartedAgain(trial, number -> "shared-" + number % 10));
  }

  @Test
  @Tag("endurance")
  void separateRunsHaveEachFrameOnceAfterACollectorKill() throws Exception {
    Trials.of("collector-killed-500-runs", trial -> killedAndStartedAgain(trial, number -> ""));
  }

  private void killedAndStartedAgain(Trials.Trial trial, IntFunction<String> runName)
      throws Exception {
    Fedometer fedometer =
        new Fedometer(Files.createDirectory(folder.resolve("trial-" + trial.number())));
    int killAfterFrames = trial.between(AGENTS, AGENTS * SECONDS * FRAMES_A_SECOND * 3 / 4);
    List<SimulatedAgent> agents = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(SENDING_THREADS);
    try (CollectorInForeground collector = new CollectorInForeground(fedometer)) {
      for (int number = 0; number < AGENTS; number++) {
        agents.add(new SimulatedAgent(collector.port(), "agent-" + number, runName.apply(number)));
      }
      await().atMost(TIMEOUT).until(() -> agents.stream().allMatch(a -> a.status().connected()));
      List<Future<?>> sending = new ArrayList<>();
      for (int first = 0; first < SENDING_THREADS; first++) {
        List<SimulatedAgent> some = everyEighth(agents, first);
        sending.add(threads.submit(() -> send(some)));
      }
      await()
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> sum(agents, a -> a.status().acknowledgedSequence()) >= killAfterFrames);
      long acknowledged = sum(agents, a -> a.status().acknowledgedSequence());
      trial.note("threadsOfCollector", number(collector, "Threads"));
      collector.kill();
      long killedNanos = System.nanoTime();
      collector.start();
      for (Future<?> each : sending) {
        each.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
      }
      for (SimulatedAgent agent : agents) {
        assertThat(agent.awaitAcknowledged(TIMEOUT.toMillis()))
            .as(() -> agent.status().toString())
            .isTrue();
      }
      trial.noteSecondsSince("caughtUpSeconds", killedNanos);
      // One that had sent all before the kill may reconnect late.
      await()
          .atMost(TIMEOUT)
          .until(() -> agents.stream().allMatch(agent -> agent.status().connections() > 1));
      for (SimulatedAgent agent : agents) {
        assertThat(agent.status().framesLost()).as("taken back by the collector").isZero();
        assertThat(agent.status().framesDropped()).isZero();
        agent.close();
      }
      trial.note("residentMegabytesAtMost", number(collector, "VmHWM") / 1024);
      long endNanos = System.nanoTime();
      collector.stop();
      trial.noteSecondsSince("sealedSeconds", endNanos);
      trial.note("agents", AGENTS);
      trial.note("killedAtFrame", acknowledged);
      trial.note("samples", sum(agents, SimulatedAgent::samplesSent));

      assertThat(collector.err()).doesNotContain(" ERROR ");
      assertEverythingIsThereOnce(fedometer, agents);
    } finally {
      threads.shutdownNow();
      agents.forEach(SimulatedAgent::close);
      fedometer.endCalls();
    }
    assertThat(fedometer.processesLeft()).isEmpty();
  }

  private static List<SimulatedAgent> everyEighth(List<SimulatedAgent> agents, int first) {
    List<SimulatedAgent> some = new ArrayList<>();
    for (int i = first; i < agents.size(); i += SENDING_THREADS) {
      some.add(agents.get(i));
    }
    return some;
  }

  private static void send(List<SimulatedAgent> agents) {
    for (int second = 0; second < SECONDS; second++) {
      agents.forEach(SimulatedAgent::second);
    }
    agents.forEach(SimulatedAgent::end);
  }

  private static void assertEverythingIsThereOnce(Fedometer fedometer, List<SimulatedAgent> agents)
      throws Exception {
    assertThat(
            bySource(
                fedometer,
                "count(*) AS there, count(DISTINCT (trace, stage)) AS different FROM samples"))
        .isEqualTo(sent(agents, SimulatedAgent::samplesSent));
    assertThat(
            bySource(
                fedometer, "count(*) AS there, count(DISTINCT trace) AS different FROM traces"))
        .isEqualTo(sent(agents, SimulatedAgent::tracesSent));
    assertThat(
            bySource(
                fedometer,
                "count(*) AS there, count(DISTINCT (metric, value)) AS different FROM telemetry"))
        .isEqualTo(sent(agents, SimulatedAgent::readingsSent));
    assertThat(
            bySource(
                fedometer,
                "sum(count)::BIGINT AS there, sum(count)::BIGINT AS different FROM totals"))
        .isEqualTo(sent(agents, SimulatedAgent::samplesSent));
    JsonNode sources =
        fedometer.query(
            "SELECT count(DISTINCT source) AS sources, sum(frames_missing)::BIGINT AS missing,"
                + " sum(frames_unreadable)::BIGINT AS unreadable,"
                + " count(*) FILTER (WHERE finished) AS finished FROM sources");
    assertThat(sources.at("/0/sources").asLong()).isEqualTo(AGENTS);
    assertThat(sources.at("/0/finished").asLong()).isEqualTo(AGENTS);
    assertThat(sources.at("/0/missing").asLong()).isZero();
    assertThat(sources.at("/0/unreadable").asLong()).isZero();
    assertThat(
            fedometer
                .query("SELECT sum(count)::BIGINT AS samples FROM rollups")
                .at("/0/samples")
                .asLong())
        .isEqualTo(sum(agents, SimulatedAgent::samplesSent));
  }

  /** Rows of each source in all runs, and how many of them differ. */
  private static Map<String, String> bySource(Fedometer fedometer, String counts) throws Exception {
    Map<String, String> bySource = new HashMap<>();
    for (JsonNode row : fedometer.query("SELECT source, " + counts + " GROUP BY source")) {
      bySource.put(
          row.at("/source").asText(),
          row.at("/there").asText() + " rows, " + row.at("/different").asText() + " different");
    }
    return bySource;
  }

  private static Map<String, String> sent(
      List<SimulatedAgent> agents, ToLongFunction<SimulatedAgent> count) {
    Map<String, String> sent = new HashMap<>();
    for (SimulatedAgent agent : agents) {
      long rows = count.applyAsLong(agent);
      sent.put(agent.source().toString(), rows + " rows, " + rows + " different");
    }
    return sent;
  }

  private static long sum(List<SimulatedAgent> agents, ToLongFunction<SimulatedAgent> figure) {
    return agents.stream().mapToLong(figure).sum();
  }

  /** A number of {@code /proc/PID/status}; memory is in kB there. */
  private static long number(CollectorInForeground collector, String name) throws IOException {
    String status = Files.readString(Path.of("/proc/" + collector.process().pid() + "/status"));
    Matcher line = Pattern.compile("(?m)^" + name + ":\\s+(\\d+)").matcher(status);
    assertThat(line.find()).as(status).isTrue();
    return Long.parseLong(line.group(1));
  }
}

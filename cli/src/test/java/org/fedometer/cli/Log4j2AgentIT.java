package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.RunQueries;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunStore;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.TraceDecoder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A real Fedora whose agent sends its data to a collector by Log4j2 instead of frames. */
@Tag("fedora")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Log4j2AgentIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);

  private Path folder;
  private final List<Fedometer.Call> collectors = new ArrayList<>();
  private Fedometer fedometer;
  private String home;
  private String pid;
  private IngestLoad load;

  @BeforeAll
  void aFedoraWithoutAnAgent(@TempDir Path own) throws Exception {
    folder = own;
    fedometer = new Fedometer(folder);
    home = folder.resolve("fedora").toString();
    fedometer
        .startWithStore(
            "stack",
            "up",
            "--profile",
            "mulgara-derby",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--home",
            home,
            "--no-agent")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    JsonNode stack = fedometer.start("stack", "list", "--json").await(TIMEOUT).json().get(0);
    pid = stack.get("pid").asText();
    load =
        new IngestLoad(
            stack.get("url").asText(),
            stack.get("user").asText(),
            Files.readString(Path.of(stack.get("passwordFile").asText())).strip(),
            1);
    awaitMore(5);
    load.pause();
  }

  @AfterAll
  void end() throws Exception {
    if (load != null) {
      load.close();
    }
    // Of a failed test.
    for (Fedometer.Call collector : collectors) {
      collector.process().destroyForcibly().waitFor();
    }
    fedometer
        .start("stack", "down", "--home", home, "--delete")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
  }

  @Test
  void theStageTableIsTheOneOfTheWire() throws Exception {
    Path store = folder.resolve("both");
    Fedometer.Call collector = collector("127.0.0.1:0", store);
    String address = collector.address();

    attach(address, "wired");
    final long wired = ingests(20);
    detach();
    attach(address, "told", "--transport", "log4j2");
    final long log4j2Rows = ingests(20);
    detach();
    collector.process().destroy();
    collector.await(TIMEOUT);

    Map<String, Long> countsWired = counts(store, "wired");
    Map<String, Long> log4j2Counts = counts(store, "told");
    assertThat(log4j2Counts)
        .containsEntry("ingest", log4j2Rows)
        .containsEntry("http.request", log4j2Rows);
    countsWired.forEach(
        (stage, count) -> {
          // Fedora's work for each ingest, without background work.
          if (stage.startsWith("ingest") && count % wired == 0) {
            assertThat(log4j2Counts).as(stage).containsEntry(stage, count / wired * log4j2Rows);
          }
        });
    assertThat(countsWired.keySet().stream().filter(stage -> stage.startsWith("ingest")))
        .hasSizeGreaterThan(3);
    for (String run : List.of("wired", "told")) {
      assertSamplesAddUpToTheTotals(store, run);
    }
    assertThat(
            RunQueries.rows(
                store,
                "told",
                "SELECT frames_missing, samples_dropped, finished, attributes->>'transport'"
                    + " FROM sources"))
        .containsExactly("0|0|true|log4j2");
    assertThat(
            RunQueries.rows(store, "told", "SELECT count(*) FROM traces WHERE pid LIKE 'load:%'"))
        .containsExactly(Long.toString(log4j2Rows));
    assertThat(
            RunQueries.rows(
                store, "told", "SELECT count(*) > 0 FROM telemetry WHERE metric LIKE 'jvm%'"))
        .containsExactly("true");
    assertThat(store.resolve("runs/told/logs/agent.log")).content().contains("agent on, receiver");
  }

  /** Data unread at the kill is resent; data already read is not counted twice. */
  @Test
  void aCollectorThatIsKilledHasNothingTwiceAndAllThatItHadReadInTime() throws Exception {
    Path store = folder.resolve("killed-store");
    Fedometer.Call first = collector("127.0.0.1:0", store);
    String address = first.address();
    attach(address, "killed", "--transport", "log4j2");
    final long before = ingests(20);
    await()
        .atMost(TIMEOUT)
        .ignoreException(NoSuchRunException.class)
        .until(() -> onDisk(store, "killed") >= before);

    load.resume();
    awaitMore(10);
    first.process().destroyForcibly().waitFor();
    awaitMore(10);
    load.pause();
    Fedometer.Call second = collector(address, store);
    second.address();
    final long after = ingests(20);
    detach();
    second.process().destroy();
    second.await(TIMEOUT);

    assertThat(load.failures()).isEmpty();
    assertThat(
            RunQueries.rows(
                store,
                "killed",
                "SELECT count(*) - count(DISTINCT (thread, stage, start_nanos, duration_nanos, trace))"
                    + " FROM samples"))
        .containsExactly("0");
    String ingests = "SELECT count(*) FROM samples WHERE stage = 'ingest'";
    long stored = Long.parseLong(RunQueries.rows(store, "killed", ingests).get(0));
    long total =
        Long.parseLong(
            RunQueries.rows(store, "killed", "SELECT count FROM totals WHERE stage = 'ingest'")
                .get(0));
    assertThat(stored).isBetween(before + after, total);
    assertThat(RunQueries.rows(store, "killed", "SELECT frames_missing FROM sources"))
        .containsExactly("0");
  }

  private Fedometer.Call collector(String address, Path store) throws IOException {
    Fedometer.Call collector =
        fedometer.start("collect", "--listen", address, "--store", store.toString());
    collectors.add(collector);
    return collector;
  }

  private void attach(String collector, String run, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("attach", pid, "--collector", collector, "--name", run));
    arguments.addAll(List.of(more));
    fedometer.start(arguments.toArray(String[]::new)).await(TIMEOUT).expect(ExitCode.DONE);
  }

  private void detach() throws Exception {
    fedometer.start("detach", pid).await(TIMEOUT).expect(ExitCode.DONE);
  }

  /** So many at least; none is under way afterwards. */
  private long ingests(int atLeast) throws Exception {
    long before = load.ingested();
    load.resume();
    awaitMore(atLeast);
    load.pause();
    assertThat(load.failures()).isEmpty();
    return load.ingested() - before;
  }

  private void awaitMore(int ingests) {
    long enough = load.ingested() + ingests;
    await().atMost(TIMEOUT).until(() -> load.ingested() >= enough);
  }

  private Map<String, Long> counts(Path store, String run) throws Exception {
    JsonNode report =
        fedometer
            .start("report", run, "--store", store.toString(), "--json")
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
    Map<String, Long> counts = new TreeMap<>();
    report
        .get("stages")
        .forEach(stage -> counts.put(stage.get("name").asText(), stage.get("count").asLong()));
    return counts;
  }

  private static void assertSamplesAddUpToTheTotals(Path store, String run) throws Exception {
    List<String> totals =
        RunQueries.rows(
            store,
            run,
            "SELECT stage, count, failed, sum_duration_nanos FROM totals ORDER BY stage");
    assertThat(totals).isNotEmpty();
    assertThat(
            RunQueries.rows(
                store,
                run,
                "SELECT stage, count(*), count(*) FILTER (failed), sum(duration_nanos)::BIGINT"
                    + " FROM samples GROUP BY stage ORDER BY stage"))
        .isEqualTo(totals);
  }

  /** Requests that a running collector has written down, sealed or not. */
  private static long onDisk(Path store, String run) throws Exception {
    Requests requests = new Requests();
    for (Path segment : RunStore.at(store).folderOf(run).segmentFiles()) {
      try {
        SegmentReader.read(segment, requests);
      } catch (NoSuchFileException sealedMeanwhile) {
        // The next look finds it in the table.
      }
    }
    String sealed = RunQueries.rows(store, run, "SELECT count(*) FROM traces").get(0);
    return requests.sentByLog4j2 + Long.parseLong(sealed);
  }

  private static final class Requests implements SegmentVisitor {
    private long sentByLog4j2;

    @Override
    public void run(String runId, String runName) {}

    @Override
    public void source(SegmentSource source) {}

    @Override
    public void frame(int sourceIndex, Frame frame) throws IOException {
      if (frame.type() == FrameType.TRACES) {
        TraceDecoder.decode(
            ByteBuffer.wrap(frame.payload()),
            (trace, rootStage, object, traceparent, operation, failed) -> sentByLog4j2++);
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {}
  }
}

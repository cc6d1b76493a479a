package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.store.Ulid;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** runs, query, fetch, archive and rm, as a user runs them, beside a collector with a token. */
@Tag("slow")
class StoreQueryIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final String TOKEN = "open sesame";

  @TempDir private Path folder;
  private Fedometer fedometer;
  private Fedometer.Call collector;
  private InetSocketAddress address;
  private Path tokenFile;

  @BeforeEach
  void collect() throws Exception {
    fedometer = new Fedometer(folder);
    tokenFile = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    collector =
        fedometer.startWithStore(
            "collect", "--listen", "127.0.0.1:0", "--token-file", tokenFile.toString());
    await().atMost(TIMEOUT).until(() -> collector.err().contains("collector listens on "));
    String where = collector.err().replaceAll("(?s).*listens on 127.0.0.1:(\\d+),.*", "$1");
    address = new InetSocketAddress("127.0.0.1", Integer.parseInt(where));
    send("night", "done", 300);
  }

  @AfterEach
  void nothingIsLeftRunning() throws Exception {
    collector.process().destroy();
    collector.await(TIMEOUT);
    assertThat(fedometer.processesLeft()).isEmpty();
  }

  @Test
  void queriesALocalAndARemoteStore() throws Exception {
    var here = fedometer.startWithStore("runs", "list").await(TIMEOUT).expect(ExitCode.DONE);
    assertThat(here.out()).contains("RUN", "night", "done", "some-profile");
    var narrow =
        fedometer
            .start(Map.of("COLUMNS", "40"), "runs", "list", "--store", fedometer.store().toString())
            .await(TIMEOUT);
    assertThat(narrow.expect(ExitCode.DONE).out()).contains("RUN", "night").doesNotContain("SIZE");
    assertThat(narrow.out().lines()).allMatch(line -> line.length() <= 40);
    JsonNode far = from("runs", "list", "--json").expect(ExitCode.DONE).json();
    assertThat(far.get(0).get("name").asText()).isEqualTo("night");

    var table =
        fedometer
            .startWithStore(
                "runs", "query", "SELECT trace FROM samples ORDER BY trace", "--run", "night")
            .await(TIMEOUT)
            .expect(ExitCode.DONE);
    assertThat(table.out()).contains("trace", "99", "... 200 rows more");
    var csv =
        from(
                "runs",
                "query",
                "SELECT run, trace, 'a \"b\", c' AS t FROM samples",
                "--format",
                "csv")
            .expect(ExitCode.DONE);
    assertThat(csv.out().lines())
        .hasSize(301)
        .startsWith("run,trace,t")
        .contains("night,7,\"a \"\"b\"\", c\"");
    JsonNode json =
        from(
                "runs",
                "query",
                "SELECT 1 AS a, 2 AS a, sum(trace) AS s, 'NaN'::DOUBLE AS n FROM samples",
                "--json")
            .expect(ExitCode.DONE)
            .json();
    assertThat(json.get(0).toString())
        .isEqualTo("{\"a\":1,\"a_2\":2,\"s\":" + 299 * 150 + ",\"n\":\"NaN\"}");
    JsonNode struct =
        from("runs", "query", "SELECT {'b': 1, 'a': {'x': [2]}} AS s", "--json")
            .expect(ExitCode.DONE)
            .json();
    assertThat(struct.get(0).toString()).isEqualTo("{\"s\":{\"b\":1,\"a\":{\"x\":[2]}}}");
    var plan =
        fedometer
            .start(
                Map.of("LC_ALL", "C"),
                "runs",
                "query",
                "EXPLAIN SELECT 1 AS x",
                "--store",
                fedometer.store().toString())
            .await(TIMEOUT);
    assertThat(plan.expect(ExitCode.DONE).out())
        .containsIgnoringCase("projection")
        .contains("|\n", "---")
        .doesNotContain("explain_key", "\\u", "?");
    assertThat(fedometer.startWithStore("runs", "query").await(TIMEOUT).expect(ExitCode.DONE).out())
        .contains("samples", "self_nanos", "rollups");
  }

  @Test
  void collectorLogsItsAddressOnce() {
    assertThat(collector.err().lines().filter(line -> line.contains("listens on")))
        .singleElement()
        .asString()
        .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO .*");
  }

  @Test
  void reportsInvalidQueries() throws Exception {
    for (String sql :
        new String[] {"DROP VIEW samples", "FROM read_text('/etc/passwd')", "SELEC"}) {
      var refused = fedometer.startWithStore("runs", "query", sql).await(TIMEOUT);
      refused.expect(ExitCode.BAD_USAGE);
      assertThat(refused.err()).startsWith("fedometer: ").doesNotContain("Exception");
      assertThat(from("runs", "query", sql).expect(ExitCode.BAD_USAGE).err())
          .isEqualTo(refused.err());
    }
    var token =
        fedometer.start("runs", "list", "--from", "127.0.0.1:" + address.getPort()).await(TIMEOUT);
    assertThat(token.expect(ExitCode.COULD_NOT_START).err()).contains("token");
    var query =
        fedometer
            .start("runs", "query", "SELECT 1", "--from", "127.0.0.1:" + address.getPort())
            .await(TIMEOUT);
    assertThat(query.expect(ExitCode.COULD_NOT_START).err()).contains("token");
    var both = from("runs", "list", "--store", "x").expect(ExitCode.BAD_USAGE);
    assertThat(both.err()).contains("--store", "--from");
    assertThat(from("runs", "query", "SELECT 1", "--run", "day").expect(ExitCode.BAD_USAGE).err())
        .contains("day", "night");
    for (String run : new String[] {"*", "../store", "day"}) {
      var rm = fedometer.startWithStore("runs", "rm", run).await(TIMEOUT);
      assertThat(rm.expect(ExitCode.BAD_USAGE).err()).contains(run);
    }
  }

  @Test
  void theLibraryOfDuckDbIsLoadedFromTheDistribution() throws Exception {
    from("runs", "query", "SELECT 1").expect(ExitCode.DONE);

    assertThat(Files.readString(Path.of("/proc", collector.process().pid() + "", "maps")))
        .contains("target/fedometer/lib/libduckdb_java.so_linux_");
  }

  @Test
  void ctrlCEndsAStatement() throws Exception {
    var call =
        fedometer.start(
            Map.of(
                "JAVA_TOOL_OPTIONS",
                "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("temporary"))),
            "runs",
            "query",
            "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range * b.range = 7",
            "--store",
            fedometer.store().toString());
    await().atMost(TIMEOUT).until(() -> hasSpillDirectory());
    call.process().destroy();
    call.await(TIMEOUT);
    assertThat(hasSpillDirectory()).isFalse();
  }

  private boolean hasSpillDirectory() throws IOException {
    try (var entries = Files.newDirectoryStream(folder.resolve("temporary"), "fedometer-query-*")) {
      return entries.iterator().hasNext();
    }
  }

  @Test
  void fetchesArchivesRestoresAndRemovesARun() throws Exception {
    Path other = folder.resolve("other");
    var fetched = from("runs", "fetch", "night", "--store", other.toString()).expect(ExitCode.DONE);
    assertThat(fetched.out()).contains("copied").doesNotContain("still being written");
    assertThat(count(other)).isEqualTo("300");

    var archived =
        fedometer.start("runs", "archive", "night", "--store", other.toString()).await(TIMEOUT);
    archived.expect(ExitCode.DONE);
    assertThat(other.resolve("runs")).isEmptyDirectory();
    fedometer
        .start(
            "runs", "restore", folder.resolve("night.zip").toString(), "--store", other.toString())
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    assertThat(count(other)).isEqualTo("300");

    var withoutToken = fedometer.startWithStore("runs", "rm", "night").await(TIMEOUT);
    withoutToken.expect(ExitCode.DONE_WITH_ERRORS);
    assertThat(withoutToken.err()).contains("token");
    try (CollectorClient client = client("busy")) {
      client.awaitWelcome(TIMEOUT.toMillis());
      var busy = withToken("runs", "rm", "busy").expect(ExitCode.DONE_WITH_ERRORS);
      assertThat(busy.err()).contains("in progress");
      assertThat(withToken("runs", "archive", "busy").expect(ExitCode.COULD_NOT_START).err())
          .contains("in progress");
    }
    withToken("runs", "rm", "night").expect(ExitCode.DONE);
    assertThat(fedometer.store().resolve("runs/night")).doesNotExist();
    assertThat(fedometer.startWithStore("runs", "list").await(TIMEOUT).out())
        .doesNotContain("night");
  }

  @Test
  void showsARunWithoutCollectorAsAbandoned() throws Exception {
    send("cut", "running", 10);
    assertThat(fedometer.startWithStore("runs", "list").await(TIMEOUT).out()).contains("running");
    collector.process().destroyForcibly().waitFor();
    assertThat(fedometer.startWithStore("runs", "list").await(TIMEOUT).out())
        .contains("abandoned")
        .doesNotContain("running");
    assertThat(from("runs", "list").expect(ExitCode.COULD_NOT_START).err())
        .contains("127.0.0.1:" + address.getPort());
  }

  private String count(Path store) throws Exception {
    return fedometer
        .start(
            "runs",
            "query",
            "SELECT count(*) FROM samples",
            "--format",
            "csv",
            "--store",
            store.toString())
        .await(TIMEOUT)
        .expect(ExitCode.DONE)
        .out()
        .lines()
        .skip(1)
        .findFirst()
        .orElseThrow();
  }

  private Fedometer.Call withToken(String... arguments) throws Exception {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--token-file";
    all[arguments.length + 1] = tokenFile.toString();
    return fedometer.startWithStore(all).await(TIMEOUT);
  }

  private Fedometer.Call from(String... arguments) throws Exception {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--from";
    all[arguments.length + 1] = "127.0.0.1:" + address.getPort();
    return fedometer.start(Map.of("FEDOMETER_TOKEN", TOKEN), all).await(TIMEOUT);
  }

  private CollectorClient client(String run) throws Exception {
    return CollectorClient.open(
        ClientOptions.builder(address.getHostString(), address.getPort())
            .source(UUID.randomUUID())
            .sourceKind("agent")
            .tokenOrNull(TOKEN)
            .runName(run)
            .build());
  }

  private void send(String run, String state, int samples) throws Exception {
    try (CollectorClient client = client(run)) {
      client.awaitWelcome(TIMEOUT.toMillis());
      client.offer(FrameType.STAGES, new Dictionary().put(0, "ingest").encode());
      SampleEncoder encoder = new SampleEncoder();
      for (long trace = 0; trace < samples; trace++) {
        encoder.add(0, 1, trace, trace * 1_000, 10, 10, false);
      }
      client.offer(FrameType.SAMPLES, encoder.finish());
      String document =
          "{\"schema\":1,\"id\":\"%s\",\"state\":\"%s\",\"profile\":{\"name\":\"some-profile\"}}"
              .formatted(Ulid.next(), state);
      client.offer(
          FrameType.DOCUMENT,
          new Document("run.json", document.getBytes(StandardCharsets.UTF_8), false).encode());
      client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
      assertThat(client.awaitAcknowledged(TIMEOUT.toMillis())).isTrue();
    }
  }
}

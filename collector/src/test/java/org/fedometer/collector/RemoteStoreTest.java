package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunFetch;
import org.fedometer.store.RunStore;
import org.fedometer.store.RunView.RunFile;
import org.fedometer.store.Ulid;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.fedometer.store.remote.RemoteRun;
import org.fedometer.store.remote.RemoteStore;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.client.CollectorReader;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers ask a collector over the wire, while it goes on collecting. */
@Tag("slow")
@Timeout(120)
class RemoteStoreTest {
  private static final String RUN_ID = Ulid.next();

  @TempDir Path folder;
  private Path directory;
  private CollectorServer server;

  @BeforeEach
  void start() throws Exception {
    directory = Files.createDirectory(folder.resolve("store"));
    server = start(SegmentLogOptions.defaults());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.filter(path -> path.toString().endsWith(".tmp"))).isEmpty();
    }
  }

  @Test
  void remoteResultsEqualLocalOnes() throws Exception {
    collect("night", 1_000);
    String sql =
        "SELECT *, 'NaN'::DOUBLE AS nan, '-Infinity'::DOUBLE AS less, '\\xAA'::BLOB AS bytes,"
            + " 1.0::DOUBLE AS one, [1, NULL] AS list, MAP {'k': 2.5::DOUBLE} AS map,"
            + " 18446744073709551615::UBIGINT AS large, '{\"a\": \"\\n\"}' AS text, ? AS given"
            + " FROM samples WHERE trace < ? ORDER BY trace";

    try (Query here = RunStore.at(directory).run("night").query();
        Query there = remote().run("night").query();
        Rows local = here.execute(sql, "it's", 700L);
        Rows far = there.execute(sql, "it's", 700L)) {
      assertThat(far.columns()).isEqualTo(local.columns());
      int count = 0;
      while (local.next()) {
        assertThat(far.next()).isTrue();
        for (int i = 0; i < local.columns().size(); i++) {
          assertThat(far.value(i)).isEqualTo(local.value(i));
        }
        count++;
      }
      assertThat(far.next()).isFalse();
      assertThat(count).isEqualTo(700);
    }
  }

  @Test
  void runsDocumentsAndFilesAreTheSameFromFarAway() throws Exception {
    collect("first", 10);
    collect("second", 20);

    RunStore here = RunStore.at(directory);
    assertThat(remote().summaries()).isEqualTo(here.summaries()).hasSize(2);
    RemoteRun run = remote().run("second");
    assertThat(run.document()).isEqualTo(here.run("second").document());
    assertThat(run.files()).isEqualTo(here.run("second").files());
    for (RunFile file : run.files()) {
      try (InputStream far = run.open(file.path());
          InputStream near = here.run("second").open(file.path())) {
        assertThat(far.readAllBytes()).isEqualTo(near.readAllBytes());
      }
    }
    try (Query all = remote().query()) {
      assertThat(rows(all, "SELECT run, count(*) FROM samples GROUP BY run ORDER BY run"))
          .containsExactly("first|10", "second|20");
    }
  }

  @Test
  void reportsAFailedQueryAndExecutesTheNextOne() throws Exception {
    collect("night", 10);
    Files.writeString(folder.resolve("secret"), "not for everybody");
    InetSocketAddress at = server.address();
    try (CollectorReader reader =
        CollectorReader.connect(at.getHostString(), at.getPort(), "", null)) {
      assertFails(reader, "{\"request\":\"query\",\"sql\":\"SELEC 1\"}", "SELEC");
      assertFails(reader, "{\"request\":\"query\",\"sql\":\"DROP VIEW samples\"}", "reads");
      assertFails(
          reader, "{\"request\":\"query\",\"run\":\"nothing\",\"sql\":\"FROM gc\"}", "night");
      assertFails(
          reader,
          "{\"request\":\"query\",\"run\":\"" + folder + "\",\"sql\":\"FROM gc\"}",
          "No run");
      assertFails(
          reader, "{\"request\":\"query\",\"sql\":\"SELECT ?\",\"parameters\":[[1]]}", "[1]");
      assertFails(reader, "{\"request\":", "its JSON ends too early");
      assertFails(reader, "[]", "not a JSON object");
      assertFails(reader, "", "not a JSON object");
      assertFails(reader, "{\"request\":\"weather\"}", "does not know the request \"weather\"");
      assertFails(reader, "{\"request\":\"remove\",\"run\":\"../store\"}", "No run");
      assertFails(reader, "{\"request\":\"remove\",\"run\":\"*\"}", "No run");
      assertFails(reader, file("../../../secret"), "does not belong to the run");
      assertFails(reader, file(folder.resolve("secret").toString()), "does not belong to the run");
      assertFails(reader, file("segments/x"), "run night");
      assertFails(reader, file("tables"), "has no file");
      assertFails(reader, file("nothing"), "has no file");
      try (InputStream runs = reader.query("{\"request\":\"runs\"}")) {
        assertThat(new String(runs.readAllBytes(), StandardCharsets.UTF_8)).contains("night");
      }
    }
    assertThatThrownBy(() -> remote().run("x"))
        .isInstanceOf(NoSuchRunException.class)
        .hasMessageContaining("night");
  }

  private static String file(String path) {
    return "{\"request\":\"file\",\"run\":\"night\",\"path\":\"" + path + "\",\"offset\":0}";
  }

  private static void assertFails(CollectorReader reader, String query, String because)
      throws IOException {
    InputStream answer = reader.query(query);
    assertThatThrownBy(answer::readAllBytes)
        .as(query)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(because);
  }

  @Test
  void requiresTheTokenAndNamesNoRun() throws Exception {
    server.close();
    int port = server.address().getPort();
    assertThatThrownBy(() -> remote().summaries())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + port);

    server = start(SegmentLogOptions.defaults().withToken("open sesame"));

    for (String wrong : List.of("", "open barley")) {
      assertThatThrownBy(() -> RemoteStore.at(server.address(), wrong).summaries())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("token");
    }
    RemoteStore empty = RemoteStore.at(server.address(), "open sesame");
    assertThat(empty.summaries()).isEmpty();
    assertThatThrownBy(() -> empty.run("night"))
        .hasMessageContaining("has no run yet; 'fedometer run --collector " + empty.location())
        .hasMessageNotContaining("--store");
  }

  @Test
  void disconnectingFreesTheWorker() throws Exception {
    for (int i = 0; i < 6; i++) {
      try (Query endless = remote().query();
          Rows rows = endless.execute("SELECT range FROM range(1000000000000)")) {
        assertThat(rows.next()).isTrue();
      }
    }
    List<CompletableFuture<String>> silent = new ArrayList<>();
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Query query = remote().query();
      queries.add(query);
      silent.add(CompletableFuture.supplyAsync(() -> failureOf(query)));
    }
    for (int i = 0; i < 3; i++) {
      await().until(cancelled(queries.get(i), silent.get(i)));
      assertThat(silent.get(i).get()).contains("cancelled");
    }

    try (Query query = remote().query()) {
      assertThat(rows(query, "SELECT 42")).containsExactly("42");
    }
  }

  private static Callable<Boolean> cancelled(Query query, CompletableFuture<String> failure) {
    return () -> {
      query.cancel();
      return failure.isDone();
    };
  }

  /** Returns the failure of a statement that would run for years. */
  private static String failureOf(Query query) {
    try {
      rows(
          query,
          "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE"
              + " a.range * b.range = 7");
      return "answered";
    } catch (QueryException e) {
      return e.getMessage();
    }
  }

  @Test
  void aReaderThatDoesNotReadFillsNoHeap() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    int port = freePort();
    try (CollectorProcess process =
        CollectorProcess.start(other, port, 1 << 20, Duration.ofMinutes(1))) {
      RemoteStore store = RemoteStore.at(new InetSocketAddress("127.0.0.1", port), "");
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> store.summaries().isEmpty());
      try (CollectorReader slow = CollectorReader.connect("127.0.0.1", port, "", null);
          InputStream answer =
              slow.query(
                  "{\"request\":\"query\",\"sql\":\"SELECT range, repeat('x', 1000) FROM"
                      + " range(1000000000)\"}")) {
        assertThat(answer.read()).isEqualTo('[');
        for (int i = 0; i < 20; i++) {
          try (Query query = store.query()) {
            assertThat(rows(query, "SELECT 42")).containsExactly("42");
          }
        }
        // More than the whole heap of that process.
        answer.skipNBytes(200_000_000);
      }
      assertThat(process.isAlive()).isTrue();
    }
  }

  @Test
  void removesARunWithoutSources() throws Exception {
    collect("other", 10);
    try (CollectorClient client = CollectorClient.open(to("night").build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();

      assertThatThrownBy(() -> remote().remove("night", "")).hasMessageContaining("in progress");
      assertThatThrownBy(() -> RunMaintenance.of(RunStore.at(directory), "").remove("night"))
          .hasMessageContaining("in progress");
      assertThat(directory.resolve("runs/night")).exists();
    }
    await()
        .untilAsserted(
            () -> {
              if (Files.exists(directory.resolve("runs/night"))) {
                RunMaintenance.of(RunStore.at(directory), "").remove("night");
              }
            });

    try (Stream<Path> left = Files.list(directory.resolve("runs"))) {
      assertThat(left.map(path -> path.getFileName().toString())).containsExactly("other");
    }
    collect("night", 5);
    assertThat(RunQueries.rows(directory, "night", "SELECT count(*) FROM samples"))
        .containsExactly("5");
  }

  @Test
  void removesARunWithoutACollector() throws Exception {
    collect("night", 10);
    RunMaintenance care = RunMaintenance.of(RunStore.at(directory), "");
    assertThat(care.isCollected()).isTrue();
    server.close();
    assertThat(care.isCollected()).isFalse();
    Files.createDirectory(directory.resolve("runs/.deleted-by-a-crashed-process"));

    care.remove("night");

    assertThat(directory.resolve("runs")).isEmptyDirectory();
    assertThatThrownBy(() -> care.remove("night")).isInstanceOf(NoSuchRunException.class);
  }

  @Test
  void executesManyQueriesDuringWritingAndSealing() throws Exception {
    server.close();
    server = start(SegmentLogOptions.defaults().withSegmentBytes(20_000));
    AtomicBoolean enough = new AtomicBoolean();
    List<CompletableFuture<Integer>> askers = new ArrayList<>();
    try (CollectorClient client = CollectorClient.open(to("busy").build())) {
      client.awaitWelcome(50_000);
      askers.add(CompletableFuture.supplyAsync(() -> queryUntil(enough, true)));
      askers.add(CompletableFuture.supplyAsync(() -> queryUntil(enough, false)));
      for (int i = 0; i < 100; i++) {
        client.offer(FrameType.SAMPLES, Samples.traces(i * 1_000L, (i + 1) * 1_000L));
        assertThat(client.awaitAcknowledged(50_000)).isTrue();
      }
      client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
      assertThat(client.awaitAcknowledged(60_000)).isTrue();
    } finally {
      enough.set(true);
    }
    for (CompletableFuture<Integer> asker : askers) {
      assertThat(asker.get(60, TimeUnit.SECONDS)).isPositive();
    }
    try (Query query = remote().run("busy").query()) {
      assertThat(rows(query, "SELECT count(*), count(DISTINCT trace) FROM samples"))
          .containsExactly("100000|100000");
    }
  }

  /**
   * How many answers there were; each has every sealed sample once, and never fewer than before.
   */
  private int queryUntil(AtomicBoolean enough, boolean far) {
    try {
      int answers = 0;
      long before = 0;
      do {
        try (Query query =
            far ? remote().run("busy").query() : RunStore.at(directory).run("busy").query()) {
          String row = rows(query, "SELECT count(*), count(DISTINCT trace) FROM samples").get(0);
          long count = Long.parseLong(row.substring(0, row.indexOf('|')));
          assertThat(row).isEqualTo(count + "|" + count);
          assertThat(count).isGreaterThanOrEqualTo(before);
          before = count;
          answers++;
        }
      } while (!enough.get());
      return answers;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRunIsFetchedAndFetchedAgain() throws Exception {
    collect("night", 10);
    RunStore here = RunStore.at(folder.resolve("here"));
    RunFetch.Result first = fetch("night", here);
    assertThat(first.unchanged()).isZero();
    assertThat(RunQueries.rows(here.directory(), "night", "SELECT count(*) FROM samples"))
        .containsExactly("10");

    try (CollectorClient client = CollectorClient.open(to("night").build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(10, 30));
      closeRun(client);
    }
    RunFetch.Result second = fetch("night", here);

    assertThat(second.unchanged()).isPositive();
    assertThat(
            RunQueries.rows(
                here.directory(), "night", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("30|30");
    try (Stream<Path> left = Files.list(here.directory().resolve("runs"))) {
      assertThat(left).containsExactly(here.folderOf("night").path());
    }
  }

  @Test
  void aFetchBringsNoFileThatIsHereUnchanged() throws Exception {
    collect("night", 10);
    RunStore here = RunStore.at(folder.resolve("here"));
    RunFetch.Result first = fetch("night", here);
    RunFetch.Result second = fetch("night", here);
    assertThat(second.files()).isZero();
    assertThat(second.unchanged()).isEqualTo(first.files());

    Path document = RunStore.at(directory).folderOf("night").documentFile();
    FileTime written = Files.getLastModifiedTime(document);
    Files.writeString(document, Files.readString(document).replace("done", "gone"));
    Files.setLastModifiedTime(document, FileTime.fromMillis(written.toMillis() + 1));
    assertThat(fetch("night", here).files()).isEqualTo(1);
    assertThat(here.folderOf("night").documentFile()).hasSameTextualContentAs(document);
  }

  @Test
  void resumesAnInterruptedFetch() throws Exception {
    collect("night", 1_000);
    RunStore here = RunStore.at(folder.resolve("here"));
    RemoteRun run = remote().run("night");
    RunFile samples =
        run.files().stream()
            .filter(file -> file.path().contains("tables/samples/"))
            .findFirst()
            .orElseThrow();
    Path partial =
        here.directory().resolve("runs/.fetched-" + RUN_ID + "-night").resolve(samples.path());
    Files.createDirectories(partial.getParent());
    Files.copy(directory.resolve("runs/night").resolve(samples.path()), partial);
    assertThat(here.runs()).as("a partial run does not show").isEmpty();

    assertThat(fetch("night", here).unchanged()).isEqualTo(1);

    Files.writeString(
        here.folderOf("night").documentFile(), "{\"schema\":1,\"id\":\"" + Ulid.next() + "\"}");
    assertThatThrownBy(() -> fetch("night", here))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another run");
  }

  @Test
  void aRunWithoutADocumentIsFetchedAgainWhenItIsTheSameAndOnlyThen() throws Exception {
    send("night", 0, 10);
    Path partial = folder.resolve("here/runs/.fetched-" + UUID.randomUUID() + "-night");
    Files.createDirectories(partial.resolve("tables/samples"));
    Files.writeString(
        partial.resolve("tables/samples/ffffffff-000001-000001.parquet"), "of another run");
    RunStore here = RunStore.at(folder.resolve("here"));
    assertThat(fetch("night", here).unchanged()).isZero();

    send("night", 10, 30);
    assertThat(fetch("night", here).unchanged()).isPositive();
    assertThat(RunQueries.rows(here.directory(), "night", "SELECT count(*) FROM samples"))
        .containsExactly("30");

    assertThat(server.segmentLog().release("night")).isTrue();
    deleteTree(directory.resolve("runs/night"));
    send("night", 0, 7);
    assertThatThrownBy(() -> fetch("night", here))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another run with the name night")
        .hasMessageContaining("without a run.json")
        .hasMessageNotContaining("null");
    assertThat(RunQueries.rows(here.directory(), "night", "SELECT count(*) FROM samples"))
        .containsExactly("30");
  }

  @Test
  void aRunOfWhichNothingIsSealedIsFetchedAgain() throws Exception {
    RunStore here = RunStore.at(folder.resolve("here"));
    try (CollectorClient client = CollectorClient.open(to("night").build())) {
      client.offer(
          FrameType.DOCUMENT,
          new Document("logs/a.log", "one".getBytes(StandardCharsets.UTF_8), true).encode());
      client.offer(FrameType.SAMPLES, Samples.traces(0, 5));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      fetch("night", here);
      assertThat(here.folderOf("night").path().resolve("logs/a.log")).hasContent("one");
      closeRun(client);
    }
    fetch("night", here);
    assertThat(RunQueries.rows(here.directory(), "night", "SELECT count(*) FROM samples"))
        .containsExactly("5");
  }

  private void send(String run, long from, long to) throws Exception {
    try (CollectorClient client = CollectorClient.open(to(run).build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(from, to));
      closeRun(client);
    }
  }

  private static void deleteTree(Path tree) throws IOException {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private RunFetch.Result fetch(String name, RunStore here) throws Exception {
    RemoteRun run = remote().run(name);
    return new RunFetch(run, run.summary(), here).copy();
  }

  private CollectorServer start(SegmentLogOptions segmentLog) throws IOException {
    return CollectorServer.start(
        CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), directory)
            .withSegmentLog(segmentLog));
  }

  private RemoteStore remote() {
    return RemoteStore.at(server.address(), "");
  }

  private void collect(String run, long samples) throws Exception {
    try (CollectorClient client = CollectorClient.open(to(run).build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, samples));
      client.offer(
          FrameType.DOCUMENT,
          new Document(
                  "run.json",
                  ("{\"schema\":1,\"id\":\""
                          + client.awaitWelcome(50_000).runId()
                          + "\",\"state\":\"done\"}")
                      .getBytes(StandardCharsets.UTF_8),
                  false)
              .encode());
      closeRun(client);
    }
  }

  private ClientOptions.Builder to(String run) {
    InetSocketAddress at = server.address();
    ClientOptions.Builder options =
        ClientOptions.builder(at.getHostString(), at.getPort())
            .source(UUID.randomUUID())
            .sourceKind("agent")
            .runName(run);
    return run.equals("night") ? options.runId(RUN_ID) : options;
  }

  private static void closeRun(CollectorClient client) throws Exception {
    client.offer(FrameType.CLOSE_RUN, new CloseRun("").encode());
    assertThat(client.awaitAcknowledged(50_000)).as(client.status().toString()).isTrue();
  }

  private static List<String> rows(Query query, String sql) throws QueryException {
    try (Rows rows = query.execute(sql)) {
      List<String> result = new ArrayList<>();
      while (rows.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 0; i < rows.columns().size(); i++) {
          columns.add(rows.text(i));
        }
        result.add(String.join("|", columns));
      }
      return result;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

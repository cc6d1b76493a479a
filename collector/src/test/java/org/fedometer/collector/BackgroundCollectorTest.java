package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.client.CollectorReader;
import org.fedometer.wire.session.Welcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(120)
class BackgroundCollectorTest {
  @TempDir Path directory;
  private Path store;

  @AfterEach
  void killLeftovers() throws Exception {
    if (store != null) {
      CollectorFile.read(store)
          .flatMap(file -> ProcessHandle.of(file.pid()))
          .ifPresent(BackgroundCollectorTest::kill);
    }
  }

  @Test
  void concurrentCallersShareOneCollector() throws Exception {
    store = directory.resolve("not/there/yet");
    // Longer than connecting to a new collector takes on a busy machine.
    List<String> command = command(Duration.ofSeconds(10));
    List<Callable<InetSocketAddress>> askers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      askers.add(() -> startOrReuse(store, command));
    }
    ExecutorService threads = Executors.newFixedThreadPool(askers.size());
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (Future<InetSocketAddress> answer : threads.invokeAll(askers)) {
      addresses.add(answer.get());
    }
    threads.shutdown();

    assertThat(addresses).hasSize(6).containsOnly(addresses.get(0));
    long pid = CollectorFile.read(store).orElseThrow().pid();
    assertThat(pid).isNotEqualTo(ProcessHandle.current().pid());
    try (CollectorClient client = client(addresses.get(0))) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    assertThat(RunQueries.rows(store, "short", "SELECT count(*) FROM samples"))
        .containsExactly("10");
    assertThat(CollectorFile.read(store)).isEmpty();

    InetSocketAddress next = startOrReuse(store, command);
    assertThat(probe(next).storeDirectory()).isEqualTo(store.toRealPath().toString());
    assertThat(CollectorFile.read(store).orElseThrow().pid()).isNotEqualTo(pid);
  }

  @Test
  void aCollectorInTheForegroundIsReused() throws Exception {
    Path reused = directory.resolve("store");
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), reused))) {
      assertThat(startOrReuse(reused, List.of("/bin/false"))).isEqualTo(server.address());
    }
  }

  @Test
  void itsDashboardIsFoundByTheStore() throws Exception {
    Path reused = directory.resolve("store");
    InetSocketAddress anyPort = new InetSocketAddress("127.0.0.1", 0);
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.foreground(EndpointOptions.at(anyPort).withHttp(anyPort), reused))) {
      assertThat(BackgroundCollector.dashboard(reused, server.address()))
          .hasValue("http://127.0.0.1:" + server.httpAddress().getPort() + "/");
      assertThat(BackgroundCollector.dashboard(reused, new InetSocketAddress("127.0.0.1", 1)))
          .as("of another collector")
          .isEmpty();
    }
    assertThat(BackgroundCollector.dashboard(reused, anyPort)).isEmpty();
    try (CollectorServer server =
        CollectorServer.start(CollectorOptions.foreground(anyPort, reused))) {
      assertThat(BackgroundCollector.dashboard(reused, server.address())).isEmpty();
    }
  }

  @Test
  void aCollectorWithATokenIsReusedByThoseWhoHaveIt() throws Exception {
    Path reused = directory.resolve("store");
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), reused)
                .withSegmentLog(SegmentLogOptions.defaults().withToken("secret")))) {
      assertThat(BackgroundCollector.startOrReuse(reused, List.of("/bin/false"), "secret"))
          .isEqualTo(server.address());
    }
  }

  @Test
  void aCollectorThatWantsAnotherTokenIsNotWaitedFor() throws Exception {
    Path reused = directory.resolve("store");
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), reused)
                .withSegmentLog(SegmentLogOptions.defaults().withToken("secret")))) {
      assertThatThrownBy(() -> startOrReuse(reused, List.of("/bin/false")))
          .hasMessageContaining(reused.toRealPath().toString())
          .hasMessageContaining(String.valueOf(server.address().getPort()))
          .hasMessageContaining("the token is missing or wrong")
          .hasMessageContaining("--token-file");
    }
  }

  @Test
  void aKilledCollectorIsReplaced() throws Exception {
    store = directory.resolve("store");
    List<String> command = command(Duration.ofSeconds(20));
    startOrReuse(store, command);
    long pid = CollectorFile.read(store).orElseThrow().pid();
    kill(ProcessHandle.of(pid).orElseThrow());

    InetSocketAddress address = startOrReuse(store, command);

    assertThat(probe(address).runFolder()).isEmpty();
    assertThat(CollectorFile.read(store).orElseThrow().pid()).isNotEqualTo(pid);
  }

  @Test
  void sourcesOfAKilledCollectorReachTheNextOne() throws Exception {
    store = directory.resolve("store");
    List<String> command = command(Duration.ofSeconds(20));
    InetSocketAddress first = startOrReuse(store, command);
    try (CollectorClient client = client(first)) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      kill(ProcessHandle.of(CollectorFile.read(store).orElseThrow().pid()).orElseThrow());
      client.offer(FrameType.SAMPLES, Samples.traces(10, 10));

      assertThat(startOrReuse(store, command)).isEqualTo(first);

      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
  }

  @Test
  void aCollectorThatHasEndedLeavesItsPortToTheNextOne() throws Exception {
    Path kept = directory.resolve("store");
    InetSocketAddress anyPort = new InetSocketAddress("127.0.0.1", 0);
    InetSocketAddress first;
    try (CollectorServer server =
        CollectorServer.start(CollectorOptions.background(EndpointOptions.at(anyPort), kept))) {
      first = server.address();
    }
    try (CollectorServer server =
        CollectorServer.start(CollectorOptions.background(EndpointOptions.at(anyPort), kept))) {
      assertThat(server.address()).isEqualTo(first);
    }
    try (ServerSocket other = new ServerSocket(first.getPort(), 1, first.getAddress());
        CollectorServer server =
            CollectorServer.start(CollectorOptions.background(EndpointOptions.at(anyPort), kept))) {
      assertThat(server.address().getPort()).isNotEqualTo(other.getLocalPort());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "port", "0", "-1", "65536", "99999999999", "\u0000"})
  void aPortThatIsNoneIsPassedOver(String text) throws Exception {
    Path kept = Files.createDirectory(directory.resolve("store"));
    Files.writeString(kept.resolve("collector.port"), text);
    try (CollectorServer server =
        CollectorServer.start(
            CollectorOptions.background(
                EndpointOptions.at(new InetSocketAddress("127.0.0.1", 0)), kept))) {
      assertThat(kept.resolve("collector.port"))
          .hasContent(String.valueOf(server.address().getPort()));
    }
  }

  @Test
  void aCommandThatFailsIsQuotedWithItsLog() throws Exception {
    Path failing = Files.createDirectory(directory.resolve("store"));
    Files.writeString(BackgroundCollector.logOf(failing), "what an earlier one said\n");
    assertThatThrownBy(
            () -> startOrReuse(failing, List.of("/bin/sh", "-c", "echo no such thing; exit 7")))
        .isInstanceOf(IOException.class)
        .hasMessageNotContaining("earlier")
        .hasMessageContaining("exit code 7")
        .hasMessageContaining("no such thing")
        .hasMessageContaining("collector.log");
  }

  @Test
  void reportsAnInvalidStore() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> startOrReuse(file.resolve("x"), List.of("/bin/false")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.resolve("x").toString());
  }

  private static CollectorClient client(InetSocketAddress address) {
    return CollectorClient.open(
        ClientOptions.builder("127.0.0.1", address.getPort()).runName("short").build());
  }

  private static Welcome probe(InetSocketAddress address) throws IOException {
    return CollectorReader.probe(address.getHostString(), address.getPort(), "", 5_000);
  }

  private static InetSocketAddress startOrReuse(Path store, List<String> command) throws Exception {
    return BackgroundCollector.startOrReuse(store, command, "");
  }

  private static void kill(ProcessHandle process) {
    process.destroyForcibly();
    process.onExit().join();
  }

  private List<String> command(Duration idle) {
    return CollectorProcess.command(store, 0, 1 << 20, idle);
  }
}

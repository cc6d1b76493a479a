package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Access to a store's folder, and changes to it while a collector runs. */
@Timeout(120)
class StoreFolderTest {
  private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

  @TempDir Path folder;

  @Test
  void othersReadNothingOfANewStore() throws Exception {
    Path store = folder.resolve("store");
    try (CollectorServer server = start(store)) {
      send(server, "night");
      assertThat(permissions(store)).allMatch(each -> each.matches("rwxr-x---|rw-r-----"));
    }
    await().until(() -> Files.isDirectory(store.resolve("runs/night/tables/samples")));
    assertThat(permissions(store)).allMatch(each -> each.matches("rwxr-x---|rw-r-----"));
  }

  @Test
  void aStoreKeepsWhatItsOwnerHasSet() throws Exception {
    Path store = Files.createDirectory(folder.resolve("store"));
    start(store).close();
    Path identity = store.resolve("store.json");
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(identity, PosixFilePermissions.fromString("rw-r--r--"));

    start(store).close();

    assertThat(permissions(store)).contains("rwxr-xr-x");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(identity)))
        .isEqualTo("rw-r--r--");
  }

  @Test
  void aStoreThatWasMovedAwayDoesNotComeBackWhenItsCollectorEnds() throws Exception {
    Path store = folder.resolve("store");
    try (CollectorServer server = start(store)) {
      send(server, "night");
      Files.move(store, folder.resolve("moved"));
    }

    assertThat(store).doesNotExist();
    try (CollectorServer server = start(folder.resolve("moved"))) {
      assertThat(server.address()).isNotNull();
    }
    assertThat(RunQueries.rows(folder.resolve("moved"), "night", "SELECT count(*) FROM samples"))
        .containsExactly("10");
  }

  private static CollectorServer start(Path store) throws IOException {
    return CollectorServer.start(CollectorOptions.foreground(ANY_PORT, store));
  }

  private static void send(CollectorServer server, String run) throws Exception {
    InetSocketAddress address = server.address();
    try (CollectorClient client =
        CollectorClient.open(
            ClientOptions.builder(address.getHostString(), address.getPort())
                .source(UUID.randomUUID())
                .sourceKind("agent")
                .runName(run)
                .build())) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(Duration.ofSeconds(50).toMillis())).isTrue();
    }
  }

  private static List<String> permissions(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files
          .map(
              file -> {
                try {
                  return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              })
          .toList();
    }
  }
}

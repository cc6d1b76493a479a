package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.NoSuchRunException;
import org.fedometer.store.RunArchive;
import org.fedometer.store.RunStore;
import org.fedometer.wire.FrameType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs are archived and removed while sources come and go. */
@Timeout(120)
class RunMaintenanceTest {
  private static final Logger LOG = LoggerFactory.getLogger(RunMaintenanceTest.class);
  private static final int VISITS = 24;

  @TempDir Path folder;
  private RunStore store;
  private CollectorServer server;

  @BeforeEach
  void start() throws Exception {
    store = RunStore.at(Files.createDirectory(folder.resolve("store")));
    server =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store.directory()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void whatASourceSentWhileItsRunWasArchivedIsNotDeleted() throws Exception {
    visit(0);
    try (RunMaintenance.QuietRun quiet = quiet()) {
      String archived = RunArchive.write(store.run("night"), folder.resolve("night.zip"));
      visit(10);
      assertThatThrownBy(() -> removeOnceUnused(quiet, archived))
          .hasMessage(
              "The run night has changed since it was archived and was not deleted; archive it"
                  + " again");
    }
    assertThat(rows(store)).containsExactly("20");

    try (RunMaintenance.QuietRun quiet = quiet()) {
      String archived = RunArchive.write(store.run("night"), folder.resolve("again.zip"));
      quiet.removeArchived(archived);
    }
    assertThat(store.runs()).isEmpty();
  }

  /**
   * Each visit is a source of its own that sends one frame of ten traces, and leaves, while one of
   * the steps of archiving is under way.
   */
  @Test
  void everythingAcknowledgedIsInAnArchiveOrInTheStore() throws Exception {
    Semaphore mayVisit = new Semaphore(1);
    CompletableFuture<Void> visitors =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < VISITS; i++) {
                mayVisit.acquireUninterruptibly();
                visit(10 * i);
              }
            });
    List<Path> archives = new ArrayList<>();
    for (int round = 1; round < VISITS; round++) {
      Path archive = folder.resolve(round + ".zip");
      mayVisit.release(round % 3 == 0 ? 1 : 0);
      try (RunMaintenance.QuietRun quiet = RunMaintenance.of(store, "").openQuiet("night")) {
        mayVisit.release(round % 3 == 1 ? 1 : 0);
        String archived = RunArchive.write(store.run("night"), archive);
        archives.add(archive);
        mayVisit.release(round % 3 == 2 ? 1 : 0);
        quiet.removeArchived(archived);
      } catch (NoSuchRunException | IOException e) {
        // A source is connected, the run has changed, or it has not restarted yet.
        LOG.info("Round {}: {}", round, e.getMessage());
      }
    }
    mayVisit.release(VISITS);
    visitors.get(60, TimeUnit.SECONDS);
    server.close();

    Set<String> traces = new TreeSet<>();
    for (Path archive : archives) {
      RunStore restored = RunStore.at(folder.resolve("restored-" + archive.getFileName()));
      RunArchive.restore(archive, restored);
      traces.addAll(RunQueries.rows(restored.directory(), "night", "SELECT trace FROM samples"));
    }
    if (!store.runs().isEmpty()) {
      traces.addAll(RunQueries.rows(store.directory(), "night", "SELECT trace FROM samples"));
    }
    assertThat(traces).hasSize(10 * VISITS);
  }

  @Test
  void removesARunWhileTheLockIsHeldBriefly() throws Exception {
    visit(0);
    int port = server.address().getPort();
    server.close();
    Path directory = store.directory().toRealPath();
    new CollectorFile(1, "2026-01-02T03:04:05Z", "127.0.0.1", port, "development", null, null)
        .write(directory);
    FutureTask<Void> removing =
        new FutureTask<>(
            () -> {
              RunMaintenance.of(store, "").remove("night");
              return null;
            });
    Thread remover = new Thread(removing, "remover");
    try (StoreLock somebodys = StoreLock.tryLock(StoreLock.ofCollector(directory)).orElseThrow()) {
      remover.start();
      await().until(() -> remover.getState() == Thread.State.TIMED_WAITING || removing.isDone());
    }

    removing.get(30, TimeUnit.SECONDS);
    assertThat(store.runs()).isEmpty();
  }

  private void visit(int firstTrace) {
    try (RawSource source = RawSource.connect(server.address(), "night")) {
      source.frame(FrameType.SAMPLES.code(), 1, Samples.traces(firstTrace, firstTrace + 10));
      assertThat(source.awaitAcknowledgement(1)).isTrue();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private RunMaintenance.QuietRun quiet() throws Exception {
    while (true) {
      try {
        return RunMaintenance.of(store, "").openQuiet("night");
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("in progress");
      }
    }
  }

  /** The collector may not have noticed yet that the last one has gone. */
  private static void removeOnceUnused(RunMaintenance.QuietRun quiet, String archived)
      throws Exception {
    while (true) {
      try {
        quiet.removeArchived(archived);
        return;
      } catch (IOException e) {
        if (!e.getMessage().contains("in progress")) {
          throw e;
        }
      }
    }
  }

  private static List<String> rows(RunStore store) throws Exception {
    return RunQueries.rows(store.directory(), "night", "SELECT count(DISTINCT trace) FROM samples");
  }
}

package org.fedometer.experiments.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunState;
import org.fedometer.store.RunStore;
import org.fedometer.store.Ulid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job that closes its run while its collector is away. */
// A separate thread: a wait of ten minutes in a loop may not end by an interrupt.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectorLinkTest {
  @TempDir Path directory;

  @Test
  void aCollectorThatComesBackAndRefusesTheRunForGoodIsNotWaitedFor() throws Exception {
    List<String> told = new ArrayList<>();
    AtomicReference<CollectorServer> back = new AtomicReference<>();
    CollectorServer first = start(0, "");
    int port = first.address().getPort();
    try (CollectorLink link = link(first.address())) {
      first.close();

      assertThatThrownBy(
              () ->
                  link.closeRun(
                      held -> {
                        told.add(held);
                        back.set(start(port, "another secret"));
                      }))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not acknowledge")
          .hasMessageContaining("token");
    } finally {
      first.close();
      if (back.get() != null) {
        back.get().close();
      }
    }
    assertThat(told).singleElement().asString().startsWith("Waiting up to 10 minutes");
  }

  @Test
  void aCollectorThatReconnectsSealsTheRun() throws Exception {
    AtomicReference<CollectorServer> back = new AtomicReference<>();
    CollectorServer first = start(0, "");
    int port = first.address().getPort();
    try (CollectorLink link = link(first.address())) {
      first.close();

      link.closeRun(held -> back.set(start(port, "")));

      assertThat(back.get()).isNotNull();
    } finally {
      first.close();
      if (back.get() != null) {
        back.get().close();
      }
    }
  }

  @Test
  void theFolderOfTheRunIsSeenFromHereUnlessItIsOfAnotherRun() throws Exception {
    try (CollectorServer collector = start(0, "");
        CollectorLink link = link(collector.address())) {
      RunFolder folder = RunStore.at(directory.toRealPath()).folderOf("night");
      assertThat(link.runFolder()).isEmpty();

      write(folder, Ulid.next());
      assertThat(link.runFolder()).isEmpty();
      assertThat(link.location()).startsWith("night in ").contains(" on ");

      write(folder, link.runId());
      assertThat(link.runFolder()).contains(folder.path());
      assertThat(link.location()).isEqualTo(folder.path().toString());
    }
  }

  private static void write(RunFolder folder, String runId) throws IOException {
    byte[] document =
        RunDocumentJson.write(
            RunDocument.builder(folder.name(), RunState.RUNNING.id()).id(runId).build());
    Files.write(folder.documentFile(), document);
  }

  private CollectorLink link(InetSocketAddress collector) throws Exception {
    return CollectorLink.open(
        new CollectorTarget(directory, collector, CollectorAccess.PLAIN, List.of()),
        Ulid.next(),
        "night");
  }

  /**
   * @param port 0 for any
   * @param token empty for none
   */
  private CollectorServer start(int port, String token) {
    try {
      return CollectorServer.start(
          CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", port), directory)
              .withSegmentLog(SegmentLogOptions.defaults().withToken(token)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

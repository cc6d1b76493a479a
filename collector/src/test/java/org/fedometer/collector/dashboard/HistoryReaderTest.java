package org.fedometer.collector.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.store.RunFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HistoryReaderTest {
  @TempDir Path store;

  @Test
  void whatDoesNotFitIntoMemoryHasAFolderOfTheStoreThatIsEmptyAtFirstAndGoneAtTheEnd()
      throws Exception {
    Path spill = store.resolve("dashboard.tmp");
    Files.createDirectories(spill.resolve("left by a crash"));
    RunEntry run =
        new RunEntry(
            new RunFolder(store.resolve("runs/live")), new RunEntry.Stamp(null, 0, null), 0, null);
    AtomicReference<Path> used = new AtomicReference<>();

    try (HistoryReader reader = new HistoryReader(store, Clock.systemUTC())) {
      assertThat(spill).isEmptyDirectory();
      CompletableFuture<RunBoard> board =
          reader.read(
              run,
              limits -> {
                used.set(limits.spillParent());
                throw new IOException("not to be read");
              });
      assertThatThrownBy(() -> board.get(30, TimeUnit.SECONDS))
          .hasRootCauseMessage("not to be read");
    }

    assertThat(used).hasValue(spill);
    assertThat(spill).doesNotExist();
  }
}

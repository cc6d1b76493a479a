package org.fedometer.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.fedometer.store.RunFolder;
import org.fedometer.store.TestStore;
import org.fedometer.store.query.TableFiles.Snapshot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Finds the damaged file of a query if DuckDB does not name it. */
@Timeout(60)
class LocalQueryTest {
  private static final String COUNT = "SELECT count(*) FROM samples";

  @TempDir Path folder;
  private Path damaged;

  @BeforeEach
  void damageTheEndOfAFile() throws Exception {
    damaged =
        TestStore.write(new RunFolder(folder), "samples", "1.parquet", TestStore.samples(0, 100));
    byte[] bytes = Files.readAllBytes(damaged);
    // Bytes of its footer, which starts where the four bytes before the last four point.
    for (int i = bytes.length - 40; i < bytes.length - 8; i++) {
      bytes[i] = (byte) 0xFF;
    }
    Files.write(damaged, bytes);
  }

  @Test
  void unreadableFileIsNotReportedAsDamaged() throws Exception {
    Path other = Files.writeString(folder.resolve("other.parquet"), "This is no Parquet file.");

    try (Query query = LocalQuery.open(() -> samplesAnd(other), QueryLimits.local())) {
      assertThatThrownBy(() -> TestStore.query(query, COUNT))
          .isInstanceOf(QueryException.class)
          .hasMessageStartingWith(damaged + " is damaged: ");
    }
  }

  @Test
  void cancellationDuringTheSearchIsTheReason() throws Exception {
    Path first = pipe("first.parquet");
    Path second = pipe("second.parquet");

    try (Query query = LocalQuery.open(() -> samplesAnd(first, second), QueryLimits.local())) {
      CompletableFuture<List<String>> result =
          CompletableFuture.supplyAsync(() -> executeUnchecked(query));
      // A pipe opens when the other side opens it, too: here, when it is looked at.
      Files.newOutputStream(first, StandardOpenOption.WRITE).close();
      query.cancel();
      // Opening it does not wait, and unblocks a reader.
      try (RandomAccessFile opened = new RandomAccessFile(second.toFile(), "rw")) {
        assertThat(result)
            .failsWithin(30, TimeUnit.SECONDS)
            .withThrowableThat()
            .withMessageContaining("The statement was cancelled");
      }
    }
  }

  private Snapshot samplesAnd(Path... others) {
    List<Path> files = new ArrayList<>(List.of(others));
    files.add(damaged);
    return new Snapshot(Map.of("samples", "FROM read_parquet('" + damaged + "')"), files);
  }

  private static List<String> executeUnchecked(Query query) {
    try {
      return TestStore.query(query, COUNT);
    } catch (QueryException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private Path pipe(String name) throws Exception {
    Path place = folder.resolve(name);
    Process made = new ProcessBuilder("mkfifo", place.toString()).inheritIO().start();
    assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
    return place;
  }
}

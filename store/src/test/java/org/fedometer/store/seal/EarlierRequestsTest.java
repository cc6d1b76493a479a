package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.fedometer.store.TestStore.ask;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.Table;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that were recorded before they had an operation are ingests that were sent when they
 * were due. {@code requests-before-operations.parquet} was sealed then: requests 1 to 3 of {@link
 * TestSegment#request}.
 */
class EarlierRequestsTest {
  private static final String REQUESTS =
      "SELECT object_index, operation, start_nanos - intended_start_nanos FROM requests"
          + " ORDER BY ALL";

  /** Recorded by an agent and a driver of that time. */
  private static final Path RECORDED_SEGMENT =
      Path.of("../benchmarks/src/main/resources/org/fedometer/benchmarks/recorded-ingest.segment");

  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = RunStore.at(directory).folderOf("night");
  }

  @Test
  void anEarlierFileHasIngestsAndALaterOneBesideItWhatItSays() throws Exception {
    earlierFile(1);
    TestSegment.number(2).operation(0, 7, "purge", 30).seal(run);

    assertThat(asked(REQUESTS))
        .containsExactly("1|ingest|0", "2|ingest|0", "3|ingest|0", "7|purge|30");
    assertThat(asked("SELECT object_index FROM requests WHERE operation = 'ingest' ORDER BY ALL"))
        .containsExactly("1", "2", "3");
    try (Query all = RunStore.at(directory).query()) {
      assertThat(ask(all, "SELECT DISTINCT run, operation FROM requests ORDER BY ALL"))
          .containsExactly("night|ingest", "night|purge");
    }
  }

  @Test
  void mergedWithLaterFilesTheyStayIngests() throws Exception {
    for (int number = 1; number <= 7; number++) {
      earlierFile(number);
    }
    TestSegment.number(8).operation(0, 7, "purge", 30).seal(run);
    List<String> before = asked(REQUESTS);

    mergeAll();

    assertThat(asked(REQUESTS)).hasSize(22).contains("7|purge|30").isEqualTo(before);
  }

  @Test
  void mergedAmongThemselvesTheyStayIngests() throws Exception {
    for (int number = 1; number <= 8; number++) {
      earlierFile(number);
    }

    mergeAll();

    assertThat(asked("SELECT DISTINCT operation, intended_start_nanos - start_nanos FROM requests"))
        .containsExactly("ingest|0");
  }

  @Test
  void anEarlierSegmentIsSealedAsIngests() throws Exception {
    Files.createDirectories(run.segmentDirectory());
    Path segment = run.segmentDirectory().resolve("0a1b2c3d-000001.segment");
    Files.copy(RECORDED_SEGMENT, segment);

    SealResult result;
    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      result = sealer.seal(run, segment);
    }

    assertThat(result.requests()).isPositive();
    assertThat(result.unreadableFrames()).isZero();
    assertThat(
            asked(
                "SELECT operation, count(*) FROM requests"
                    + " WHERE intended_start_nanos = start_nanos GROUP BY ALL"))
        .containsExactly("ingest|" + result.requests());
  }

  private void earlierFile(int number) throws IOException {
    Path folder = Files.createDirectories(run.tableDirectory(Table.REQUESTS));
    try (InputStream file = Table.class.getResourceAsStream("requests-before-operations.parquet")) {
      Files.copy(file, folder.resolve("0a1b2c3d-%1$06d-%1$06d.parquet".formatted(number)));
    }
  }

  private void mergeAll() throws IOException {
    Files.createDirectories(run.segmentDirectory());
    new Merger(TestSegment.STORE, 256L << 20).tidy(run, Duration.ofHours(1));
    assertThat(run.tableFiles(Table.REQUESTS)).hasSize(1);
  }

  private List<String> asked(String sql) throws Exception {
    try (Query query = run.query()) {
      return ask(query, sql);
    }
  }
}

package org.fedometer.experiments.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.Ulid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When an experiment has enough repetitions, over real run folders. */
class ThroughputPrecisionTest {
  @TempDir private Path folder;
  private RunStore store;

  @BeforeEach
  void makeStore() {
    store = RunStore.at(folder);
  }

  @Test
  void runsThatDifferLittleAreEnough() throws Exception {
    for (int block = 1; block <= 3; block++) {
      run("a", block, 10_000_000 + 10_000 * block);
      run("b", block, 20_000_000 + 20_000 * block);
    }

    ThroughputPrecision.Judgement judgement = new ThroughputPrecision(0.05).of(store, "night");

    assertThat(judgement.text())
        .startsWith("The throughput ratio of b to a is uncertain by 0.")
        .endsWith("the goal is 5.0 %.");
    assertThat(judgement.enough()).isTrue();
  }

  @Test
  void runsThatDifferMuchFromBlockToBlockAreNot() throws Exception {
    run("a", 1, 10_000_000);
    run("b", 1, 10_000_000);
    run("a", 2, 10_000_000);
    run("b", 2, 14_000_000);
    run("a", 3, 10_000_000);
    run("b", 3, 12_000_000);

    assertThat(new ThroughputPrecision(0.05).of(store, "night").enough()).isFalse();
  }

  @Test
  void whatABlockHasInCommonCostsNoRepetition() throws Exception {
    for (int block = 1; block <= 3; block++) {
      run("a", block, 10_000_000 * block);
      run("b", block, 20_000_000 * block + 10_000);
    }

    assertThat(new ThroughputPrecision(0.05).of(store, "night").enough()).isTrue();
  }

  @Test
  void oneRepetitionGivesNoPrecision() throws Exception {
    run("a", 1, 10_000_000);
    run("b", 1, 10_000_000);

    ThroughputPrecision.Judgement judgement = new ThroughputPrecision(0.5).of(store, "night");

    assertThat(judgement.enough()).isFalse();
    assertThat(judgement.text()).contains("is not known yet");
  }

  /**
   * Records sixty consecutive objects, of which the first ten, the warm-up, last three times as
   * long.
   */
  private void run(String label, int block, long nanosOfObject) throws Exception {
    String name = "night." + block + "." + label;
    RunFolder run = store.folderOf(name);
    Path requests = run.path().resolve("tables/requests");
    Files.createDirectories(requests);
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (SELECT 's' AS source, range AS object_index, 'p:' || range AS pid, '' AS"
              + " traceparent, 0 AS worker, 1 AS attempt, (greatest(range - 10, 0) + 3 *"
              + " least(range, 10)) * NANOS AS start_nanos, CASE WHEN range < 10 THEN 3 ELSE 1 END"
                  .replace("NANOS", Long.toString(nanosOfObject))
              + " * "
              + nanosOfObject
              + " AS duration_nanos, 201 AS status, 0::BIGINT AS content_bytes, '' AS message,"
              + " 'ingest' AS operation, start_nanos AS intended_start_nanos FROM range(60)) TO '"
              + requests.resolve("0a1b2c3d-000001-000001.parquet")
              + "' (FORMAT parquet)");
    }
    Files.write(run.documentFile(), RunDocumentJson.write(document(name, label, block)));
  }

  private static RunDocument document(String name, String label, int block) {
    return RunDocument.builder(name, "done")
        .id(Ulid.next())
        .profile(new RunDocument.Profile(label, Map.of(), Map.of()))
        .dataset(new RunDocument.Dataset("patents", Map.of()))
        .workers(1)
        .objects(new RunDocument.ObjectCounts(60, 60, 0, 60L, 0, 0))
        .bootId("boot")
        .started("2026-11-20T10:12:03.123Z")
        .ended("2026-11-20T10:14:34Z")
        .experiment(
            new RunDocument.Experiment(
                "01X",
                "night",
                label,
                "a",
                List.of("a", "b"),
                "interleaved",
                1,
                block,
                block,
                2 * block + (label.equals("a") ? 0 : 1),
                1,
                10L,
                "cold"))
        .build();
  }
}

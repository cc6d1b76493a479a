package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.store.seal.TestSegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queries in {@code docs/query.md} and {@code docs/store.md} work literally. */
class QueryPageTest {
  @TempDir Path directory;

  @Test
  void documentedStatementsWork() throws Exception {
    List<String> statements = statementsOf("query.md");
    assertThat(statements).hasSize(15);
    RunFolder run = RunStore.at(directory).folderOf("night");
    TestStore.write(run, "samples", "1.parquet", TestStore.samples(1, 100));

    try (Query one = run.query();
        Query all = RunStore.at(directory).query()) {
      for (String sql : statements) {
        Query query = statements.indexOf(sql) < 13 ? one : all;
        try (Rows rows = query.execute(sql)) {
          assertThat(rows.columns()).isNotEmpty();
          while (rows.next()) {
            rows.columns().forEach(column -> assertThat(column.type()).isNotEmpty());
          }
        }
      }
    }
  }

  @Test
  void ingestNumbersCountIngestsOnly() throws Exception {
    RunFolder run = RunStore.at(directory).folderOf("night");
    TestSegment segment = TestSegment.number(1);
    for (int i = 1_000; i < 1_020; i++) {
      segment.request(0, i).operation(0, 0, "purge", 0).operation(0, 50_000, "risearch", 9);
    }
    segment.seal(run);
    List<String> ofStorePage = statementsOf("store.md");

    try (Query query = run.query();
        Query all = RunStore.at(directory).query()) {
      assertThat(TestStore.query(query, ofStorePage.get(1)))
          .as("objects a second and failures, by ten seconds")
          .containsExactly("0|2.0|0");
      assertThat(TestStore.query(query, ofStorePage.get(2))).isEmpty();
      List<String> onQueryPage = statementsOf("query.md");
      assertThat(TestStore.query(query, onQueryPage.get(1)))
          .allMatch(slow -> slow.startsWith("demo:10"));
      assertThat(TestStore.query(query, onQueryPage.get(3)))
          .containsExactlyInAnyOrder(
              "ingest|20|0|0.005|0.005", "purge|20|0|0.005|0.005", "risearch|20|0|0.005|0.005009");
      assertThat(TestStore.query(all, onQueryPage.get(14)).get(0)).startsWith("night|20|0|105");
    }
  }

  private static List<String> statementsOf(String page) throws IOException {
    return Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of("../docs").resolve(page)))
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}

package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/store.md} work, and it names every column. */
class DocumentedQueriesTest {
  private static final Path PAGE = Path.of("../docs/store.md");

  @TempDir Path directory;

  @Test
  void everyQueryIsAnswered() throws Exception {
    List<String> queries =
        Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();

    assertThat(queries).hasSize(3);
    try (Query query = new RunFolder(directory).query()) {
      for (String sql : queries) {
        try (Rows rows = query.execute(sql)) {
          assertThat(rows.columns()).isNotEmpty();
        }
      }
    }
  }

  @Test
  void everyColumnIsDescribed() throws Exception {
    String page = Files.readString(PAGE);
    for (Table table : Table.values()) {
      assertThat(page).contains("**" + table.tableName() + "**");
      for (String column : table.columns()) {
        assertThat(page).containsPattern("\\b" + column.split(" ")[0] + "\\b");
      }
    }
  }
}

package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/store-and-query.md} describes every column; {@link QueryPageTest} runs its queries.
 */
class DocumentedQueriesTest {
  private static final Path PAGE = Path.of("../docs/store-and-query.md");

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

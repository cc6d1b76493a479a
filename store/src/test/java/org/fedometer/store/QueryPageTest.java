package org.fedometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/query.md} shows can be asked as it stands. */
class QueryPageTest {
  @TempDir Path directory;

  @Test
  void theQuestionsAreAnswered() throws Exception {
    List<String> questions =
        Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("../docs/query.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(questions).hasSize(14);
    RunFolder run = RunStore.at(directory).folderOf("night");
    TestStore.write(run, "samples", "1.parquet", TestStore.samples(1, 100));

    try (Query one = run.query();
        Query all = RunStore.at(directory).query()) {
      for (String sql : questions) {
        Query asked = questions.indexOf(sql) < 12 ? one : all;
        try (Rows rows = asked.ask(sql)) {
          assertThat(rows.columns()).isNotEmpty();
          while (rows.next()) {
            rows.columns().forEach(column -> assertThat(column.type()).isNotEmpty());
          }
        }
      }
    }
  }
}

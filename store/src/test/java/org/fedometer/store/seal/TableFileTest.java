package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.PageCompressor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows of the tables beside the samples, as DuckDB reads them. */
class TableFileTest {
  private final PageCompressor pages = new PageCompressor();
  @TempDir Path directory;

  @AfterEach
  void closePages() {
    pages.close();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SAMPLES")
  void everyTableHasItsColumnsAndTheRowsThatWereAdded(Table table) throws Exception {
    try (TableFile file = create(table)) {
      for (int row = 0; row < 3; row++) {
        file.row();
        for (String column : table.columns()) {
          add(file, column.split(" ")[1], row);
        }
        file.end();
      }
      file.finish();
      assertThat(file.rows()).isEqualTo(3);
    }

    assertThat(query("SELECT column_name || ' ' || column_type FROM (DESCRIBE FROM '%s')"))
        .isEqualTo(table.columns());
    assertThat(query("SELECT decode(key), decode(value) FROM parquet_kv_metadata('%s')"))
        .containsExactly("fedometer_schema|1");
    for (String column : table.columns()) {
      String[] nameAndType = column.split(" ");
      assertThat(query("SELECT \"" + nameAndType[0] + "\" FROM '%s'"))
          .as(column)
          .containsExactlyInAnyOrderElementsOf(expected(nameAndType[1]));
    }
  }

  private static void add(TableFile file, String type, int row) {
    switch (type) {
      case "VARCHAR" -> file.add("text ä" + row % 2);
      case "BIGINT" -> file.add(row == 1 ? Long.MAX_VALUE : Long.MIN_VALUE + row);
      case "INTEGER" -> file.add(row == 1 ? Integer.MIN_VALUE : row);
      case "DOUBLE" -> file.add(row == 1 ? Double.NaN : -0.5 * row);
      case "BOOLEAN" -> file.add(row == 1);
      case "BLOB" -> file.add(new byte[] {(byte) -row, 65});
      default -> throw new IllegalArgumentException(type);
    }
  }

  /** In no order: each table has its own. */
  private List<String> expected(String type) throws Exception {
    String sorted =
        switch (type) {
          case "VARCHAR" -> "VALUES ('text ä0'), ('text ä1'), ('text ä0')";
          case "BIGINT" ->
              "VALUES ('-9223372036854775808'::BIGINT), (9223372036854775807),"
                  + " (-9223372036854775806)";
          case "INTEGER" -> "VALUES (0), (-2147483648), (2)";
          case "DOUBLE" -> "VALUES (-0.0::DOUBLE), ('NaN'), (-1.0)";
          case "BOOLEAN" -> "VALUES (false), (true), (false)";
          default -> "VALUES ('\\x00A'::BLOB), ('\\xFFA'), ('\\xFEA')";
        };
    return RawSql.rows(sorted);
  }

  @Test
  void aRowGroupIsSortedAndHasNoMoreRowsThanItShould() throws Exception {
    int rows = 2 * TableFile.MAX_ROWS + 1;
    try (TableFile file = create(Table.TELEMETRY)) {
      for (int row = 0; row < rows; row++) {
        file.row().add("s").add("m" + row % 7).add("By").add(row ^ 1).add(row / 2.0).end();
      }
      file.finish();
    }

    assertThat(query("SELECT num_row_groups FROM parquet_file_metadata('%s')"))
        .containsExactly("3");
    assertThat(
            query(
                "SELECT count(*), count(*) FILTER (at_nanos = file_row_number),"
                    + " count(*) FILTER (metric = 'm' || (xor(at_nanos, 1) %% 7) AND value ="
                    + " xor(at_nanos, 1) / 2.0) FROM read_parquet('%s', file_row_number = true)"))
        .as("but for the last row, whose neighbour is missing")
        .containsExactly(rows + "|" + (rows - 1) + "|" + rows);
  }

  @Test
  void longTextsMakeSmallerRowGroups() throws Exception {
    String longText = "x".repeat(2 << 20);
    try (TableFile file = create(Table.LOGS)) {
      for (int row = 0; row < 5; row++) {
        file.row().add("s").add(-row).add("WARN").add(longText + row).add("t" + row).add(0);
        file.add(longText + row).add("").add("").end();
      }
      file.finish();
    }

    assertThat(query("SELECT num_row_groups FROM parquet_file_metadata('%s')"))
        .containsExactly("3");
    assertThat(
            query(
                "SELECT count(DISTINCT message), count(*) FILTER (logger = message AND thread ="
                    + " 't' || -at_nanos) FROM '%s'"))
        .containsExactly("5|5");
  }

  @Test
  void aTextThatIsNoUnicodeIsWrittenAsFarAsItIs() throws Exception {
    try (TableFile file = create(Table.MARKERS)) {
      file.row().add("s").add(1).add("a\uD800b").add(2).end();
      file.finish();
    }

    assertThat(query("SELECT name FROM '%s'")).containsExactly("a?b");
  }

  @Test
  void rowsThatDoNotFitTheTableAreRefused() throws Exception {
    try (TableFile file = create(Table.MARKERS)) {
      assertThatThrownBy(() -> file.row().add(17)).isInstanceOf(IllegalStateException.class);
    }
    try (TableFile file = create(Table.MARKERS)) {
      file.row().add("s").add(1);
      assertThatThrownBy(file::end).hasMessageContaining("lacks name");
      assertThatThrownBy(file::row).hasMessageContaining("not ended");
      file.add("n").add(2);
      assertThatThrownBy(() -> file.add(3)).hasMessageContaining("each column already");
    }
  }

  private TableFile create(Table table) throws Exception {
    return TableFile.create(table, path(), pages);
  }

  private Path path() {
    return directory.resolve("table.parquet");
  }

  private List<String> query(String sql) throws Exception {
    return RawSql.rows(sql.formatted(path()));
  }
}

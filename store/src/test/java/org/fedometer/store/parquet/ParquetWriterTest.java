package org.fedometer.store.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.parquet.ParquetColumn.Encoding;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** DuckDB reads exactly the written values. */
class ParquetWriterTest {
  private static final List<ParquetColumn> COLUMNS =
      List.of(
          new ParquetColumn("name", Encoding.TEXT_DICTIONARY),
          new ParquetColumn("plain", Encoding.LONG_PLAIN),
          new ParquetColumn("delta", Encoding.LONG_DELTA),
          new ParquetColumn("flag", Encoding.FLAG_PLAIN));

  private static Path directory;
  private static Path file;
  private static PageCompressor pages;
  private static Connection duckdb;

  private record Row(String name, long plain, long delta, boolean flag) {}

  @BeforeAll
  @BeforeContainer
  static void open() throws Exception {
    if (pages == null) {
      directory = Files.createTempDirectory("parquet");
      file = directory.resolve("it's.parquet");
      pages = new PageCompressor();
      duckdb = DriverManager.getConnection("jdbc:duckdb:");
    }
  }

  @AfterAll
  @AfterContainer
  static void close() throws Exception {
    if (pages != null) {
      duckdb.close();
      pages.close();
      pages = null;
      RunDeletion.delete(directory);
    }
  }

  /** Longs of every kind, so that each width of packing occurs, and each length of run. */
  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void anyRowsComeBackInTheirOrder(
      @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 1, max = 700) Integer> rowsOfGroups,
      @ForAll @From("names") List<String> names,
      @ForAll @IntRange(min = 0, max = 64) int plainBits,
      @ForAll @IntRange(min = 0, max = 64) int deltaBits,
      @ForAll @IntRange(min = 1, max = 60) int longestRun,
      @ForAll Random random)
      throws Exception {
    LongSupplier plain = longs(random, plainBits, longestRun);
    LongSupplier delta = longs(random, deltaBits, longestRun);
    LongSupplier name = longs(random, 31, longestRun);
    List<List<Row>> groups = new ArrayList<>();
    for (int rows : rowsOfGroups) {
      List<Row> group = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        String any = names.get((int) Math.floorMod(name.getAsLong(), (long) names.size()));
        group.add(new Row(any, plain.getAsLong(), delta.getAsLong(), random.nextInt(9) == 0));
      }
      groups.add(group);
    }
    write(groups);

    assertThat(rowsRead()).isEqualTo(groups.stream().flatMap(List::stream).toList());
    for (int group = 0; group < groups.size(); group++) {
      assertBounds(group, groups.get(group));
    }
  }

  @Provide
  static net.jqwik.api.Arbitrary<List<String>> names() {
    return net.jqwik.api.Arbitraries.strings()
        .all()
        .ofMaxLength(40)
        .list()
        .ofMinSize(1)
        .ofMaxSize(300)
        .map(texts -> texts.stream().map(ParquetWriterTest::asUtf8HasIt).toList());
  }

  private static String asUtf8HasIt(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /**
   * Numbers of so many bits at most, positive or negative, which repeat themselves now and then.
   */
  private static LongSupplier longs(Random random, int bits, int longestRun) {
    long[] last = {random.nextLong()};
    int[] left = {0};
    return () -> {
      if (left[0]-- <= 0) {
        left[0] = random.nextInt(longestRun);
        last[0] = bits == 0 ? 0 : random.nextLong() >> (Long.SIZE - bits);
        if (bits == Long.SIZE && random.nextInt(9) == 0) {
          last[0] = random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
      }
      return last[0];
    };
  }

  private static void assertBounds(int group, List<Row> rows) throws Exception {
    assertThat(
            query(
                "SELECT path_in_schema, stats_min_value, stats_max_value, stats_null_count,"
                    + " num_values FROM parquet_metadata('%s') WHERE row_group_id = "
                    + group
                    + " AND type = 'INT64'"))
        .containsExactly(
            "plain|%d|%d|0|%d"
                .formatted(
                    rows.stream().mapToLong(Row::plain).min().getAsLong(),
                    rows.stream().mapToLong(Row::plain).max().getAsLong(),
                    rows.size()),
            "delta|%d|%d|0|%d"
                .formatted(
                    rows.stream().mapToLong(Row::delta).min().getAsLong(),
                    rows.stream().mapToLong(Row::delta).max().getAsLong(),
                    rows.size()));
  }

  @Test
  void aFullRowGroupOfDifferentNamesComesBack() throws Exception {
    List<Row> first = new ArrayList<>();
    for (int i = 0; i < ParquetWriter.MAX_ROWS; i++) {
      first.add(new Row("name " + i, Long.MIN_VALUE + i, i * (long) i, i % 2 == 0));
    }
    List<Row> second = List.of(new Row("", Long.MAX_VALUE, -1, true));
    write(List.of(first, second));

    assertThat(query("SELECT count(*), count(DISTINCT name), sum(delta) FROM '%s'"))
        .containsExactly(
            "131073|131073|" + first.stream().mapToLong(Row::delta).reduce(-1, Long::sum));
    assertThat(
            query(
                "SELECT count(*) FROM read_parquet('%s', file_row_number = true) WHERE name ="
                    + " 'name ' || file_row_number AND delta = file_row_number * file_row_number"
                    + " AND flag = (file_row_number %% 2 = 0)"))
        .containsExactly("131072");
  }

  @Test
  void statisticsLetReadersPassOverRowGroups() throws Exception {
    List<List<Row>> groups = new ArrayList<>();
    for (int group = 0; group < 4; group++) {
      groups.add(
          List.of(
              new Row("ä" + group, group * 10, group, false),
              new Row("z" + group, group * 10 + 5, group, group == 2)));
    }
    write(groups);

    assertThat(
            query(
                "SELECT stats_min_value, stats_max_value FROM parquet_metadata('%s') WHERE"
                    + " path_in_schema = 'name' ORDER BY row_group_id"))
        .as("by their bytes in UTF-8, as Parquet has it")
        .containsExactly("z0|ä0", "z1|ä1", "z2|ä2", "z3|ä3");
    assertThat(
            query(
                "SELECT stats_min_value, stats_max_value FROM parquet_metadata('%s') WHERE"
                    + " path_in_schema = 'flag' ORDER BY row_group_id"))
        .containsExactly("false|false", "false|false", "false|true", "false|false");
    assertThat(query("SELECT name FROM '%s' WHERE plain = 25")).containsExactly("z2");
    assertThat(query("SELECT plain FROM '%s' WHERE name = 'ä3'")).containsExactly("30");
    assertThat(query("SELECT plain FROM '%s' WHERE flag")).containsExactly("25");
    spoilDataOf(0);
    assertThat(query("SELECT name FROM '%s' WHERE plain = 35")).containsExactly("z3");
    assertThatThrownBy(() -> query("SELECT name FROM '%s'")).isInstanceOf(SQLException.class);
  }

  /** Makes reading that row group fail. */
  private static void spoilDataOf(int group) throws Exception {
    String[] pages =
        query(
                "SELECT min(coalesce(dictionary_page_offset, data_page_offset)),"
                    + " sum(total_compressed_size) FROM parquet_metadata('%s') WHERE row_group_id = "
                    + group)
            .get(0)
            .split("\\|");
    byte[] content = Files.readAllBytes(file);
    int begin = Integer.parseInt(pages[0]);
    Arrays.fill(content, begin, begin + Integer.parseInt(pages[1]), (byte) 0xFF);
    Files.write(file, content);
  }

  @Test
  void footerHasMetadataAndCreator() throws Exception {
    write(List.of(List.of(new Row("a", 1, 2, true))));

    assertThat(
            query("SELECT created_by, num_rows, format_version FROM parquet_file_metadata('%s')"))
        .first()
        .asString()
        .startsWith("fedometer version ")
        .endsWith("|1|1");
    assertThat(
            query("SELECT decode(key), decode(value) FROM parquet_kv_metadata('%s') ORDER BY ALL"))
        .containsExactly("a key|ä", "other|");
    // DuckDB shows the byte 64 as the character that it is.
    assertThat(
            query(
                "SELECT name, type, repetition_type, logical_type FROM parquet_schema('%s')"
                    + " WHERE type IS NOT NULL"))
        .containsExactly(
            "name|BYTE_ARRAY|REQUIRED|StringType()",
            "plain|INT64|REQUIRED|IntType(bitWidth=@, isSigned=1)",
            "delta|INT64|REQUIRED|IntType(bitWidth=@, isSigned=1)",
            "flag|BOOLEAN|REQUIRED|null");
    assertThat(query("SELECT DISTINCT compression FROM parquet_metadata('%s')"))
        .containsExactly("ZSTD");
  }

  @Test
  void aTableWithoutRowsHasItsColumns() throws Exception {
    write(List.of());

    assertThat(query("SELECT count(*), sum(plain), min(name), bool_or(flag) FROM '%s'"))
        .containsExactly("0|null|null|null");
  }

  @Test
  void longTextsAndSuchWithAnythingInThemComeBack() throws Exception {
    List<Row> rows =
        List.of(
            new Row("x".repeat(65_536), 1, 1, false),
            new Row("\0", 2, 2, false),
            new Row("a\0b", 3, 3, false),
            new Row("", 4, 4, false),
            new Row("\uD83D\uDE00".repeat(1_000) + "\"'%,\n", 5, 5, false));
    write(List.of(rows, rows.subList(1, 4)));

    assertThat(rowsRead()).hasSize(8).startsWith(rows.toArray(Row[]::new));
    assertThat(query("SELECT plain FROM '%s' WHERE name = chr(0)")).containsExactly("2", "2");
    assertThat(query("SELECT plain FROM '%s' WHERE length(name) = 65536")).containsExactly("1");
  }

  @Test
  void whatDoesNotFitTheTableIsRefused() throws Exception {
    try (ParquetWriter writer = ParquetWriter.create(file, COLUMNS, Map.of(), pages)) {
      assertThatThrownBy(() -> writer.writeLongs(new long[1]))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Begin a row group");
      assertThatThrownBy(() -> writer.beginRowGroup(0)).hasMessageContaining("1 to 131072 rows");
      assertThatThrownBy(() -> writer.beginRowGroup(ParquetWriter.MAX_ROWS + 1))
          .hasMessageContaining("not 131073");
      writer.beginRowGroup(2);
      assertThatThrownBy(() -> writer.writeLongs(new long[2])).hasMessageContaining("name");
      byte[][] tooLong = {new byte[ParquetWriter.MAX_DICTIONARY_BYTES], new byte[1]};
      assertThatThrownBy(() -> writer.writeTexts(new int[] {0, 1}, tooLong, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at most 16777216 bytes");
      assertThatThrownBy(writer::finish).hasMessageContaining("lacks the column name");
    }
  }

  private static void write(List<List<Row>> groups) throws IOException {
    Map<String, String> metadata = Map.of("a key", "ä", "other", "");
    try (ParquetWriter writer = ParquetWriter.create(file, COLUMNS, metadata, pages)) {
      for (List<Row> rows : groups) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        int[] ofRows = new int[rows.size()];
        boolean[] flags = new boolean[rows.size()];
        for (int i = 0; i < ofRows.length; i++) {
          numbers.putIfAbsent(rows.get(i).name(), numbers.size());
          ofRows[i] = numbers.get(rows.get(i).name());
          flags[i] = rows.get(i).flag();
        }
        byte[][] texts =
            numbers.keySet().stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        writer.beginRowGroup(rows.size());
        writer.writeTexts(ofRows, texts, texts.length);
        writer.writeLongs(rows.stream().mapToLong(Row::plain).toArray());
        writer.writeLongs(rows.stream().mapToLong(Row::delta).toArray());
        writer.writeFlags(flags);
      }
      writer.finish();
    }
  }

  private static List<Row> rowsRead() throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (Statement statement = duckdb.createStatement();
        ResultSet read = statement.executeQuery("FROM '%s'".formatted(quoted()))) {
      while (read.next()) {
        rows.add(new Row(read.getString(1), read.getLong(2), read.getLong(3), read.getBoolean(4)));
      }
    }
    return rows;
  }

  /** Rows as text, columns separated by {@code |}. */
  private static List<String> query(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = duckdb.createStatement();
        ResultSet read = statement.executeQuery(sql.formatted(quoted()))) {
      while (read.next()) {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= read.getMetaData().getColumnCount(); i++) {
          columns.add(String.valueOf(read.getString(i)));
        }
        rows.add(String.join("|", columns));
      }
    }
    return rows;
  }

  private static String quoted() {
    return file.toString().replace("'", "''");
  }
}

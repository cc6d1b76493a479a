package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.wire.Dictionary;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.SampleEncoder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of samples is only in the files: row groups, dictionaries, metadata. */
class SampleFileTest {
  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = new RunFolder(directory.resolve("run"));
  }

  @Test
  void theFileHasTheTablesColumnsAndSaysItsSchema() throws Exception {
    TestSegment.number(1).traces(0, 0, 10).seal(run);

    assertThat(
            RawSql.rows(
                "SELECT column_name || ' ' || column_type FROM (DESCRIBE FROM '" + file() + "')"))
        .isEqualTo(Table.SAMPLES.columns());
    assertThat(
            RawSql.rows(
                "SELECT decode(key), decode(value) FROM parquet_kv_metadata('" + file() + "')"))
        .containsExactly("fedometer_schema|1");
  }

  @Test
  void aNameThatSeveralSourcesGaveIsOnceInTheDictionary() throws Exception {
    TestSegment segment = TestSegment.number(1);
    for (int source = 0; source < 3; source++) {
      segment.source(1, 0).stages(source, "a").threads(source, "main", "main").traces(source, 0, 5);
    }
    segment.seal(run);

    String[] pages =
        RawSql.rows(
                "SELECT dictionary_page_offset, data_page_offset FROM parquet_metadata('"
                    + file()
                    + "') WHERE path_in_schema = 'thread'")
            .get(0)
            .split("\\|");
    assertThat(Integer.parseInt(pages[1]) - Integer.parseInt(pages[0]))
        .as("bytes of a dictionary of one name")
        .isLessThan(45);
    assertThat(RawSql.rows("SELECT source, thread, count(*) FROM '" + file() + "' GROUP BY ALL"))
        .hasSize(3)
        .allMatch(row -> row.endsWith("|main|5"));
  }

  @Test
  void moreNamesThanADictionaryHoldsMakeMoreRowGroups() throws Exception {
    int threads = 12_000;
    TestSegment segment = TestSegment.number(1).source(1, 0);
    SampleEncoder samples = new SampleEncoder();
    Dictionary names = new Dictionary();
    for (int thread = 0; thread < threads; thread++) {
      names.put(thread, "n".repeat(1_000) + thread);
      samples.add(thread, thread, thread, 3, 5, 5, false);
      samples.add(thread, thread, thread, 4, 5, 5, false);
      if (thread % 1_000 == 999) {
        segment.frame(0, FrameType.THREADS, names.encode()).samples(0, samples);
        names = new Dictionary();
      }
    }
    segment.seal(run);

    assertThat(
            RawSql.rows(
                "SELECT count(*), count(DISTINCT thread), count(*) FILTER (thread ="
                    + " repeat('n', 1000) || trace AND stage = 'stage-' || trace) FROM '"
                    + file()
                    + "'"))
        .containsExactly("24000|12000|24000");
    assertThat(RawSql.rows("SELECT num_row_groups FROM parquet_file_metadata('" + file() + "')"))
        .containsExactly("3");
  }

  @Test
  void framesWithoutASampleMakeNoFile() throws Exception {
    SealResult result = TestSegment.number(1).samples(0, new SampleEncoder()).seal(run);

    assertThat(result.samples()).isZero();
    assertThat(run.tableFiles(Table.SAMPLES)).isEqualTo(List.of());
    assertThat(run.tableFiles(Table.SOURCES)).hasSize(1);
  }

  private String file() throws Exception {
    return run.tableFiles(Table.SAMPLES).get(0).toString();
  }
}

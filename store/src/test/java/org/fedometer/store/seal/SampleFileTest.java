package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.rollup.FileSums;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the details of sample files: row groups, dictionaries, metadata. */
class SampleFileTest {
  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = new RunFolder(directory.resolve("run"));
  }

  @Test
  void hasTheColumnsAndSchemaOfTheTable() throws Exception {
    TestSegment.number(1).traces(0, 0, 10).seal(run);

    assertThat(
            RawSql.rows(
                "SELECT column_name || ' ' || column_type FROM (DESCRIBE FROM '" + file() + "')"))
        .isEqualTo(Table.SAMPLES.columns());
    assertThat(
            RawSql.rows(
                "SELECT decode(key), decode(value) FROM parquet_kv_metadata('" + file() + "')"))
        .hasSize(2)
        .contains("fedometer_schema|1");
  }

  @Test
  void fileHasSumsOfItsSamples() throws Exception {
    TestSegment segment = TestSegment.number(1).source(1, 0).source(1, 0);
    segment.stages(0, "a", "b").stages(1, "b", "it's").threads(0, "t").threads(1, "t", "t");
    for (int source = 0; source < 2; source++) {
      SampleEncoder samples = new SampleEncoder();
      for (int i = 0; i < 1_000; i++) {
        samples.add(i % 3, i % 4, i, i * 1_000L, i * i + 5, i, i % 7 == 0);
      }
      segment.samples(source, samples);
    }
    segment.seal(run);

    assertThat(sumsOf(file())).isEqualTo(addedUp(file())).hasSizeGreaterThan(10);
  }

  /** Returns the sums of a file's samples, by thread and stage. */
  static List<String> addedUp(String file) throws Exception {
    return RawSql.rows(
            "SELECT source, thread, stage, count(*), count(*) FILTER (failed), sum(duration_nanos),"
                + " sum(duration_nanos - children_nanos) FROM '"
                + file
                + "' GROUP BY ALL")
        .stream()
        .sorted()
        .toList();
  }

  /** By thread and stage, as its metadata has them. */
  static List<String> sumsOf(String file) throws Exception {
    List<String> texts =
        RawSql.rows(
            "SELECT decode(value) FROM parquet_kv_metadata('%s') WHERE decode(key) = 'fedometer_sums'"
                .formatted(file));
    List<String> sums = new ArrayList<>();
    if (texts.isEmpty()) {
      return sums;
    }
    FileSums.parse(texts.get(0))
        .forEachSum(
            (source, thread, stage, count, failed, durationNanos, selfNanos) ->
                sums.add(
                    String.join("|", source, thread, stage)
                        + "|%d|%d|%d|%d".formatted(count, failed, durationNanos, selfNanos)));
    return sums.stream().sorted().toList();
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

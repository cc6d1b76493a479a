package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.fedometer.store.RunDeletion;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.TestStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.Totals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@net.jqwik.api.Tag("slow")
class MergerTest {
  private static final Duration GRACE = Duration.ofMinutes(5);
  private static final String ALL =
      "SELECT * FROM (SELECT 'samples', count(*)::VARCHAR, sum(trace)::VARCHAR FROM samples"
          + " UNION ALL SELECT 'requests', count(*)::VARCHAR, sum(object_index)::VARCHAR FROM requests"
          + " UNION ALL SELECT 'totals', stage, count || '/' || sequence FROM totals"
          + " UNION ALL SELECT 'sources', source, sequence || '/' || frames_unreadable FROM sources"
          + " UNION ALL SELECT 'environment', name, value FROM environment"
          + " UNION ALL SELECT 'rollups', stage, sum(count)::VARCHAR || '/' ||"
          + " sum(sum_duration_nanos) FROM rollups GROUP BY stage) ORDER BY ALL";

  private Path directory;
  private RunFolder run;

  @BeforeEach
  @BeforeTry
  void makeRun() throws IOException {
    clean();
    directory = Files.createTempDirectory("merger");
    run = new RunFolder(directory.resolve("run"));
    Files.createDirectories(run.segmentDirectory());
  }

  @AfterEach
  @AfterTry
  void clean() throws IOException {
    if (directory != null) {
      RunDeletion.delete(directory);
    }
  }

  /**
   * Segments of random sizes, some of which are sealed only much later; tidied after each, now and
   * then after the grace.
   */
  @Property(tries = 12, shrinking = net.jqwik.api.ShrinkingMode.OFF)
  void mergingDoesNotChangeTables(
      @ForAll @Size(min = 10, max = 60) List<@IntRange(min = 0, max = 99) Integer> kinds)
      throws Exception {
    RunFolder untidied = new RunFolder(directory.resolve("untidied"));
    Files.createDirectories(untidied.segmentDirectory());
    Merger merger = new Merger(TestSegment.STORE, 256L << 20);
    List<Path> late = new ArrayList<>();
    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      for (int i = 0; i < kinds.size(); i++) {
        TestSegment segment = segment(i + 1, kinds.get(i));
        sealer.seal(untidied, segment.write(untidied));
        Path file = segment.write(run);
        if (kinds.get(i) % 11 == 5) {
          late.add(file);
          continue;
        }
        sealer.seal(run, file);
        if (kinds.get(i) % 7 == 3) {
          letTimePass(run);
        }
        merger.compact(run, GRACE);
        if (kinds.get(i) % 13 == 4 && !late.isEmpty()) {
          sealer.seal(run, late.remove(0));
        }
      }
      for (Path file : late) {
        sealer.seal(run, file);
      }
    }
    assertThat(query(run, ALL)).isEqualTo(query(untidied, ALL));
    for (int i = 0; i < 5; i++) {
      letTimePass(run);
      merger.compact(run, GRACE);
    }
    assertThat(query(run, ALL)).isEqualTo(query(untidied, ALL));
    for (Table table : Table.values()) {
      assertThat(run.tableFiles(table)).as(table.tableName()).hasSizeLessThan(30);
      assertThat(run.coveredFiles(table)).as(table.tableName()).hasSizeLessThan(64);
    }
  }

  /** A megabyte first, then only crumbs: these must not wait for as much again. */
  @Test
  void fileCountStaysSmallAndRowsAreNotWrittenAgainAndAgain() throws Exception {
    Merger merger = new Merger(TestSegment.STORE, 256L << 20);
    Set<Path> seen = new HashSet<>();
    Map<Table, Long> written = new HashMap<>();
    Map<Table, Long> sealed = new HashMap<>();
    int max = 0;
    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      for (int number = 1; number <= 220; number++) {
        sealer.seal(run, segment(number, number < 4 ? 99 : number % 5).write(run));
        account(seen, sealed);
        merger.compact(run, Duration.ZERO);
        account(seen, written);
        max = Math.max(max, run.tableFiles(Table.SAMPLES).size());
      }
    }
    assertThat(max).as("most files at a time").isLessThan(3 * 8);
    assertThat(written.get(Table.SAMPLES))
        .as("bytes written by merging samples, of %s sealed", sealed)
        .isLessThan(5 * sealed.get(Table.SAMPLES));
    assertThat(query(run, "SELECT count(*), count(DISTINCT trace) FROM samples").get(0))
        .matches("(\\d+)\\|\\1");
  }

  private void account(Set<Path> seen, Map<Table, Long> bytes) throws IOException {
    for (Table table : Table.values()) {
      for (Path file : run.tableFiles(table)) {
        if (seen.add(file)) {
          bytes.merge(table, Files.size(file), Long::sum);
        }
      }
    }
  }

  @Test
  void mergedFileHasSumsIfAllPartsHave() throws Exception {
    for (int number = 1; number <= 8; number++) {
      segment(number, 1).seal(run);
    }
    new Merger(TestSegment.STORE, 256L << 20).compact(run, GRACE);

    String merged = run.tableFiles(Table.SAMPLES).get(0).toString();
    assertThat(merged).contains("000001-000008");
    assertThat(SampleFileTest.sumsOf(merged))
        .isEqualTo(SampleFileTest.addedUp(merged))
        .isNotEmpty();

    for (int number = 9; number <= 15; number++) {
      segment(number, 1).seal(run);
    }
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "COPY (FROM '%1$s') TO '%1$s.new' (FORMAT parquet, KV_METADATA {fedometer_sums: 'broken'})"
              .formatted(merged));
    }
    Files.move(Path.of(merged + ".new"), Path.of(merged), StandardCopyOption.REPLACE_EXISTING);
    new Merger(TestSegment.STORE, 256L << 20).compact(run, GRACE);

    merged = run.tableFiles(Table.SAMPLES).get(0).toString();
    assertThat(merged).contains("000001-000015");
    assertThat(SampleFileTest.sumsOf(merged)).isEmpty();
  }

  @Test
  void aSegmentThatIsSealedLateIsNeverHidden() throws Exception {
    Merger merger = new Merger(TestSegment.STORE, 256L << 20);
    Path late = segment(5, 1).write(run);
    for (int number = 1; number <= 12; number++) {
      if (number != 5) {
        segment(number, 1).seal(run);
      }
    }
    merger.compact(run, GRACE);
    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      sealer.seal(run, late);
    }

    assertThat(query(run, "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("132|132");
    merger.compact(run, GRACE);
    assertThat(query(run, "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("132|132");
  }

  @Test
  void aSegmentOfWhichACrashLeftSomeTablesSealedIsNotMergedBeforeItIsSealedAgain()
      throws Exception {
    for (int number = 1; number <= 10; number++) {
      segment(number, 1).seal(run);
    }
    Path again = segment(10, 1).write(run);
    Files.delete(run.tableFiles(Table.SOURCES).get(9));
    Merger merger = new Merger(TestSegment.STORE, 256L << 20);
    merger.compact(run, GRACE);
    try (Sealer sealer = new Sealer(TestSegment.STORE)) {
      sealer.seal(run, again);
    }

    assertThat(run.tableFiles(Table.SAMPLES)).hasSize(2);
    assertThat(query(run, "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("110|110");
  }

  @Test
  void filesOfOtherStoresAndPartsStayAsTheyAre() throws Exception {
    for (int number = 1; number <= 10; number++) {
      Path foreign = TestSegment.of("ffffffff", number).source(1, 0).traces(0, 0, 5).write(run);
      try (Sealer sealer = new Sealer(number < 6 ? "ffffffff" : TestSegment.STORE)) {
        sealer.seal(run, foreign);
      }
    }
    List<Path> before = run.tableFiles(Table.SAMPLES);

    Merger.CompactionResult tidied =
        new Merger(TestSegment.STORE, 256L << 20).compact(run, Duration.ZERO);

    assertThat(tidied).isEqualTo(new Merger.CompactionResult(0, 0));
    assertThat(run.tableFiles(Table.SAMPLES)).isEqualTo(before).hasSize(10);
  }

  @Test
  void readersThatKnowTheOldFilesHaveUntilTheGraceIsOver() throws Exception {
    for (int number = 1; number <= 8; number++) {
      segment(number, 1).seal(run);
    }
    Merger merger = new Merger(TestSegment.STORE, 256L << 20);
    List<Path> old = run.tableFiles(Table.SAMPLES);
    try (Query query = run.query()) {
      try (Rows rows = query.execute("SELECT count(*) FROM samples")) {
        assertThat(merger.compact(run, GRACE).merged()).isPositive();
        assertThat(merger.compact(run, GRACE).remaining()).isPositive();
        assertThat(old).allMatch(Files::exists);
        assertThat(rows.next()).isTrue();
      }
      assertThat(TestStore.query(query, "SELECT count(*) FROM samples")).containsExactly("88");
      assertThat(run.tableFiles(Table.SAMPLES)).hasSize(1).doesNotContainAnyElementsOf(old);

      letTimePass(run);
      assertThat(merger.compact(run, GRACE)).isEqualTo(new Merger.CompactionResult(0, 0));
      assertThat(old).noneMatch(Files::exists);
      assertThat(TestStore.query(query, "SELECT count(*) FROM samples")).containsExactly("88");
    }
  }

  @Test
  void aMergedFileThatIsNotWholeKeepsThoseItStandsFor() throws Exception {
    for (int number = 1; number <= 8; number++) {
      segment(number, 1).seal(run);
    }
    List<Path> old = run.tableFiles(Table.SAMPLES);
    Merger merger = new Merger(TestSegment.STORE, 256L << 20);
    merger.compact(run, GRACE);
    Path merged = run.tableFiles(Table.SAMPLES).get(0);
    byte[] content = Files.readAllBytes(merged);
    Files.write(merged, Arrays.copyOf(content, content.length / 2));
    letTimePass(run);

    merger.compact(run, GRACE);

    assertThat(old).allMatch(Files::exists);
  }

  @Test
  void aRunThatWasDeletedMeanwhileDoesNotComeBack() throws Exception {
    for (int number = 1; number <= 8; number++) {
      segment(number, 1).seal(run);
    }
    RunDeletion.delete(run.segmentDirectory());
    try {
      new Merger(TestSegment.STORE, 256L << 20).compact(run, GRACE);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("merge.tmp");
    }
    assertThat(run.segmentDirectory()).doesNotExist();
  }

  private static void letTimePass(RunFolder run) throws IOException {
    FileTime past = FileTime.from(Instant.now().minus(GRACE).minusSeconds(1));
    for (Table table : Table.values()) {
      for (Path file : run.tableFiles(table)) {
        Files.setLastModifiedTime(file, past);
      }
    }
  }

  /** Creates a segment, of very different sizes, with separate traces. */
  private static TestSegment segment(int number, int kind) {
    TestSegment segment = TestSegment.number(number).source(1, 0).stages(0, "a", "b");
    int count = kind > 90 ? 100_000 : kind > 70 ? 5_000 : 11;
    SampleEncoder samples = new SampleEncoder();
    for (int i = 0; i < count; i++) {
      long trace = number * 1_000_000L + i;
      samples.add(0, 0, trace, trace * 1_000 + trace * 7919 % 997, trace * 31 % 1_009, 1, false);
      if (samples.count() == 20_000) {
        segment.samples(0, samples);
      }
    }
    segment.samples(0, samples);
    if (kind % 3 == 0) {
      segment.request(0, number);
    }
    if (kind % 4 == 1) {
      segment
          .frame(
              0,
              FrameType.TOTALS,
              new Totals(
                      List.of(new Totals.StageTotal(kind % 2, number, 0, 1)),
                      number,
                      0,
                      0,
                      0,
                      0,
                      false)
                  .encode())
          .frame(
              0,
              FrameType.ENVIRONMENT,
              new Environment().put("k" + kind % 3, "v" + number).encode())
          .frame(0, FrameType.TRACES, new byte[] {9, 9, 9});
    }
    return segment;
  }

  private static List<String> query(RunFolder run, String sql) throws Exception {
    try (Query query = run.query()) {
      return TestStore.query(query, sql);
    }
  }
}

package org.fedometer.store.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.fedometer.store.RunFolder;
import org.fedometer.store.TestStore;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.store.seal.LiveRollupWriter;
import org.fedometer.store.seal.TestSegment;
import org.fedometer.wire.record.SampleEncoder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RollupsTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = new RunFolder(directory.resolve("run"));
  }

  @Test
  void forgettingFreesSpace() {
    Rollups rollups = new Rollups();
    int stage = rollups.stage("ingest");
    for (long interval = 0; interval < 20_000; interval++) {
      rollups.add(stage, interval * 10 * SECOND, 5, 5, false);
      rollups.forgetBefore((interval - 2) * 10);
    }

    assertThat(rollups.beginningAt(199_960)).isEmpty();
    assertThat(rollups.beginningAt(199_970)).extracting(Rollup::count).containsExactly(1L);
    rollups.add(stage, 199_975 * SECOND, 7, 7, true);
    assertThat(rollups.beginningAt(199_970))
        .extracting(Rollup::count, Rollup::failed, Rollup::maxNanos)
        .containsExactly(tuple(2L, 1L, 7L));
    assertThat(rollups.toList())
        .extracting(Rollup::beginEpochSeconds)
        .containsExactly(199_970L, 199_980L, 199_990L);

    rollups.forgetBefore(Long.MAX_VALUE);
    assertThat(rollups.toList()).isEmpty();
    rollups.add(stage, 199_995 * SECOND, 3, 3, false);
    assertThat(rollups.toList()).extracting(Rollup::count).containsExactly(1L);
  }

  @Test
  void sealedRollupsMatchSamplesAndRequests() throws Exception {
    Random random = new Random(11);
    long firstSeen = 1_700_000_000_000L;
    for (int number = 1; number <= 2; number++) {
      TestSegment segment = TestSegment.number(number);
      for (int source = 0; source < 2; source++) {
        segment.source(firstSeen, source * 1_000 * SECOND).stages(source, "a", "b", "c,\"d\"\n");
        for (int frame = 0; frame < 10; frame++) {
          SampleEncoder samples = new SampleEncoder();
          for (int i = 0; i < 400; i++) {
            long total = (long) Math.exp(random.nextDouble() * 22);
            long start = source * 1_000 * SECOND + (long) (random.nextDouble() * 60 * SECOND);
            boolean failed = random.nextInt(20) == 0;
            samples.add(random.nextInt(3), 0, i, start, total, total / 3, failed);
          }
          segment.samples(source, samples).request(source, frame * 1_000);
        }
      }
      segment.seal(run);
    }

    String bySql =
        "SELECT (start_nanos + duration_nanos + epoch_offset_nanos) // 10_000_000_000 * 10 AS t, stage,"
            + " count(*), count(*) FILTER (failed), sum(duration_nanos)::BIGINT,"
            + " sum(self_nanos)::BIGINT, min(duration_nanos), max(duration_nanos)"
            + " FROM samples JOIN sources USING (source) GROUP BY t, stage UNION ALL"
            + " SELECT (start_nanos + duration_nanos + epoch_offset_nanos) // 10_000_000_000 * 10"
            + " AS t, 'driver.request', count(*), count(*) FILTER (status NOT BETWEEN 200 AND 299),"
            + " sum(duration_nanos)::BIGINT, sum(duration_nanos)::BIGINT, min(duration_nanos),"
            + " max(duration_nanos) FROM requests JOIN sources USING (source) GROUP BY t"
            + " ORDER BY ALL";
    List<String> rolledUp =
        query(
            "SELECT begin_epoch_seconds AS t, stage, sum(count)::BIGINT, sum(failed)::BIGINT,"
                + " sum(sum_duration_nanos)::BIGINT, sum(sum_self_nanos)::BIGINT, min(min_nanos),"
                + " max(max_nanos) FROM rollups GROUP BY t, stage ORDER BY ALL");
    assertThat(rolledUp).hasSizeGreaterThan(20).isEqualTo(query(bySql));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_023, 1_024, 1_025, 30_000})
  void histogramsAreWithinOnePercentAlsoWhereSingleValuesBecomeOne(int count) throws Exception {
    Random random = new Random(count);
    long[] totals = new long[count];
    Rollups rollups = new Rollups();
    int stage = rollups.stage("a");
    for (int i = 0; i < count; i++) {
      totals[i] = 100 + (long) Math.exp(random.nextDouble() * 20);
      rollups.add(stage, 5 * SECOND, totals[i], totals[i], false);
    }
    Arrays.sort(totals);

    Rollup rollup = rollups.toList().get(0);
    Histogram histogram = decoded(rollup.histogram());
    assertThat(histogram.getTotalCount()).isEqualTo(count).isEqualTo(rollup.count());
    assertThat(rollup.minNanos()).isEqualTo(totals[0]);
    assertThat(rollup.maxNanos()).isEqualTo(totals[count - 1]);
    for (double percentile : new double[] {1, 50, 90, 99, 99.9, 100}) {
      long exact = totals[Math.max(0, (int) Math.ceil(percentile / 100 * count) - 1)];
      assertThat((double) histogram.getValueAtPercentile(percentile))
          .as("percentile %s", percentile)
          .isCloseTo(exact, within(exact * 0.01 + 1));
    }
  }

  @Test
  void encodingBetweenSamplesDisturbsNothing() throws Exception {
    Rollups rollups = new Rollups();
    int stage = rollups.stage("a");
    for (int i = 1; i <= 3_000; i++) {
      rollups.add(stage, 0, i, i, false);
      if (i % 500 == 0) {
        assertThat(decoded(rollups.toList().get(0).histogram()).getTotalCount()).isEqualTo(i);
      }
    }
  }

  @Test
  void timesBeforeTheEpochFallIntoTheTenSecondsThatBeganBefore() {
    Rollups rollups = new Rollups();
    rollups.add(rollups.stage("a"), -1, 1, 1, false);
    rollups.add(rollups.stage("a"), 0, 1, 1, false);

    assertThat(rollups.toList()).extracting(Rollup::beginEpochSeconds).containsExactly(-10L, 0L);
  }

  @Test
  void hostileTimesAndStagesHaveTheirBoundsAndBreakNothing() {
    Rollups rollups = new Rollups();
    int a = rollups.stage("a");
    for (long i = 0; i < 100_000; i++) {
      rollups.add(a, i * 1_000_003 * SECOND, -5, Long.MIN_VALUE, false);
    }
    assertThat(rollups.toList()).hasSize(4_096);

    for (int i = 0; i < 200_000; i++) {
      rollups.add(rollups.stage("stage-" + i), i % 4_096 * SECOND, Long.MAX_VALUE, 1, true);
    }
    assertThat(rollups.toList()).hasSizeLessThanOrEqualTo(65_536);
    assertThat(rollups.toList())
        .filteredOn(rollup -> rollup.stage().equals("a"))
        .allMatch(rollup -> rollup.minNanos() == -5);
  }

  @Test
  void manyStagesInAllOfTheIntervalsAreNotAllKept() {
    Rollups rollups = new Rollups();
    int[] stages = new int[250];
    for (int i = 0; i < stages.length; i++) {
      stages[i] = rollups.stage("s" + i);
    }
    for (int i = 0; i < 4_096; i++) {
      for (int stage : stages) {
        rollups.add(stage, i * 10 * SECOND, 5, 5, false);
      }
    }
    assertThat(rollups.toList()).hasSize(65_536);

    rollups.add(stages[0], 0, 5, 5, false);
    assertThat(rollups.toList().get(0).count()).as("what is kept goes on").isEqualTo(2);
  }

  @Test
  void threeHoursOfAnIngestInOneSegmentAreAllKept() {
    Rollups rollups = new Rollups();
    for (int i = 0; i < 3 * 360; i++) {
      for (int stage = 0; stage < 60; stage++) {
        rollups.add(rollups.stage("s" + stage), i * 10 * SECOND, 5, 5, false);
      }
    }

    assertThat(rollups.toList()).hasSize(3 * 360 * 60);
  }

  @Test
  void liveRollupsCountUntilTheirSegmentIsSealed() throws Exception {
    TestSegment.number(1).source(1, 0).stages(0, "a").traces(0, 0, 100).seal(run);
    TestSegment second =
        TestSegment.number(2).source(1, 0).stages(0, "a").traces(0, 100, 130).request(0, 7);
    Path segment = second.write(run);
    Path live = LiveRollupFile.of(segment);
    write(live, List.of(rollup("a", 20), rollup("driver.request", 1)));

    assertThat(query("SELECT stage, sum(count) FROM rollups GROUP BY stage ORDER BY stage"))
        .containsExactly("a|120", "driver.request|1");

    Files.delete(segment);
    second.seal(run);
    assertThat(live).as("the collector deletes it, after that").exists();
    assertThat(query("SELECT stage, sum(count) FROM rollups GROUP BY stage ORDER BY stage"))
        .containsExactly("a|130", "driver.request|1");
  }

  @Test
  void rollupsSealedWhileTheSegmentIsStillThereAreNotDoubled() throws Exception {
    TestSegment first = TestSegment.number(1).source(1, 0).stages(0, "a").traces(0, 0, 100);
    first.seal(run);
    Path segment = first.write(run);
    write(LiveRollupFile.of(segment), List.of(rollup("a", 100)));

    assertThat(query("SELECT sum(count) FROM rollups")).containsExactly("100");
  }

  @Test
  void aLiveFileWithoutItsSegmentIsIgnored() throws Exception {
    Path gone = TestSegment.number(3).fileIn(run);
    Files.createDirectories(gone.getParent());
    write(LiveRollupFile.of(gone), List.of(rollup("a", 20)));

    assertThat(query("SELECT count(*) FROM rollups")).containsExactly("0");
  }

  @Test
  void anyStageNameSurvivesTheLiveFile() throws Exception {
    List<String> names =
        List.of(
            "a,b",
            "\"",
            "a\"\"b",
            "line\nbreak",
            "cr\r\nlf",
            "cr\rcr",
            "\r",
            "\n",
            "\r\n",
            "\"\r\"\n,",
            "nul\0nul",
            "\0",
            "\uFEFF",
            "\uFEFFbom",
            "#",
            "größe \uD83D\uDE00",
            "",
            " x ",
            "NULL",
            "it's",
            "\\",
            "\t");
    List<Rollup> rollups = new ArrayList<>();
    names.forEach(name -> rollups.add(rollup(name, 1)));
    Path segment = TestSegment.number(1).write(run);
    write(LiveRollupFile.of(segment), rollups);

    try (Query query = run.query();
        Rows rows = query.execute("SELECT stage, histogram FROM rollups")) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add((String) rows.value(0));
        assertThat(decoded((byte[]) rows.value(1)).getTotalCount()).isEqualTo(1);
      }
      assertThat(found).containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void anEmptyLiveFileHasNoRows() throws Exception {
    Path segment = TestSegment.number(1).write(run);
    write(LiveRollupFile.of(segment), List.of());

    assertThat(query("SELECT count(*) FROM rollups")).containsExactly("0");
  }

  private static void write(Path file, List<Rollup> rollups) throws IOException {
    try (LiveRollupWriter writer = new LiveRollupWriter()) {
      writer.write(file, rollups);
    }
  }

  private static Rollup rollup(String stage, long count) {
    Rollups rollups = new Rollups();
    for (int i = 0; i < count; i++) {
      rollups.add(rollups.stage(stage), SECOND, 5, 5, false);
    }
    return rollups.toList().get(0);
  }

  private static Histogram decoded(byte[] bytes) throws Exception {
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
  }

  private List<String> query(String sql) throws Exception {
    try (Query query = run.query()) {
      return TestStore.query(query, sql);
    }
  }
}

package org.fedometer.store.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.fedometer.store.RunFolder;
import org.fedometer.store.Table;
import org.fedometer.store.TestStore;
import org.fedometer.store.query.Query;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.session.Dictionary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files have samples thread by thread, each by start, regardless of their sources' clocks. */
class SampleOrderTest {
  /** Rows before the first of which another lies with the same thread and a later start. */
  private static final String OUT_OF_ORDER =
      "SELECT count(*) FROM (SELECT source, thread, start_nanos, lag(source) OVER w AS s,"
          + " lag(thread) OVER w AS t, lag(start_nanos) OVER w AS n, file_row_number AS row"
          + " FROM read_parquet('%1$s', file_row_number = true) WINDOW w AS (ORDER BY"
          + " file_row_number)) WHERE s = source AND t = thread AND n > start_nanos"
          + " AND row %% %2$d <> 0";

  private static final String CHANGES =
      "SELECT count(*) FROM (SELECT source || thread AS now, lag(source || thread) OVER (ORDER BY"
          + " file_row_number) AS before FROM read_parquet('%s', file_row_number = true))"
          + " WHERE now <> before";

  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void nameRun() {
    run = new RunFolder(directory.resolve("run"));
  }

  @Test
  void threadsOfSourcesWithClocksFarApartAreEachSorted() throws Exception {
    long[] origins = {-5_000_000_000_000_000L, 0, Long.MAX_VALUE - 1_000_000_000};
    TestSegment segment = TestSegment.number(1);
    for (int source = 0; source < origins.length; source++) {
      segment.source(1, 0).stages(source, "a").threads(source, "t0", "t1", "t2");
    }
    Random random = new Random(7);
    for (int frame = 0; frame < 30; frame++) {
      for (int source = 0; source < origins.length; source++) {
        SampleEncoder samples = new SampleEncoder();
        for (int i = 0; i < 100; i++) {
          long start = origins[source] + random.nextInt(1_000_000_000);
          samples.add(0, random.nextInt(3), frame, start, 5, 5, false);
        }
        segment.samples(source, samples);
      }
    }
    segment.seal(run);

    assertThat(raw(OUT_OF_ORDER.formatted(samplesFile(), SampleChunk.SAMPLES)))
        .containsExactly("0");
    assertThat(raw(CHANGES.formatted(samplesFile()))).as("nine threads").containsExactly("8");
    assertThat(query("SELECT count(*) FROM samples")).containsExactly("9000");
  }

  @Test
  void startsOfOneThreadThatLieYearsApartOrWrapAreSorted() throws Exception {
    SampleEncoder samples = new SampleEncoder();
    long[] starts = {
      Long.MAX_VALUE - 10,
      3,
      Long.MIN_VALUE + 5,
      -4_000_000_000_000_000_000L,
      4,
      31_536_000_000_000_000L
    };
    for (long start : starts) {
      samples.add(0, 0, 1, start, 5, 5, false);
    }
    TestSegment.number(1).source(1, 0).threads(0, "t").samples(0, samples).seal(run);

    assertThat(raw("SELECT start_nanos FROM '" + samplesFile() + "'"))
        .containsExactly(
            Arrays.stream(starts).sorted().mapToObj(String::valueOf).toArray(String[]::new));
  }

  @Test
  void aParentComesBeforeItsChildrenThatStartWithIt() throws Exception {
    SampleEncoder samples = new SampleEncoder();
    samples.add(2, 0, 1, 100, 10, 10, false);
    samples.add(1, 0, 1, 100, 20, 10, false);
    samples.add(0, 0, 1, 100, 30, 10, false);
    TestSegment.number(1).source(1, 0).stages(0, "a", "b", "c").samples(0, samples).seal(run);

    assertThat(raw("SELECT stage FROM '" + samplesFile() + "'")).containsExactly("a", "b", "c");
  }

  @Test
  void moreThanOneChunkIsSortedChunkByChunkAndComplete() throws Exception {
    int count = 2 * SampleChunk.SAMPLES + 20_000;
    TestSegment segment = TestSegment.number(1).source(1, 0).threads(0, "t0", "t1");
    SampleEncoder samples = new SampleEncoder();
    Random random = new Random(3);
    for (int trace = 1; trace <= count; trace++) {
      samples.add(0, trace % 2, trace, random.nextInt(1_000_000), 5, 3, false);
      if (trace % 5_000 == 0) {
        segment.samples(0, samples);
      }
    }
    segment.samples(0, samples).seal(run);

    assertThat(raw("SELECT count(*), count(DISTINCT trace) FROM '" + samplesFile() + "'"))
        .containsExactly(count + "|" + count);
    // A chunk ends with the frame that fills it.
    int chunk = (SampleChunk.SAMPLES + 4_999) / 5_000 * 5_000;
    assertThat(raw(OUT_OF_ORDER.formatted(samplesFile(), chunk))).containsExactly("0");
    assertThat(raw(CHANGES.formatted(samplesFile()))).containsExactly("5");
  }

  @Test
  void aGiantFrameBehindAnAlmostFullChunkFits() throws Exception {
    int many = SampleChunk.SAMPLES - 1;
    int giant = 600_000;
    TestSegment segment = TestSegment.number(1).source(1, 0);
    SampleEncoder samples = new SampleEncoder();
    for (int i = 0; i < many; i++) {
      samples.add(0, 0, 1, i, 1, 1, false);
      if (i % 50_000 == 0) {
        segment.samples(0, samples);
      }
    }
    segment.samples(0, samples);
    for (int i = 0; i < giant; i++) {
      samples.add(0, 0, 1, many + i, 1, 1, false);
    }
    segment.samples(0, samples).seal(run);

    assertThat(query("SELECT count(*), min(start_nanos), max(start_nanos) FROM samples"))
        .containsExactly((many + giant) + "|0|" + (many + giant - 1));
  }

  @Test
  void aHundredThousandThreadsKeepTheirNames() throws Exception {
    int threads = 100_000;
    TestSegment segment = TestSegment.number(1).source(1, 0).stages(0, "a");
    SampleEncoder samples = new SampleEncoder();
    Dictionary names = new Dictionary();
    for (int thread = 0; thread < threads; thread++) {
      names.put(thread, "pool-" + thread);
      samples.add(0, thread, thread, thread, 5, 5, false);
      if (thread % 10_000 == 9_999) {
        segment.frame(0, FrameType.THREADS, names.encode()).samples(0, samples);
        names = new Dictionary();
      }
    }
    segment.seal(run);

    assertThat(
            query(
                "SELECT count(*), count(DISTINCT thread), count(*) FILTER (thread = 'pool-' ||"
                    + " trace) FROM samples"))
        .containsExactly("100000|100000|100000");
  }

  private String samplesFile() throws Exception {
    return run.tableFiles(Table.SAMPLES).get(0).toString();
  }

  private static List<String> raw(String sql) throws Exception {
    return RawSql.rows(sql);
  }

  private List<String> query(String sql) throws Exception {
    try (Query query = run.query()) {
      return TestStore.query(query, sql);
    }
  }
}

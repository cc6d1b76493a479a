package org.fedometer.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fedometer.analysis.TestRun;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;
import org.fedometer.store.query.Rows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The report is the same with and without sums in the files. */
@Tag("slow")
@net.jqwik.api.Tag("slow")
class SummedFilesTest {

  @Property(tries = 20)
  void reportsTheSameWithAndWithoutReadingTheSamples(
      @ForAll Random random, @ForAll @IntRange(min = 1, max = 60) int samplesInFile)
      throws Exception {
    try (TestRun run = new TestRun()) {
      fill(run, random);
      RunReport read = run.report();

      try (Query query = run.queryOfSummedFiles(samplesInFile)) {
        assertThat(RunReport.of(run.document(), "folder-name", query)).isEqualTo(read);
      }
    }
  }

  @Property(tries = 5)
  void reportsTheSameForAMonitoringRun(@ForAll Random random) throws Exception {
    try (TestRun run = new TestRun()) {
      fill(run, random);
      RunReport read = run.monitoringReport();

      try (Query query = run.queryOfSummedFiles(37)) {
        assertThat(RunReport.of(null, "monitoring-2026-11-20-0000000a", query)).isEqualTo(read);
      }
    }
  }

  @Test
  void beginsAgainWhereFilesAreMergedMeanwhile() throws Exception {
    try (TestRun run = new TestRun()) {
      fill(run, new Random(3));
      RunReport read = run.report();

      try (Query before = run.queryOfSummedFiles(10);
          Query query = new MergingMeanwhile(run, before)) {
        assertThat(RunReport.of(run.document(), "folder-name", query)).isEqualTo(read);
      }
    }
  }

  private static void fill(TestRun run, Random random) throws Exception {
    run.phases = List.of(new Phase("ingest", 1_000, 9_000), new Phase("drain", 9_100, 9_500));
    String[] stages = {"http.request", "ingest", "triples.flush", "it's", "other"};
    String[] threads = {"http-1", "http-2", "pool-1", "pool-2"};
    for (int i = 0; i < 200; i++) {
      int thread = random.nextInt(threads.length);
      String stage = stages[thread < 2 ? random.nextInt(5) : 1 + random.nextInt(4)];
      long total = (long) Math.exp(random.nextDouble() * 25);
      run.sample(
          stage,
          threads[thread],
          i,
          random.nextInt(11_000),
          total,
          (long) (random.nextDouble() * total),
          random.nextInt(9) == 0);
    }
    run.totals(0, 0, true);
  }

  /** Asks a run whose files of samples are merged after the first query about them. */
  private static final class MergingMeanwhile implements Query {
    private final TestRun run;
    private final Query before;
    private Query after;

    MergingMeanwhile(TestRun run, Query before) {
      this.run = run;
      this.before = before;
    }

    @Override
    public Rows execute(String sql, Object... parameters) throws QueryException {
      if (after != null) {
        return after.execute(sql, parameters);
      }
      Rows rows = before.execute(sql, parameters);
      if (sql.contains("sample_files")) {
        try {
          run.mergeSamples();
          after = run.folder().query();
        } catch (Exception e) {
          throw new QueryException("The test cannot merge", e);
        }
      }
      return rows;
    }

    @Override
    public void cancel() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() throws QueryException {
      if (after != null) {
        after.close();
      }
    }
  }
}

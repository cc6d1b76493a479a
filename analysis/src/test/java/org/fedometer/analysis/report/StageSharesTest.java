package org.fedometer.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.store.RunDocument.Phase;

/** Whatever the requests look like, their time is shared out once and only once. */
@net.jqwik.api.Tag("slow")
class StageSharesTest {

  private static final long END = 1_000_000_000L;

  private long recorded;

  @Property(tries = 25)
  void selfTimesSumToTheTimeOfTheRequests(@ForAll Random random) throws Exception {
    try (TestRun run = new TestRun()) {
      fill(run, random);

      RunReport report = run.report();

      long selfNanos = report.stages().list().stream().mapToLong(Stage::requestSelfNanos).sum();
      double shares = report.stages().list().stream().mapToDouble(Stage::share).sum();
      assertThat(selfNanos).isEqualTo(report.stages().requestNanos());
      assertThat(shares).isCloseTo(1, within(1e-9));
      assertThat(report.stages().list().stream().mapToLong(Stage::count).sum()).isEqualTo(recorded);
    }
  }

  @Property(tries = 25)
  void sharesSumToAtMostOneWhateverSamplesWereDropped(@ForAll Random random) throws Exception {
    try (TestRun run = new TestRun()) {
      fill(run, random);
      run.sql("DELETE FROM samples WHERE hash(start_nanos, " + random.nextInt() + ") % 3 = 0");

      RunReport report = run.report();

      assertThat(
              report.stages().list().stream()
                  .mapToDouble(stage -> stage.share() == null ? 0 : stage.share())
                  .sum())
          .isLessThanOrEqualTo(1 + 1e-9);
      assertThat(report.stages().list())
          .allSatisfy(stage -> assertThat(stage.selfNanos()).isBetween(0L, stage.totalNanos()));
    }
  }

  private void fill(TestRun run, Random random) throws Exception {
    recorded = 0;
    run.phases = List.of(new Phase("ingest", 1, END));
    run.sql("BEGIN");
    for (int trace = 1; trace <= 1 + random.nextInt(20); trace++) {
      String thread = "http-" + random.nextInt(4);
      add(run, random, "http.request", thread, trace, 1 + random.nextInt(1000), 0);
    }
    run.sql("COMMIT");
  }

  /** Adds a stage and up to three levels of stages inside it; returns its total time. */
  private long add(
      TestRun run, Random random, String stage, String thread, long trace, long start, int depth)
      throws Exception {
    long selfNanos = random.nextInt(100_000);
    long total = selfNanos;
    if (depth < 3) {
      for (int child = random.nextInt(4); child > 0; child--) {
        total +=
            add(run, random, "stage." + random.nextInt(6), thread, trace, start + total, depth + 1);
      }
    }
    run.sample(stage, thread, trace, start, total, selfNanos);
    recorded++;
    return total;
  }
}

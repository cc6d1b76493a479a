package org.fedometer.analysis.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.timeline.GrowthCurves.Curve;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthCurvesTest {

  private static final String SOURCE = "00000000-0000-0000-0000-00000000000a";
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path directory;

  @Test
  void readingsStandOverTheObjectsIngestedByThen() throws Exception {
    try (TestRun run = new TestRun(new RunFolder(directory))) {
      tenObjectsInEachOfFourSeconds(run);
      for (int second = 0; second < 4; second++) {
        reading(run, "fedora.process.memory.usage", second, 1000 + second);
        reading(run, "fedora.home.disk.free", second, 9000 - 100 * second);
        reading(run, "system.disk.written", second, 50 + 10 * second);
        reading(run, "triples.flush.updates", second, 5);
      }
      collection(run, 1, 300);
      collection(run, 2, 200);
      collection(run, 3, 400);

      List<Curve> curves = curves(run);

      assertThat(curves)
          .extracting(Curve::title)
          .containsExactly(
              "Heap used after a garbage collection",
              "Fedora's process: resident memory",
              "Disk used on the volume of FEDORA_HOME, by any process",
              "Written by the disks below Fedora's home and its own database",
              "Updates of triples flushed");
      assertThat(curves.get(0).objects()).isEqualTo(Column.of(20, 30, 40));
      assertThat(curves.get(0).values()).isEqualTo(Column.of(300, 200, 400));
      assertThat(curves.get(0).low()).isEqualTo(Column.of(300, 200, 400));
      assertThat(curves.get(1).objects()).isEqualTo(Column.of(10, 20, 30, 40));
      assertThat(curves.get(1).values()).isEqualTo(Column.of(1000, 1001, 1002, 1003));
      assertThat(curves.get(2).values()).isEqualTo(Column.of(0, 100, 200, 300));
      assertThat(curves.get(3).values()).isEqualTo(Column.of(0, 10, 20, 30));
      assertThat(curves.get(3).low()).isNull();
      assertThat(curves.get(4).values()).isEqualTo(Column.of(5, 10, 15, 20));
      assertThat(curves.get(4).unit()).isEmpty();
    }
  }

  @Test
  void aRunWithoutIngestsOrReadingsHasNone() throws Exception {
    try (TestRun run = new TestRun(new RunFolder(directory))) {
      assertThat(curves(run)).isEmpty();
      tenObjectsInEachOfFourSeconds(run);
      assertThat(curves(run)).isEmpty();
    }
  }

  private List<Curve> curves(TestRun run) throws Exception {
    run.seal();
    RunFolder folder = new RunFolder(directory);
    RunReport report = RunReport.of(folder);
    try (Query query = folder.query()) {
      return GrowthCurves.of(query, report, RunTimeline.of(query, report));
    }
  }

  /** The first is sent at the origin, the last of a second answered at its end. */
  private static void tenObjectsInEachOfFourSeconds(TestRun run) throws Exception {
    for (int i = 0; i < 40; i++) {
      run.sql(
          ("INSERT INTO requests VALUES ('%s', %d, 'o:%d', '', 0, 1, %d, %d, 201, 1000, '',"
                  + " 'ingest', %d)")
              .formatted(SOURCE, i, i, i * SECOND / 10, SECOND / 20, i * SECOND / 10));
    }
  }

  private static void reading(TestRun run, String metric, int second, double value)
      throws Exception {
    run.sql(
        "INSERT INTO telemetry VALUES ('%s', '%s', 'By', %d, %s)"
            .formatted(SOURCE, metric, second * SECOND + SECOND / 2, value));
  }

  private static void collection(TestRun run, int second, long bytes) throws Exception {
    run.sql(
        "INSERT INTO gc VALUES ('%s', 'g1', '', '', %d, 1000, 9999, %d)"
            .formatted(SOURCE, second * SECOND + SECOND / 2, bytes));
  }
}

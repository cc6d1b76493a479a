package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.RunDocument.Load;
import org.fedometer.store.RunDocument.Pause;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestSeriesTest {
  private static final String ROW =
      "INSERT INTO requests VALUES ('driver', 1, 'p:1', '', 0, 1, %d, %d, %d, 0, '', '%s', %d)";

  @TempDir private Path folder;

  /** A run without requests but for these, of microseconds. */
  private RunFolder run(List<Pause> pauses, String... rows) throws Exception {
    StoredRun run = new StoredRun(folder, "run");
    run.objects = 0;
    run.samples = false;
    run.telemetry = false;
    run.load = new Load(null, null, List.of(), pauses, List.of());
    run.more =
        more -> {
          for (String row : rows) {
            more.sql(row);
          }
        };
    return run.write();
  }

  private static String row(
      long start, long duration, int status, String operation, long intendedStart) {
    return ROW.formatted(start, duration, status, operation, intendedStart);
  }

  private static RequestSeries read(RunFolder run) throws Exception {
    try (Query query = run.query()) {
      return RequestSeries.of(query, run.document()).orElseThrow();
    }
  }

  @Test
  void onlyIngestsThatWereAcknowledgedCount() throws Exception {
    RequestSeries requests =
        read(
            run(
                List.of(),
                row(0, 10, 201, "ingest", 0),
                row(5, 10, 500, "ingest", 5),
                row(6, 10, 0, "ingest", 6),
                row(7, 10, 200, "purge", 7),
                row(8, -1, 201, "ingest", 8),
                row(9, 20, 201, "ingest", 9)));

    assertThat(requests.service().count()).isEqualTo(2);
    assertThat(requests.service().durationNanos(1)).isEqualTo(20);
    assertThat(requests.response()).as("a closed model").isNull();
  }

  @Test
  void pausesAreInNoTimeBetweenRequests() throws Exception {
    RequestSeries requests =
        read(
            run(
                List.of(new Pause(100, 1_100)),
                row(0, 50, 201, "ingest", 0),
                row(1_200, 50, 201, "ingest", 1_200)));

    assertThat(requests.service().elapsedNanos()).isEqualTo(250);
    assertThat(requests.completedAtNanos(1)).as("by the clock on the wall").isEqualTo(1_250);
  }

  @Test
  void responseTimeStartsAtTheIntendedStart() throws Exception {
    long late = 2 * StoredRun.MILLI;
    RequestSeries requests =
        read(
            run(
                List.of(),
                row(0, 1_000, 201, "ingest", 0),
                row(late + 500, 1_000, 201, "ingest", 500)));

    assertThat(requests.response().durationNanos(0)).isEqualTo(1_000);
    assertThat(requests.response().durationNanos(1)).isEqualTo(late + 1_000);
    assertThat(requests.service().durationNanos(1)).isEqualTo(1_000);
  }

  @Test
  void anyLateRequestMakesTheModelOpenHereAndInTheReport() throws Exception {
    long begin = 100 * StoredRun.SECOND;
    RunFolder run =
        run(
            List.of(),
            row(begin, 1_000, 201, "ingest", begin),
            row(begin + 2 * StoredRun.MILLI, 1_000, 500, "purge", begin + 500));

    assertThat(read(run).response().durationNanos(0)).isEqualTo(1_000);
    assertThat(RunReport.of(run).openModel()).isTrue();
  }
}

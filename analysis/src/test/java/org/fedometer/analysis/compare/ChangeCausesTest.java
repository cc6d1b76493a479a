package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.fedometer.store.RunDocument.Load;
import org.fedometer.store.RunDocument.Outage;
import org.fedometer.store.RunDocument.Pause;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run of 79 s, from 100 s on; events within 2 s of a time count. */
class ChangeCausesTest {
  private static final long SECOND = StoredRun.SECOND;

  @TempDir private Path folder;

  private StoredRun run() {
    StoredRun run = new StoredRun(folder, "run");
    run.indexMillis = 500;
    run.validateMillis = 550;
    return run;
  }

  private static List<String> causes(RunFolder run, long atNanos) throws Exception {
    try (Query query = run.query()) {
      RequestSeries requests = RequestSeries.of(query, run.document()).orElseThrow();
      int end = requests.service().count();
      MeasuredPart whole = MeasuredPart.of(requests, 0, end, true, run.document());
      return new ChangeCauses(query, run.document(), whole.window(), whole.objects())
          .at(atNanos, 1);
    }
  }

  @Test
  void namesAnUnusuallyLongCollectionOrFlush() throws Exception {
    StoredRun run = run();
    run.more =
        more -> {
          more.sql(
              "INSERT INTO gc VALUES ('gc.log', 'G1', 'full', '', 120000000000, 900000000, 0, 0)");
          // It began before the time looked at.
          more.sample("triples.flush", "pool", 9_999, 130 * SECOND, 12 * SECOND, 12 * SECOND);
        };
    RunFolder written = run.write();

    assertThat(causes(written, 121 * SECOND))
        .singleElement()
        .asString()
        .startsWith("garbage collection (2");
    assertThat(causes(written, 140 * SECOND))
        .singleElement()
        .asString()
        .startsWith("a flush of triples (100.0 % of the time, 15.");
    assertThat(causes(written, 160 * SECOND)).isEmpty();
  }

  @Test
  void whatIsFlushedInTheDrainIsNoUsualFlush() throws Exception {
    StoredRun run = run();
    run.objects = 600;
    run.indexMillis = 1_000;
    run.validateMillis = 1_100;
    run.telemetry = false;
    run.rollups = true;
    run.more =
        more -> {
          more.sample("triples.flush", "pool", 9_998, 130 * SECOND, 12 * SECOND, 12 * SECOND);
          more.sample("triples.flush", "pool", 9_999, 500 * SECOND, 300 * SECOND, 300 * SECOND);
        };
    RunFolder written = run.write();

    assertThat(causes(written, 140 * SECOND))
        .singleElement()
        .asString()
        .matches("a flush of triples \\(100\\.0 % of the time, [34]\\.\\d % over the run\\)");
  }

  @Test
  void outagesAndPausesOnRecordAreNamed() throws Exception {
    StoredRun run = run();
    run.outages =
        List.of(
            new Outage(Outage.FEDORA, 120 * SECOND, 125 * SECOND, "no answer"),
            new Outage(Outage.DRIVER, 140 * SECOND, 141 * SECOND, "it had ended"));
    run.load =
        new Load(null, null, List.of(), List.of(new Pause(160 * SECOND, 161 * SECOND)), List.of());
    RunFolder written = run.write();

    assertThat(causes(written, 126 * SECOND)).containsExactly("Fedora was out of reach for 5.00 s");
    assertThat(causes(written, 142 * SECOND)).containsExactly("the driver was away");
    assertThat(causes(written, 162 * SECOND)).containsExactly("the load was paused");
  }

  @Test
  void namesACheckpointOnce() throws Exception {
    StoredRun run = run();
    run.more =
        more -> {
          for (String metric : List.of("num_timed", "num_requested")) {
            for (int second = 100; second < 180; second += 5) {
              more.sql(
                  "INSERT INTO telemetry VALUES ('driver', 'pg_stat_checkpointer.%s', '1', %d, %d)"
                      .formatted(metric, second * SECOND, second < 130 ? 4 : 5));
            }
          }
        };
    RunFolder written = run.write();

    assertThat(causes(written, 133 * SECOND)).containsExactly("a checkpoint of the database");
    assertThat(causes(written, 165 * SECOND)).isEmpty();
  }
}

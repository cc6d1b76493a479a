package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredPartTest {

  @TempDir private Path folder;

  private static String row(long start, long duration) {
    return "INSERT INTO requests VALUES ('driver', 1, 'p:1', '', 0, 1, %d, %d, 201, 0, '', 'ingest', %d)"
        .formatted(start, duration, start);
  }

  @Test
  void aRunWithoutPhasesBeginsWithTheFirstRequestThatWasSent() throws Exception {
    StoredRun run = new StoredRun(folder, "run");
    run.objects = 0;
    run.samples = false;
    run.telemetry = false;
    run.more =
        more -> {
          // The last to be answered.
          more.sql(row(10, 1_000));
          more.sql(row(20, 50));
          more.sql(row(100, 50));
        };
    RunFolder written = run.write();
    RunDocument withoutPhases = RunDocument.builder("run", "imported").build();

    try (Query query = written.query()) {
      RequestSeries requests = RequestSeries.of(query, withoutPhases).orElseThrow();
      MeasuredPart whole = MeasuredPart.of(requests, 0, 3, true, withoutPhases);
      MeasuredPart rest = MeasuredPart.of(requests, 1, 3, true, withoutPhases);

      assertThat(whole.window().startNanos()).isEqualTo(10);
      assertThat(whole.nanos()).isEqualTo(1_000);
      assertThat(whole.loadedNanos()).isEqualTo(1_000);
      assertThat(rest.window().startNanos()).isEqualTo(70);
      assertThat(rest.loadedNanos()).isEqualTo(940);
    }
  }
}

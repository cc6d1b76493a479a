package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.Load;
import org.fedometer.store.RunDocument.Pause;
import org.fedometer.store.RunFolder;
import org.fedometer.store.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceTablesTest {

  private static final long SECOND = StoredRun.SECOND;
  private static final String REQUEST =
      "INSERT INTO requests VALUES ('driver', %d, 'p:%d', '', 0, 1, %d, %d, 201, 0, '', 'ingest', %d)";
  private static final String READING =
      "INSERT INTO telemetry VALUES ('driver', '%s', 'x', %d, %s)";
  private static final String STOP = "INSERT INTO gc VALUES ('gc.log', 'G1', '', '', %d, %d, 0, 0)";

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "8, max 100000, 8",
        "8, 150000 100000, 1.5",
        "1, 150000 100000, 1",
        "-, 150000 100000, 1.5",
        "8, -, 8",
        "many, what ever, -",
        "0, -1 0, -"
      })
  void aContainersQuotaCountsWhereItIsLessThanTheMachine(
      String count, String quota, Double processors) throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("cpu.count", count);
    environment.put("cpu.quota", quota);
    StoredRun run = new StoredRun(folder, "any");
    run.objects = 1;
    run.environment = environment;
    RunDocument document = run.write().document();

    assertThat(ResourceTables.processors(document)).isEqualTo(processors);
  }

  /** Two requests of a second each, and 18 s between them, of which the load was paused for 16. */
  @Test
  void whatIsUsedInPausesOfTheLoadIsInNoFigure() throws Exception {
    StoredRun run = new StoredRun(folder, "paused");
    run.objects = 0;
    run.samples = false;
    run.telemetry = false;
    run.load =
        new Load(null, null, List.of(), List.of(new Pause(102 * SECOND, 118 * SECOND)), List.of());
    run.more =
        more -> {
          more.sql(REQUEST.formatted(1, 1, 100 * SECOND, SECOND, 100 * SECOND));
          more.sql(REQUEST.formatted(2, 2, 119 * SECOND, SECOND, 119 * SECOND));
          double cpuSeconds = 0;
          for (int second = 100; second <= 120; second++) {
            more.sql(READING.formatted("fedora.process.cpu.time", second * SECOND, cpuSeconds));
            boolean paused = second >= 102 && second < 118;
            more.sql(
                READING.formatted(
                    "jvm.system.cpu.utilization", second * SECOND + 1, paused ? 1.0 : 0.5));
            cpuSeconds += paused ? 1.5 : 0.5;
          }
          more.sql(STOP.formatted(101 * SECOND, SECOND / 5));
          more.sql(STOP.formatted(110 * SECOND, 5 * SECOND));
        };
    RunFolder written = run.write();

    try (Query query = written.query()) {
      RequestSeries requests = RequestSeries.of(query, written.document()).orElseThrow();
      MeasuredPart part = MeasuredPart.of(requests, 0, 2, true, written.document());
      ResourceUse use = ResourceTables.of(query, written.document(), part, List.of());

      assertThat(part.loadedNanos()).isEqualTo(4e9);
      assertThat(use.processorsBusy()).as("0.5 of 2").isCloseTo(0.25, within(1e-9));
      assertThat(use.fedoraCpuNanos()).isCloseTo(1e9, within(1.0));
      assertThat(use.machineBusy()).isCloseTo(0.5, within(1e-9));
      assertThat(use.gcShare()).isCloseTo(0.05, within(1e-9));
      assertThat(use.gcPauses()).isEqualTo(1);
      assertThat(LimitingResource.of(use, List.of(), 4, false).kind())
          .isEqualTo(LimitingResource.Kind.WORKERS);
    }
  }

  @Test
  void usesTheAgentsCpuTimeIfThereIsNoOther() throws Exception {
    StoredRun run = new StoredRun(folder, "attached");
    run.objects = 0;
    run.samples = false;
    run.telemetry = false;
    run.more =
        more -> {
          more.sql(REQUEST.formatted(1, 1, 100 * SECOND, SECOND, 100 * SECOND));
          more.sql(REQUEST.formatted(2, 2, 101 * SECOND, SECOND, 101 * SECOND));
          for (int second = 100; second <= 102; second++) {
            more.sql(READING.formatted("jvm.cpu.time", second * SECOND, second / 2.0));
          }
        };
    RunFolder written = run.write();

    try (Query query = written.query()) {
      RequestSeries requests = RequestSeries.of(query, written.document()).orElseThrow();
      MeasuredPart part = MeasuredPart.of(requests, 0, 2, true, written.document());
      ResourceUse use = ResourceTables.of(query, written.document(), part, List.of());

      assertThat(use.fedoraCpuNanos()).isCloseTo(0.5e9, within(1.0));
      assertThat(use.processorsBusy()).as("of database and driver nothing is known").isNull();
    }
  }
}

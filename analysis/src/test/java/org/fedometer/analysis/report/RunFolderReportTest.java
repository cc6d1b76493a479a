package org.fedometer.analysis.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.fedometer.analysis.SampleRun;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunState;
import org.fedometer.store.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report needs a run's folder and nothing else. */
class RunFolderReportTest {

  @TempDir Path directory;

  @Test
  void isTheSameFromTheFolderAsFromTheTables() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      RunReport expected = run.report();
      RunFolder folder = new RunFolder(directory.resolve("calm-heron"));
      for (Table table : Table.values()) {
        seal(run, table, folder);
      }
      Files.write(folder.documentFile(), RunDocumentJson.write(run.document()));

      RunReport report = RunReport.of(folder);

      assertThat(report).isEqualTo(expected);
      assertThat(RunReport.of(folder)).isEqualTo(report);
    }
  }

  @Test
  void reportsARunWithoutADocumentAsAMonitoringRun() throws Exception {
    RunFolder folder = new RunFolder(Files.createDirectory(directory.resolve("monitoring-1")));

    RunReport report = RunReport.of(folder);

    assertThat(report.isMonitoringRun()).isTrue();
    assertThat(report.run().name()).isEqualTo("monitoring-1");
    assertThat(TextReport.of(report, new TextStyle(80, true, false))).contains("No sample arrived");
    assertThat(JsonReport.of(report)).contains("\"monitoring\"");
  }

  @Test
  void showsTheEndOfAMonitoringRun() throws Exception {
    RunFolder folder = new RunFolder(Files.createDirectory(directory.resolve("monitoring-2")));
    RunDocument ended =
        RunDocument.builder("monitoring-2", RunState.MONITORING.id())
            .ended("2026-03-01T12:00:00Z")
            .build();
    Files.write(folder.documentFile(), RunDocumentJson.write(ended));

    assertThat(ReportSummary.outcome(RunReport.of(folder)))
        .endsWith("; ended 2026-03-01 12:00:00 UTC");
  }

  private static void seal(TestRun run, Table table, RunFolder folder)
      throws SQLException, IOException {
    Path tables = Files.createDirectories(folder.tableDirectory(table));
    run.sql(
        "COPY (SELECT * FROM "
            + table.tableName()
            + ") TO '"
            + tables.resolve("0001.parquet")
            + "' (FORMAT parquet, COMPRESSION zstd)");
  }
}

package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.report.JsonReport;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.report.TextReport;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import org.fedometer.store.RunSummary;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code runs import} at a real collector, and what can be asked of the run then. */
class ImportCommandTest {
  private static final String HOME = "fedometer.home";

  @TempDir Path folder;

  private CollectorServer collector;
  private String homeBefore;

  private record Result(int exitCode, String err) {}

  @BeforeEach
  void startCollector() throws Exception {
    homeBefore = System.setProperty(HOME, folder.toString());
    collector =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store()));
  }

  @AfterEach
  void stopCollector() throws Exception {
    collector.close();
    if (homeBefore == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
  }

  @Test
  void aResolutionThatIsGivenIsKeptInTheRun() throws Exception {
    Path file = Files.writeString(folder.resolve("ticks.txt"), "15\n16\n31\n47\n62\n78\n");

    imports("ticks", "durations", file, "--resolution", "15.6ms");

    assertThat(RunStore.at(store()).run("ticks").document().imported().resolutionNanos())
        .isEqualTo(15_600_000);
  }

  @Test
  void importsDurationsAsARun() throws Exception {
    StringBuilder text = new StringBuilder("no;ms\n");
    for (int i = 0; i < 20_000; i++) {
      text.append(i + 1).append(';').append(30 + i % 10).append(".5\n");
    }
    Path file = Files.writeString(folder.resolve("mptstore-mysql.txt"), text);

    imports("old", "durations", file, "--set", "triplestore=mptstore", "--set", "database=mysql");

    RunFolder run = RunStore.at(store()).run("old");
    assertThat(
            rows(
                run,
                "SELECT count(*), min(start_nanos), max(start_nanos + duration_nanos),"
                    + " sum(duration_nanos), max(object_index), any_value(operation),"
                    + " count(DISTINCT worker), min(status) FROM requests"))
        .containsExactly("20000|0|700000000000|700000000000|19999|ingest|1|200");
    assertThat(rows(run, "SELECT kind, name, epoch_offset_nanos FROM sources"))
        .containsExactly("import|import|0");

    JsonNode json = new ObjectMapper().readTree(run.path().resolve("run.json").toFile());
    assertThat(json.at("/state").asText()).isEqualTo("imported");
    assertThat(json.at("/imported/format").asText()).isEqualTo("durations");
    assertThat(json.at("/imported/file").asText()).isEqualTo("mptstore-mysql.txt");
    assertThat(json.at("/imported/sha256").asText()).matches("[0-9a-f]{64}");
    assertThat(json.at("/imported/unit").asText()).isEqualTo("ms");
    assertThat(json.at("/imported/requests").asLong()).isEqualTo(20_000);
    assertThat(json.at("/imported/resolutionNanos").asLong()).isEqualTo(100_000);
    assertThat(json.at("/profile/name").asText()).isEqualTo("mptstore-mysql");
    assertThat(json.at("/profile/choices/database").asText()).isEqualTo("mysql");
    assertThat(json.at("/notes").toString())
        .contains("start when the one before it ends")
        .contains("1 line that names columns");

    RunReport report = RunReport.of(run);
    assertThat(report.endedWell()).isTrue();
    String shown = TextReport.of(report, new TextStyle(120, false, false));
    assertThat(shown)
        .contains("Run old", "imported: 20,000 requests from mptstore-mysql.txt")
        .contains("format durations, durations in ms", "mptstore-mysql (triplestore mptstore")
        .contains("20,000 sent, 0 failed")
        .contains("28.6", "35.0 ms")
        .doesNotContain("stage", "samples", "sample", "in Fedora");
    JsonNode reported = new ObjectMapper().readTree(JsonReport.of(report));
    assertThat(reported.at("/imported/format").asText()).isEqualTo("durations");
    assertThat(reported.at("/latency/model").isNull()).isTrue();
    assertThat(reported.at("/latency/count").asLong()).isEqualTo(20_000);

    RunSummary summary = RunStore.at(store()).summaries().get(0);
    assertThat(summary.state()).isEqualTo("imported");
    assertThat(summary.objects()).isEqualTo(20_000);
    assertThat(summary.objectsPerSecond()).isEqualTo(20_000 / 700.0);
    assertThat(summary.started()).isNull();
  }

  @Test
  void resultsOfJMeterKeepTheirTimesTheirLabelsAndTheirFailures() throws Exception {
    StringBuilder text =
        new StringBuilder("timeStamp,elapsed,label,responseCode,threadName,success\n");
    for (int i = 0; i < 1000; i++) {
      text.append(1_400_000_000_000L + 10 * i)
          .append(',')
          .append(85)
          .append(i % 4 == 0 ? ",GET,200" : i == 501 ? ",POST,500" : ",POST,201")
          .append(",Users 1-")
          .append(1 + i % 10)
          .append(i == 501 ? ",false\n" : ",true\n");
    }
    Path file = Files.writeString(folder.resolve("results.jtl"), text);

    imports("jmeter", "jmeter", file, "--ingest-label", "POST");

    RunFolder run = RunStore.at(store()).run("jmeter");
    assertThat(
            rows(
                run,
                "SELECT operation, count(*), count(*) FILTER (status = 500),"
                    + " count(DISTINCT worker), min(start_nanos) FROM requests GROUP BY 1 ORDER BY 1"))
        .containsExactly("GET|250|0|5|1400000000000000000", "ingest|750|1|10|1400000000010000000");
    assertThat(run.document().workers()).isEqualTo(10);
    assertThat(run.document().started()).isEqualTo("2014-05-13T16:53:20Z");
    assertThat(run.document().objects().failed()).isEqualTo(1);
    String shown = TextReport.of(RunReport.of(run), new TextStyle(120, false, false));
    assertThat(shown)
        .contains("ingests are POST", "1 request failed with HTTP status 500", "GET", "ingest");
  }

  @Test
  void aRunOfOtherOperationsThanIngestsShowsThem() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("raw"),
            "READ,1577934245123,812\nREAD,1577934245124,900\nREAD-ERROR,1577934245125,5\n");

    imports("reads", "ycsb", file);

    RunReport report = RunReport.of(RunStore.at(store()).run("reads"));
    assertThat(report.speed()).isNull();
    assertThat(report.objects()).isNull();
    assertThat(TextReport.of(report, new TextStyle(120, false, false)))
        .contains("READ", "856", "1 request (READ) failed: ERROR")
        .doesNotContain("no answer", "for good");
  }

  @Test
  void aBrokenFileLeavesNothingBehind() throws Exception {
    Path file = Files.writeString(folder.resolve("broken"), "36\n41\nforty\n");

    Result result = fedometer("broken", "durations", file);

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err())
        .contains("fedometer: broken: 1 line is broken: line 3: \"forty\" is not a number");
    assertThat(store().resolve("runs/broken")).doesNotExist();
    assertThat(fedometer("none", "durations", folder.resolve("none")).exitCode())
        .isEqualTo(ExitCode.COULD_NOT_START);
  }

  @ParameterizedTest
  @CsvSource({
    "triplestore= , give a dimension and its choice",
    "' =x', give a dimension and its choice",
    "triplestore, give a dimension and its choice",
    "' database=derby', database is mysql already",
    "tripelstore=mulgara, perhaps you mean triplestore"
  })
  void rejectsEmptyOrRepeatedChoices(String choice, String message) throws Exception {
    Path file = Files.writeString(folder.resolve("old.txt"), "36\n41\n");

    Result result = fedometer("odd", "durations", file, "--set", "database=mysql", "--set", choice);

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains(message);
  }

  @Test
  void notesAChoiceSimilarToAKnownOne() throws Exception {
    Path file = Files.writeString(folder.resolve("old.txt"), "36\n41\n");

    Result result =
        fedometer(
            "slip",
            "durations",
            file,
            "--set",
            "triplestore=mptstor",
            "--set",
            "database=oracle",
            "--set",
            "jvm=7",
            "--set",
            "gc=g1");

    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.DONE);
    assertThat(result.err())
        .containsOnlyOnce("note: ")
        .contains("note: --set triplestore=mptstor: no profile here has that choice")
        .contains("; perhaps you mean mptstore\n");
    assertThat(RunStore.at(store()).run("slip").document().profile().choices())
        .containsEntry("triplestore", "mptstor");
  }

  @Test
  void rejectsAnExistingName() throws Exception {
    Path file = Files.writeString(folder.resolve("old.txt"), "36\n41\n");
    imports("twice", "durations", file);

    Result result = fedometer("twice", "durations", file);

    assertThat(result.exitCode()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(result.err()).contains("twice");
    assertThat(rows(RunStore.at(store()).run("twice"), "SELECT count(*) FROM requests"))
        .containsExactly("2");
  }

  private Path store() {
    return folder.resolve("store");
  }

  private void imports(String name, String format, Path file, String... more) {
    Result result = fedometer(name, format, file, more);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.DONE);
  }

  private Result fedometer(String name, String format, Path file, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "runs",
                "import",
                "--format",
                format,
                file.toString(),
                "--name",
                name,
                "--store",
                store().toString(),
                "--collector",
                "127.0.0.1:" + collector.address().getPort()));
    arguments.addAll(List.of(more));
    StringWriter err = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    return new Result(exitCode, err.toString());
  }

  private static List<String> rows(RunFolder run, String sql) throws Exception {
    List<String> all = new ArrayList<>();
    try (Query query = run.query();
        Rows rows = query.execute(sql)) {
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < rows.columns().size(); i++) {
          row.append(i == 0 ? "" : "|").append(rows.text(i));
        }
        all.add(row.toString());
      }
    }
    return all;
  }
}

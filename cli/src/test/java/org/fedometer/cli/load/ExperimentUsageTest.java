package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Errors of {@code experiment} before anything is started. */
class ExperimentUsageTest {
  private static final String HOME = "fedometer.home";
  private static final String FILE =
      """
      name: night
      profiles: [mulgara-derby, none-derby]
      dataset: ndltd:W1
      warm: 10
      measured: 20
      """;

  @TempDir private Path folder;
  private String homeBefore;

  private record Result(int exitCode, String err) {}

  @BeforeEach
  void pretendADistribution() {
    homeBefore = System.setProperty(HOME, folder.toString());
  }

  @AfterEach
  void restoreHome() {
    if (homeBefore == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
  }

  @Test
  void mistakesInTheFileAreListedEachWithItsLine() throws Exception {
    Result result = experiment("name: night\nprofils: [a]\nreptitions: 3\n");

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err())
        .contains("night.yaml:2: unknown key 'profils'; perhaps you mean profiles\n")
        .contains("night.yaml:3: unknown key 'reptitions'; perhaps you mean repetitions\n")
        .doesNotContain("Exception");
  }

  @Test
  void rejectsADatasetThatIsTooSmall() throws Exception {
    Result result = experiment(FILE.replace("measured: 20", "measured: 1_000_000"));

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains("ndltd", "are too many");
    assertThat(folder.resolve("store/runs")).doesNotExist();
  }

  @Test
  void aDatasetThatDoesNotExistIsRefused() throws Exception {
    Result result = experiment(FILE.replace("ndltd:W1", "nosuch"));

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains("nosuch");
  }

  @Test
  void rejectsAnInvalidName() throws Exception {
    Result result = experiment(FILE, "--name", "a.b");

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains("'a.b' cannot name an experiment");
  }

  @Test
  void rejectsTheNameOfARun() throws Exception {
    record("night", "");

    Result result = experiment(FILE);

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains("a run is called night", "--name");
  }

  @Test
  void resumesAnExperimentOnlyByOption() throws Exception {
    record("night.1.none-derby", placed("interrupted"));

    Result result = experiment(FILE);

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains("has 1 run of an experiment night", "--resume");
  }

  @Test
  void runsOfOtherHostsAreNotTreatedAsKilled() throws Exception {
    record("night.1.none-derby", placed("running") + ",\"environment\":{\"host\":\"far.example\"}");

    try (CollectorServer collector =
        CollectorServer.start(
            CollectorOptions.foreground(
                new InetSocketAddress("127.0.0.1", 0), folder.resolve("store")))) {
      Result result =
          experiment(FILE, "--resume", "--collector", "127.0.0.1:" + collector.address().getPort());

      assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
      assertThat(result.err())
          .contains("running on far.example", "'fedometer runs rm night.1.none-derby'");
    }
  }

  @Test
  void localStoreLockDecidesWhetherARunIsAlive() throws Exception {
    record("night.1.none-derby", placed("running") + ",\"environment\":{\"host\":\"far.example\"}");

    assertThat(experiment(FILE, "--resume", "--dry-run").exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void resumeWithoutRunsStartsANewExperiment() throws Exception {
    Result result = experiment(FILE, "--resume", "--dry-run");

    assertThat(result.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(result.err()).contains("night has nothing to resume in", "starts anew");
  }

  @Test
  void namesProfilesWithoutTheirJava() throws Exception {
    Result result =
        experiment(
            FILE.replace(
                "mulgara-derby, none-derby]",
                "{name: here, profile: none-derby, set: {jvm: current}},"
                    + " {name: a, profile: none-derby, set: {jvm.home: /nowhere}},"
                    + " {name: b, profile: mulgara-derby, set: {jvm.home: /nowhere}}]"),
            "--dry-run");

    assertThat(result.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(result.err())
        .contains("No run of a, b can start here: There is no Java in /nowhere that runs")
        .contains(", or leave them out of the experiment.")
        .doesNotContain("No run of here");
  }

  @Test
  void aDiskThatIsTooSmallIsRefusedBeforeAnythingIsBegun() throws Exception {
    Result result =
        experiment(
            FILE.replace("ndltd:W1", "patents").replace("measured: 20", "measured: 1000000000000"));

    assertThat(result.exitCode()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(result.err()).contains("The disk of", "needs about", "--no-preflight");
    assertThat(folder.resolve("store/runs")).doesNotExist();
  }

  @Test
  void resumeCommandHasAllOptions() {
    assertThat(again("experiment", "my night.yaml", "--collector", "h:1", "--no-preflight"))
        .isEqualTo("fedometer experiment 'my night.yaml' --collector h:1 --no-preflight --resume");
    assertThat(again("experiment", "--resume", "night.yaml", "--profile-dir", "it's"))
        .isEqualTo("fedometer experiment --resume night.yaml --profile-dir 'it'\\''s'");
  }

  private static String again(String... arguments) {
    CommandLine line = Main.commandLine();
    line.parseArgs(arguments);
    ExperimentCommand command = line.getSubcommands().get("experiment").getCommand();
    return command.resumeCommand();
  }

  private static String placed(String state) {
    return ",\"state\":\""
        + state
        + "\",\"experiment\":{\"id\":\"01\",\"name\":\"night\",\"label\":\"none-derby\","
        + "\"repetition\":1,\"place\":1,\"attempt\":1}";
  }

  private void record(String run, String more) throws IOException {
    Path runFolder = Files.createDirectories(folder.resolve("store/runs").resolve(run));
    Files.writeString(
        runFolder.resolve("run.json"),
        "{\"schema\":1,\"id\":\"01\",\"name\":\"" + run + "\"" + more + "}");
  }

  private Result experiment(String text, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("night.yaml"), text);
    List<String> arguments =
        new ArrayList<>(
            List.of("experiment", file.toString(), "--store", folder.resolve("store").toString()));
    arguments.addAll(List.of(more));
    StringWriter errors = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(errors, true))
            .execute(arguments.toArray(String[]::new));
    return new Result(exitCode, errors.toString());
  }
}

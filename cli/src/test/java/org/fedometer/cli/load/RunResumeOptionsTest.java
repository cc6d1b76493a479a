package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of {@code run --resume} and {@code ingest --resume} before anything is started. */
class RunResumeOptionsTest {
  @TempDir private Path store;

  @ParameterizedTest
  @CsvSource({
    "--profile, mulgara-derby",
    "--set, gc=zgc",
    "--dataset, ndltd",
    "--name, other",
    "--content, upload",
    "--mix, ingest=1",
    "--port, 8080",
    "--objects, 9"
  })
  void rejectsOptionsThatChangeTheRun(String option, String value) {
    assertThat(badUsage("run", "--resume", "night", option, value))
        .contains(option + ": a resumed run keeps its options", "--workers", "--rate");
  }

  @Test
  void aRunThatIsNotThereIsRefusedInASentence() {
    assertThat(badUsage("run", "--resume", "night", "--store", store.toString()))
        .contains("night cannot be resumed")
        .doesNotContain("Exception");
  }

  @Test
  void anIngestThatIsNotThereIsRefusedWithThoseThatAre() throws Exception {
    record("theirs", "null");

    assertThat(badUsage("ingest", "--resume", "nosuch", "--store", store.toString()))
        .contains("nosuch cannot be resumed", "only theirs can be resumed");
  }

  @Test
  void keepsResumableRunsUnlessForced() throws Exception {
    record("theirs", "null");
    Path run = Files.createDirectories(store.resolve("runs/theirs"));
    Files.writeString(
        run.resolve("run.json"),
        "{\"schema\":1,\"id\":\"01\",\"name\":\"theirs\",\"state\":\"running\"}");
    Path zip = store.resolve("theirs.zip");

    assertThat(
            execute(
                ExitCode.COULD_NOT_START, "runs", "archive", "theirs", "--output", zip.toString()))
        .contains(
            "theirs is not archived",
            "'fedometer ingest --resume theirs --store " + store + "' can resume it")
        .contains("--force", "--keep");
    assertThat(zip).doesNotExist();
    execute(ExitCode.DONE_WITH_ERRORS, "runs", "rm", "theirs");
    execute(ExitCode.DONE, "runs", "archive", "theirs", "--keep", "--output", zip.toString());
    assertThat(run).exists();
    assertThat(store.resolve("journals/theirs/job.json")).exists();

    execute(ExitCode.DONE, "runs", "rm", "theirs", "--force");
    assertThat(run).doesNotExist();
    assertThat(store.resolve("journals/theirs/job.json")).doesNotExist();

    execute(ExitCode.DONE, "runs", "restore", zip.toString());
    assertThat(badUsage("run", "--resume", "theirs", "--store", store.toString()))
        .doesNotContain("start it again");
  }

  @Test
  void resumesAnIngestUnderItsName() throws Exception {
    record("theirs", "null");

    assertThat(badUsage("ingest", "--resume", "theirs", "--name", "other", "--store", "" + store))
        .contains("--name other: theirs is resumed as theirs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "status", "stop"})
  void controlOfAKilledDriverPrintsTheResumeCommand(String command) throws Exception {
    record("theirs", "null");
    Path run = Files.createDirectories(store.resolve("runs/theirs"));
    Files.writeString(
        run.resolve("run.json"),
        "{\"schema\":1,\"id\":\"01\",\"name\":\"theirs\",\"state\":\"running\"}");

    assertThat(badUsage("load", command, "theirs", "--store", store.toString()))
        .contains("'fedometer ingest --resume theirs --store " + store + "' resumes it");
  }

  @Test
  void controlOfAStoppedDriverPrintsTheResumeCommand() throws Exception {
    record("theirs", "null");
    assertThat(badUsage("load", "status", "theirs", "--store", store.toString()))
        .contains("its driver has ended; 'fedometer ingest --resume theirs --store " + store);

    Path run = Files.createDirectories(store.resolve("runs/theirs"));
    Files.writeString(
        run.resolve("run.json"),
        "{\"schema\":1,\"id\":\"01\",\"name\":\"theirs\",\"state\":\"interrupted\"}");
    assertThat(badUsage("load", "status", "theirs", "--store", store.toString()))
        .contains("has ended: interrupted; 'fedometer ingest --resume theirs --store " + store);
    Files.writeString(
        run.resolve("run.json"),
        "{\"schema\":1,\"id\":\"01\",\"name\":\"theirs\",\"state\":\"done\"}");
    assertThat(badUsage("load", "status", "theirs", "--store", store.toString()))
        .contains("has ended: done", "; 'fedometer report theirs --store " + store + "' shows it");
    Files.createDirectories(store.resolve("runs/agents"));
    assertThat(badUsage("load", "status", "agents.1-of-2", "--store", store.toString()))
        .contains("no load of agents.1-of-2 is in progress; 'fedometer report agents --store");
    assertThat(badUsage("load", "status", "nosuch", "--store", store.toString()))
        .contains("no run nosuch is in progress; give the name of a run");
  }

  private String execute(int exitCode, String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--store";
    all[arguments.length + 1] = store.toString();
    StringWriter errors = new StringWriter();
    int code = Main.commandLine().setErr(new PrintWriter(errors, true)).execute(all);
    assertThat(code).as(errors.toString()).isEqualTo(exitCode);
    return errors.toString();
  }

  @Test
  void eachJobIsResumedByItsCommand() throws Exception {
    record(
        "night",
        "{\"home\":\"/gone\",\"profile\":{\"name\":\"p\",\"choices\":{},\"settings\":{}}}");
    record("theirs", "null");

    assertThat(badUsage("ingest", "--resume", "night", "--store", store.toString()))
        .contains("fedometer run --resume night --store " + store);
    assertThat(badUsage("run", "--resume", "theirs", "--store", store.toString()))
        .contains("fedometer ingest --resume theirs --store " + store);
  }

  @Test
  void aPartGoesOnAsThePartThatItIs() throws Exception {
    record("big", "big.2-of-3", "null");

    assertThat(
            badUsage("ingest", "--resume", "big.2-of-3", "--shard", "1/3", "--store", "" + store))
        .contains("--shard 1/3", "big.2-of-3 is another part");
  }

  private void record(String run, String stack) throws Exception {
    record(run, run, stack);
  }

  private void record(String run, String part, String stack) throws Exception {
    Path folder = Files.createDirectories(store.resolve("journals").resolve(part));
    Files.writeString(
        folder.resolve("job.json"),
        "{\"schema\":1,\"runId\":\"01\",\"runName\":\""
            + run
            + "\",\"arguments\":[],\"folder\":\"/\",\"datasetParameters\":{},\"objectsBefore\":0,"
            + "\"triplesBefore\":0,\"started\":\"s\",\"startedEpochMillis\":1,\"ended\":null,"
            + "\"stack\":"
            + stack
            + "}");
  }

  private static String badUsage(String... arguments) {
    StringWriter errors = new StringWriter();
    int code = Main.commandLine().setErr(new PrintWriter(errors, true)).execute(arguments);
    assertThat(code).as(errors.toString()).isEqualTo(ExitCode.BAD_USAGE);
    return errors.toString();
  }
}

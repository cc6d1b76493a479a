package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code run --resume} and {@code ingest --resume} refuse before anything is started. */
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
  void whatWouldMakeAnotherRunOfItIsRefused(String option, String value) {
    assertThat(badUsage("run", "--resume", "night", option, value))
        .contains(option + ": a run goes on as it was begun", "--workers", "--rate");
  }

  @Test
  void aRunThatIsNotThereIsRefusedInASentence() {
    assertThat(badUsage("run", "--resume", "night", "--store", store.toString()))
        .contains("there is nothing to go on with of night")
        .doesNotContain("Exception");
  }

  @Test
  void eachKindOfJobIsGoneOnWithByItsOwnCommand() throws Exception {
    record("night", "{\"home\":\"/gone\",\"profile\":null}");
    record("theirs", "null");

    assertThat(badUsage("ingest", "--resume", "night", "--store", store.toString()))
        .contains("fedometer run --resume night");
    assertThat(badUsage("run", "--resume", "theirs", "--store", store.toString()))
        .contains("fedometer ingest --resume theirs");
  }

  @Test
  void aPartGoesOnAsThePartThatItIs() throws Exception {
    record("big", "big.2-of-3", "null");

    assertThat(
            badUsage("ingest", "--resume", "big.2-of-3", "--shard", "1/3", "--store", "" + store))
        .contains("--shard 1/3", "big.2-of-3 can only go on as the part that it is");
  }

  private void record(String run, String stack) throws Exception {
    record(run, run, stack);
  }

  private void record(String run, String part, String stack) throws Exception {
    Path folder = Files.createDirectories(store.resolve("journals").resolve(part));
    Files.writeString(
        folder.resolve("job.json"),
        "{\"schema\":2,\"runId\":\"01\",\"runName\":\""
            + run
            + "\",\"arguments\":[],\"folder\":\"/\",\"datasetParameters\":{},\"objectsBefore\":0,"
            + "\"triplesBefore\":0,\"started\":\"s\",\"startedEpochMillis\":1,\"ended\":null,"
            + "\"stack\":"
            + stack
            + "}");
  }

  private static String badUsage(String... arguments) {
    StringWriter said = new StringWriter();
    int code = Main.commandLine().setErr(new PrintWriter(said, true)).execute(arguments);
    assertThat(code).as(said.toString()).isEqualTo(ExitCode.BAD_USAGE);
    return said.toString();
  }
}

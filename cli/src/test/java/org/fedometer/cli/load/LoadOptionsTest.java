package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.driver.load.Load;
import org.fedometer.experiments.load.LoadPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** How a load is asked for on the command line. */
class LoadOptionsTest {

  @Test
  void defaultsToAClosedModel() {
    LoadOptions load = parsed();

    assertThat(load.plan()).isEqualTo(LoadPlan.of(4));
    assertThat(load.plan().objects()).isNull();
  }

  @Test
  void endsGoTogether() {
    LoadOptions load = parsed("--objects", "7", "--duration", "3d", "--min-free-disk", "50G");

    assertThat(load.plan())
        .isEqualTo(new LoadPlan(7L, 4, null, null, Duration.ofDays(3), 50L << 30));
    assertThat(load.plan().ends()).isTrue();
  }

  @Test
  void tagsAreRepeatedAndTheLastOfANameCounts() {
    assertThat(parsed("--tag", "disk=hdd", "--tag", "note=a=b c", "--tag=disk=nvme").plan().tags())
        .containsExactly(entry("disk", "nvme"), entry("note", "a=b c"));
  }

  @Test
  void theHelpShowsTheListOfASweepAsThePageDoes() {
    assertThat(new CommandLine(new LoadOptions()).getUsageMessage())
        .contains("--sweep=W,W,...")
        .doesNotContain("[,W");
  }

  @Test
  void rampHasStepsAndWarmUp() {
    LoadOptions load = parsed("--ramp", "20:+2.5/200s");

    assertThat(load.plan().steps())
        .isEqualTo(new Load.Ramp(20, 2.5, Duration.ofSeconds(200), 1000));
    assertThat(load.plan().workers()).isEqualTo(64);
    assertThat(parsed("--ramp", "20:+2.5/200s", "--warm-up", "0").plan().steps().warmUpObjects())
        .isZero();
  }

  @Test
  void aSweepHasItsWorkersAndStepsOfATimeOrOfObjects() {
    assertThat(parsed("--sweep", "1,4,16").plan().steps())
        .isEqualTo(new Load.Sweep(List.of(1, 4, 16), Duration.ofMinutes(1), 0, 1000));
    assertThat(parsed("--sweep", "1,4", "--step-objects", "500", "--warm-up", "9").plan().steps())
        .isEqualTo(new Load.Sweep(List.of(1, 4), null, 500, 9));
    assertThat(parsed("--sweep", "1,16,4").plan().workers()).isEqualTo(16);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--duration 0s                                | '0s' is not a duration",
        "--duration 3w                                | '3w' is not a duration",
        "--duration 99999999d                         | '99999999d' is too long; give 36500d at most",
        "--ramp 20:+20/99999999h                 | '99999999h' is too long",
        "--min-free-disk 50                    | '50' is not a size",
        "--ramp 20                               | '20' is not a ramp",
        "--ramp 20:20/200s                       | is not a ramp",
        "--ramp 0:+20/200s                       | a rate of 0.0",
        "--sweep 1,x                             | 'x' is not an int"
      })
  void rejectsInvalidValues(String options, String result) {
    assertThatThrownBy(() -> parsed(options.split(" ")))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--ramp 1:+1/9s --sweep 1,2        | --ramp and --sweep: give one of them",
        "--ramp 1:+1/9s --rate 3           | --rate: --ramp and --sweep",
        "--sweep 1,2 --workers 3           | --workers: --sweep sets",
        "--step-duration 5s                         | --step-duration and --step-objects"
            + " need --sweep",
        "--sweep 1 --step-duration 5s --step-objects 3 | --step-duration and --step-objects: give one",
        "--sweep 1 --step-objects 0        | --step-objects 0: give 1",
        "--sweep 0                         | --sweep 0: give 1 to 1000",
        "--sweep 1001                      | --sweep 1001: give 1 to 1000",
        "--warm-up 5                       | --warm-up needs --ramp or --sweep",
        "--ramp 1:+1/9s --warm-up -5       | --warm-up -5: give 0 or more",
        "--tag disk                        | --tag disk: give NAME=VALUE, such as disk=nvme",
        "--tag =nvme                       | --tag : a name has 1 to 64 letters, digits",
        "--tag a/b=nvme                    | --tag a/b: a name has 1 to 64 letters, digits",
        "--tag disk=                       | --tag disk: give a value of 1 to 200 characters",
        "--objects 0                       | --objects 0: give 1",
        "--workers 0                       | --workers 0: give 1 to 1000",
        "--rate 0                          | --rate: a rate of 0.0"
      })
  void rejectsConflictingOptions(String options, String result) {
    LoadOptions load = parsed(options.split(" "));

    assertThatThrownBy(load::plan)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "load pause absent                | no run absent is in progress",
        "load resume ..                   | no run .. is in progress",
        "load stop absent                 | no run absent is in progress",
        "load set absent --workers 2000       | workers must be 1 to 1000",
        "load set absent --rate 0             | a rate of 0.0",
        "load set absent --rate 1 --closed | a closed model has no arrival rate"
      })
  void rejectsAMissingRunOrAnInvalidLoad(String line, String result) {
    StringWriter err = new StringWriter();

    int exitCode = Main.commandLine().setErr(new PrintWriter(err, true)).execute(line.split(" "));

    assertThat(err.toString()).startsWith("fedometer: ").contains(result);
    assertThat(exitCode).isEqualTo(ExitCode.BAD_USAGE);
  }

  private static LoadOptions parsed(String... options) {
    LoadOptions load = new LoadOptions();
    new CommandLine(load).parseArgs(options);
    return load;
  }
}

package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Shell completions after reading the output of {@code completion}, in bash itself. */
class CompletionCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fedometer comp            | compare completion",
        "fedometer run --max-      | --max-restarts",
        "fedometer profile ch          | check",
        "fedometer help ag         | agent"
      })
  void bashCompletesCommandsAndOptions(String line, String offered) throws Exception {
    assertThat(offers(line)).containsAll(List.of(offered.split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fedometer runs query --format    | table csv json",
        "fedometer attach --log-level | trace warn off",
        "fedometer runs logs --log-level      | trace warn fatal",
        "fedometer runs import --format   | durations jmeter ycsb",
        "fedometer runs import --unit     | ns us ms s",
        "fedometer ingest --pid-form     | named numeric",
        "fedometer run --profile     | mptstore-postgresql tuned",
        "fedometer run --packaging   | foxml datastreams",
        "fedometer run --content     | in-request upload",
        "fedometer run --checksum    | none SHA-256",
        "fedometer run --verify      | sample all none",
        "fedometer doctor --dataset  | patents foxml",
        "fedometer profile show     | mptstore-postgresql tuned",
        "fedometer dataset show     | patents foxml",
        "fedometer completion        | bash zsh"
      })
  void bashCompletesValuesAsHelpHasThem(String line, String offered) throws Exception {
    assertThat(offers(line, "")).containsAll(List.of(offered.split(" ")));
  }

  @Test
  void enumValuesAreInLowerCase() {
    Stream<ArgSpec> all =
        commands(Main.commandLine()).flatMap(command -> command.getCommandSpec().args().stream());
    assertThat(all)
        .filteredOn(argument -> argument.typeInfo().isEnum())
        .hasSizeGreaterThan(6)
        .allSatisfy(
            argument ->
                assertThat(argument.completionCandidates())
                    .as(argument.paramLabel())
                    .allSatisfy(
                        value -> assertThat(value).isEqualTo(value.toLowerCase(Locale.ROOT))));
  }

  /** The script keeps them by the label of the option's parameter. */
  @Test
  void noOptionOfACommandIsGivenTheValuesOfAnother() {
    assertThat(commands(Main.commandLine()))
        .allSatisfy(
            command ->
                assertThat(command.getCommandSpec().options())
                    .as(command.getCommandName())
                    .filteredOn(option -> option.completionCandidates() != null)
                    .extracting(OptionSpec::paramLabel)
                    .doesNotHaveDuplicates());
  }

  @Test
  void zshIsGivenWhatBashIs() {
    assertThat(script("zsh")).isEqualTo(script("bash")).contains("bashcompinit");
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().flatMap(CompletionCommandTest::commands));
  }

  /**
   * @param more words behind those of the line, the last of them the one that is completed
   */
  private List<String> offers(String line, String... more) throws Exception {
    Path script = Files.writeString(folder.resolve("fedometer.bash"), script("bash"));
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.addAll(List.of(more));
    String asked =
        "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\";"
            + " COMP_POINT=${#COMP_LINE}; compopt() { :; };"
            + " _complete_fedometer; printf '%s\\n' \"${COMPREPLY[@]}\"";
    List<String> call =
        new ArrayList<>(
            List.of("bash", "--norc", "-c", asked, "bash", script.toAbsolutePath().toString()));
    call.addAll(words);
    ProcessBuilder command =
        new ProcessBuilder(call)
            .redirectError(folder.resolve("errors").toFile())
            .redirectOutput(folder.resolve("offers").toFile());
    command.environment().put("LC_ALL", "C"); // bash warns of a locale that is not there
    Process bash = command.start();
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(folder.resolve("errors")).isEmptyFile();
    return Files.readAllLines(folder.resolve("offers")).stream().map(String::strip).toList();
  }

  private static String script(String shell) {
    return InProcess.fedometer("completion", shell).expect(ExitCode.DONE).out();
  }
}

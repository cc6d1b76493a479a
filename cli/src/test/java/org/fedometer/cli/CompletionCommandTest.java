package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a shell offers after it has read what {@code completion} prints; bash itself reads it. */
class CompletionCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fedometer comp            | compare completion",
        "fedometer run --most      | --most-restarts",
        "fedometer profiles ch     | check",
        "fedometer query --format  | table csv json"
      })
  void bashCompletesCommandsOptionsAndValues(String line, String offered) throws Exception {
    assertThat(offers(line, line.endsWith("--format"))).containsAll(List.of(offered.split(" ")));
  }

  @Test
  void zshIsGivenWhatBashIs() {
    assertThat(script("zsh")).isEqualTo(script("bash")).contains("bashcompinit");
  }

  private List<String> offers(String line, boolean value) throws Exception {
    Path script = Files.writeString(folder.resolve("fedometer.bash"), script("bash"));
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    if (value) {
      words.add("");
    }
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
    PrintStream standardOutput = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      assertThat(Main.execute("completion", shell)).isZero();
    } finally {
      System.setOut(standardOutput);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}

package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.cli.terminal.Headings;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command lines at the end of each command's help, which man pages have, too. */
class ExamplesTest {
  /** A call, with or without a shell's parentheses, and its comment. */
  private static final Pattern CALL =
      Pattern.compile("  (source <\\()?fedometer (?<arguments>.*?)\\)?(\\s+#.*)?");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|\\S+");

  @Test
  void eachCommandAcceptsItsExamples() {
    assertThat(commands(Main.commandLine()))
        .allSatisfy(
            command ->
                assertThat(examples(command))
                    .as(nameOf(command))
                    .isNotEmpty()
                    .allSatisfy(
                        example ->
                            assertThat(called(example)).as(example).contains(nameOf(command))));
  }

  /** Man pages have what follows a command's help only if it has a heading. */
  @Test
  void examplesOfAllCommandsHaveTheSameHeading() {
    assertThat(commands(Main.commandLine()))
        .allSatisfy(
            command ->
                assertThat(command.getCommandSpec().usageMessage().footerHeading())
                    .as(nameOf(command))
                    .isEqualTo(Headings.EXAMPLES));
  }

  /** A wider example would wrap, and copying it would truncate it. */
  @Test
  void noExampleIsWiderThanTheHelp() {
    assertThat(commands(Main.commandLine()))
        .allSatisfy(
            command ->
                assertThat(examples(command))
                    .allSatisfy(
                        example ->
                            assertThat(example).hasSizeLessThan(command.getUsageHelpWidth())));
  }

  /** Names of the command and of those above it, once its own parser has read the line. */
  private static List<String> called(String example) {
    Matcher call = CALL.matcher(example);
    assertThat(call.matches()).as(example).isTrue();
    String[] arguments =
        WORD.matcher(call.group("arguments"))
            .results()
            .map(word -> word.group(1) == null ? word.group() : word.group(1))
            .toArray(String[]::new);
    return Main.commandLine().parseArgs(arguments).asCommandLineList().stream()
        .map(ExamplesTest::nameOf)
        .toList();
  }

  private static List<String> examples(CommandLine command) {
    return List.of(command.getCommandSpec().usageMessage().footer());
  }

  private static String nameOf(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return command.getCommandSpec().usageMessage().hidden()
        ? Stream.empty()
        : Stream.concat(
            Stream.of(command),
            command.getSubcommands().values().stream().flatMap(ExamplesTest::commands));
  }
}

package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/** The commands by job: in the help and on the page. */
class CommandListTest {
  private static final Path PAGE = Path.of("../docs/cli.md");

  @Test
  void everyCommandIsThereForOneJob() {
    assertThat(
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.fedometer.cli")
                    .stream()
                    .filter(type -> type.isAnnotatedWith(Command.class) && !type.isNestedClass())
                    .map(JavaClass::reflect)
                    .filter(type -> type != Main.class))
        .containsExactlyInAnyOrderElementsOf(CommandList.all());
  }

  @Test
  void aCommandIsMadeAloneAndAllAreWhereTheyAreShown() {
    assertThat(CommandList.neededFor("runs", "--json").stream().map(Class::getSimpleName))
        .containsExactly("RunsCommand");
    for (String first : List.of("help", "completion", "--help", "nonsense")) {
      assertThat(CommandList.neededFor(first, "runs")).isEqualTo(CommandList.all());
    }
    assertThat(CommandList.neededFor()).isEqualTo(CommandList.all());
    assertThat(new CommandLine(Main.class).getSubcommands().keySet())
        .as("what makes manual pages")
        .isEqualTo(Main.commandLine().getSubcommands().keySet())
        .hasSameSizeAs(CommandList.all());
  }

  @Test
  void theHelpHasEachCommandUnderItsJobWithWhatItDoes() {
    String help = Main.commandLine().getUsageMessage(Ansi.OFF);
    for (CommandList.Job job : CommandList.JOBS) {
      assertThat(commandsBelow(System.lineSeparator() + job.heading() + ":", help))
          .as(job.heading())
          .containsExactlyElementsOf(job.commands());
    }
    assertThat(help)
        .doesNotContain("Commands:")
        .containsPattern("\n {2}rm +Deletes runs for good")
        .containsPattern("\n {2}help +Prints the help of a command")
        .containsPattern("\n {2}datastream-study {2}Brings up");
    assertThat(help.lines())
        .allMatch(line -> line.length() <= Main.commandLine().getUsageHelpWidth());
  }

  @Test
  void theHelpOfACommandThatHasOthersListsThemAsBefore() {
    CommandLine profiles = Main.commandLine().getSubcommands().get("profiles");
    assertThat(profiles.getUsageMessage(Ansi.OFF)).contains("Commands:").doesNotContain("Load:");
  }

  @Test
  void thePageHasTheSameCommandsUnderTheSameHeadings() throws Exception {
    String page = Files.readString(PAGE);
    for (CommandList.Job job : CommandList.JOBS) {
      assertThat(commandsInTableBelow("\n### " + job.heading() + "\n", page))
          .as(job.heading())
          .containsExactlyElementsOf(job.commands());
    }
  }

  @Test
  void thePageNamesTheCommandsWhoseHelpHasExitCodesOfTheirOwn() throws Exception {
    String sentence =
        Files.readString(PAGE)
            .lines()
            .filter(line -> line.contains("which their `--help` lists"))
            .findFirst()
            .orElseThrow();

    assertThat(firstWords(sentence.substring(0, sentence.indexOf(" use them"))))
        .containsExactlyInAnyOrderElementsOf(
            Main.commandLine().getSubcommands().entrySet().stream()
                .filter(
                    command ->
                        !command
                            .getValue()
                            .getCommandSpec()
                            .usageMessage()
                            .exitCodeList()
                            .isEmpty())
                .map(Map.Entry::getKey)
                .toList());
  }

  private static List<String> commandsBelow(String heading, String help) {
    return after(heading, help)
        .lines()
        .skip(1)
        .takeWhile(line -> line.startsWith("  "))
        .filter(line -> !line.startsWith("   "))
        .map(line -> line.strip().split(" ")[0])
        .toList();
  }

  /** A row may have several, or one in several uses. */
  private static Set<String> commandsInTableBelow(String heading, String page) {
    Set<String> commands = new LinkedHashSet<>();
    after(heading, page)
        .lines()
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(0, line.indexOf(" | ")))
        .flatMap(CommandListTest::firstWords)
        .forEach(commands::add);
    return commands;
  }

  private static Stream<String> firstWords(String cell) {
    return Pattern.compile("`([a-z-]+)").matcher(cell).results().map(found -> found.group(1));
  }

  private static String after(String heading, String text) {
    assertThat(text).contains(heading);
    return text.substring(text.indexOf(heading) + heading.length());
  }
}

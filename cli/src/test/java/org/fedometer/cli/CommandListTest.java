package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/** The list of commands, and the help that shows it. */
class CommandListTest {
  private static final int SCREEN_LINES = 40;

  @Test
  void hasEveryCommandOnce() {
    assertThat(
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.fedometer.cli")
                    .stream()
                    .filter(type -> type.isAnnotatedWith(Command.class) && !type.isNestedClass())
                    .map(JavaClass::reflect)
                    .filter(type -> type != Main.class))
        .containsExactlyInAnyOrderElementsOf(CommandList.all().toList());
  }

  @Test
  void makesTheCommandThatIsCalledAlone() {
    CommandLine runs = made("runs", "list", "--json").get("runs");
    assertThat(runs.getSubcommands().keySet()).containsExactly("list");
    assertThat(made("report", "big").keySet()).containsExactly("report");
    assertThat(made("runs", "--help").get("runs").getSubcommands()).hasSizeGreaterThan(5);
  }

  @Test
  void makesAllWhereTheyMayBeNamed() {
    Set<String> all = Main.commandLine().getSubcommands().keySet();
    assertThat(all).containsExactlyElementsOf(CommandList.names().toList());
    assertThat(made("nonsense", "runs").keySet()).isEqualTo(all);
    assertThat(made("completion", "bash").keySet()).isEqualTo(all);
    assertThat(new CommandLine(Main.class).getSubcommands().keySet())
        .as("what makes manual pages")
        .isEqualTo(all);
  }

  @Test
  void helpHasALineForEachCommandAndFitsAScreen() {
    String help = Main.commandLine().getUsageMessage(Ansi.OFF);

    assertThat(help.lines())
        .hasSizeLessThanOrEqualTo(SCREEN_LINES)
        .allMatch(line -> line.length() <= Main.commandLine().getUsageHelpWidth());
    for (Class<?> command : CommandList.JOBS) {
      Command declared = command.getAnnotation(Command.class);
      assertThat(help)
          .containsPattern("\n {2}" + declared.name() + " +" + declared.description()[0]);
    }
    for (CommandList.Group group : CommandList.GROUPS) {
      assertThat(help).containsPattern("\n {2}" + group.name() + " +" + group.description() + ": ");
      assertThat(help).contains(group.names());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "help", "--help", "-h"})
  void helpIsTheSameWithoutTheCommands(String line) {
    InProcess call =
        InProcess.fedometer(line.isEmpty() ? new String[0] : line.split(" ")).expect(0);

    assertThat(call.out()).isEqualTo(Main.commandLine().getUsageMessage(Ansi.OFF));
  }

  @Test
  void aGroupAlonePrintsItsHelp() {
    String help = InProcess.fedometer("stack").expect(0).out();

    assertThat(help)
        .isEqualTo(InProcess.fedometer("stack", "--help").expect(0).out())
        .startsWith("Usage: fedometer stack ")
        .containsPattern("\n {2}up +Start a Fedora");
  }

  @Test
  void eachSummaryIsOneLine() {
    assertThat(CommandList.all())
        .allSatisfy(
            command ->
                assertThat(command.getAnnotation(Command.class).description()[0])
                    .as(command.getSimpleName())
                    .hasSizeLessThanOrEqualTo(66)
                    .endsWith("."));
  }

  private static Map<String, CommandLine> made(String... arguments) {
    return Main.commandLine(List.of(arguments)).getSubcommands();
  }
}

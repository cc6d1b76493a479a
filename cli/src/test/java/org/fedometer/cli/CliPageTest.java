package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The reference in {@code docs/cli.md} is what the commands declare. A page that differs is written
 * anew into {@code cli/target}, to be read and copied.
 */
class CliPageTest {
  private static final Path PAGE = Path.of("../docs/cli.md");
  private static final Path EXPECTED = Path.of("target/cli.md");
  private static final String REFERENCE = "## Reference\n";

  /** An option of so many commands is described once for all. */
  private static final int COMMON = 2;

  private static final List<String> HELP = List.of("--help", "--version");

  /** Options whose commands the beginning of the page tells. */
  private static final List<String> EXPLAINED =
      List.of(
          "--json",
          "--store",
          "--token-file",
          "--tls",
          "--tls-ca",
          "--tls-certificate",
          "--tls-key");

  private final Map<String, CommandSpec> commands = new LinkedHashMap<>();
  private final Map<String, Long> uses;

  CliPageTest() {
    addTo(commands, "", Main.commandLine());
    uses =
        commands.values().stream()
            .flatMap(CliPageTest::arguments)
            .collect(Collectors.groupingBy(CliPageTest::row, TreeMap::new, Collectors.counting()));
  }

  @Test
  void theReferenceIsWhatTheCommandsDeclare() throws Exception {
    String page = Files.readString(PAGE);
    assertThat(page).contains(REFERENCE);
    String expected = page.substring(0, page.indexOf(REFERENCE)) + REFERENCE + reference();
    Files.writeString(EXPECTED, expected);
    assertThat(page).as("docs/cli.md; copy " + EXPECTED).isEqualTo(expected);
  }

  private static void addTo(Map<String, CommandSpec> commands, String words, CommandLine of) {
    of.getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getSubcommands().isEmpty()) {
                commands.put(words + name, command.getCommandSpec());
              }
              addTo(commands, words + name + " ", command);
            });
  }

  private static Stream<ArgSpec> arguments(CommandSpec command) {
    return Stream.<ArgSpec>concat(
            command.positionalParameters().stream(), command.options().stream())
        .filter(argument -> !argument.hidden() && !HELP.contains(nameOf(argument)));
  }

  private String reference() {
    StringBuilder page = new StringBuilder();
    commands.forEach((words, command) -> command(page, words, command));
    page.append("\n### Arguments and options of several commands\n\n");
    uses.entrySet().stream()
        .filter(row -> row.getValue() >= COMMON)
        .forEach(row -> page.append(row.getKey()));
    return page.toString();
  }

  private void command(StringBuilder page, String words, CommandSpec command) {
    UsageMessageSpec usage = command.usageMessage();
    page.append("\n### ").append(words).append("\n\n");
    page.append(text(String.join(" ", usage.description()))).append("\n\n");
    List<String> rows = new ArrayList<>();
    List<String> common = new ArrayList<>();
    arguments(command)
        .forEach(
            argument -> {
              if (uses.get(row(argument)) < COMMON) {
                rows.add(row(argument));
              } else if (!EXPLAINED.contains(nameOf(argument))) {
                common.add("`" + nameOf(argument) + "`");
              }
            });
    rows.forEach(page::append);
    if (!common.isEmpty()) {
      page.append("Also: ").append(String.join(", ", common)).append("\n");
    }
  }

  /** A line, which the blanks at its end break. */
  private static String row(ArgSpec argument) {
    String label =
        argument.isPositional() || argument.arity().max() == 0 ? "" : " " + argument.paramLabel();
    return "`%s%s`: %s  \n".formatted(nameOf(argument), label, description(argument.description()));
  }

  private static String nameOf(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String description(String[] description) {
    return text(String.join(" ", description));
  }

  /** Markdown of what picocli prints. */
  private static String text(String declared) {
    return Ansi.OFF
        .string(declared.replace("%n", " ").replace("%%", "%"))
        .replace("<", "&lt;")
        .replace("*", "\\*")
        .strip();
  }
}

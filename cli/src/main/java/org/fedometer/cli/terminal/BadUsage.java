package org.fedometer.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.profiles.Spelling;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints a line on the command line's error, and one that refers to the options. */
public final class BadUsage implements IParameterExceptionHandler {
  private static final int MAX_COMMANDS = 3;

  /** As picocli refuses what is no constant of an enumeration. */
  private static final Pattern NO_CONSTANT =
      Pattern.compile(
          "expected one of \\[(.*)\\] \\(case-(?:in)?sensitive\\) but was '(.*)'$", Pattern.DOTALL);

  private final Supplier<CommandLine> all;

  /**
   * @param all makes the command with all subcommands
   */
  public BadUsage(Supplier<CommandLine> all) {
    this.all = all;
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(SafeLine.of("fedometer: " + message(e)));
    err.println("try '" + command.getCommandSpec().qualifiedName() + " --help'");
    return ExitCode.BAD_USAGE;
  }

  private String message(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> arguments = unmatched.getUnmatched();
      if (unmatched.isUnknownOption()) {
        return unknownOptions(arguments, command, unmatched.getSuggestions());
      }
      return command.getSubcommands().isEmpty()
          ? tooManyArguments(arguments)
          : unknownCommand(arguments.get(0), command, unmatched.getSuggestions());
    }
    // A value without option or parameter is an argument of 'help'.
    return e.getValue() != null && e.getArgSpec() == null && e.getCause() == null
        ? unknownCommand(e.getValue(), command, List.of())
        : invalidValue(e);
  }

  /**
   * @param arguments unknown options, and possibly their values
   * @param fallback suggestions if none is similar
   */
  private String unknownOptions(
      List<String> arguments, CommandLine command, List<String> fallback) {
    List<String> unknown = arguments.stream().filter(argument -> argument.startsWith("-")).toList();
    List<String> known =
        command.getCommandSpec().options().stream()
            .filter(option -> !option.hidden())
            .map(OptionSpec::longestName)
            .toList();
    List<String> suggestions =
        unknown.stream()
            .map(option -> Spelling.nearest(option.split("=", 2)[0], known))
            .filter(similar -> !similar.isEmpty())
            .map(similar -> String.join(" or ", similar))
            .distinct()
            .toList();
    String others = suggestions.isEmpty() ? othersWith(unknown.get(0).split("=", 2)[0]) : "";
    return (unknown.size() == 1 ? "Unknown option: " : "Unknown options: ")
        + quoted(unknown)
        + (others.isEmpty()
            ? Spelling.suggestion(
                suggestions.isEmpty() ? fallback : List.of(String.join(" and ", suggestions)))
            : "; it is an option of " + others);
  }

  /** Returns the commands that have an option; empty if there are none, or more than three. */
  private String othersWith(String option) {
    List<String> commands =
        commands(all.get())
            .filter(command -> command.getCommandSpec().optionsMap().containsKey(option))
            .map(command -> "'" + command.getCommandSpec().qualifiedName() + "'")
            .toList();
    return commands.size() > MAX_COMMANDS ? "" : String.join(", ", commands);
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(BadUsage::commands));
  }

  private static String tooManyArguments(List<String> arguments) {
    return (arguments.size() == 1 ? "unexpected argument: " : "unexpected arguments: ")
        + quoted(arguments);
  }

  private static String quoted(List<String> arguments) {
    return "'" + String.join("', '", arguments) + "'";
  }

  /** Rewrites picocli's message for an invalid value without Java class names. */
  private static String invalidValue(ParameterException e) {
    String message = FailureText.withoutClassNames(e.getMessage());
    Matcher none = NO_CONSTANT.matcher(message);
    if (!none.find()) {
      return message
          .replaceFirst("' is not a double$", "' is not a number")
          .replaceFirst("' is not an? (int|long)$", "' is not a whole number");
    }
    String constants = none.group(1).toLowerCase(Locale.ROOT);
    String given = none.group(2);
    List<String> known = List.of(constants.split(", ", -1));
    List<String> similar = Spelling.nearest(given.toLowerCase(Locale.ROOT), known);
    return message.substring(0, none.start())
        + "expected one of ["
        + constants
        + "], not '"
        + given
        + "'"
        + Spelling.suggestion(
            similar.isEmpty() ? known.stream().filter(given::startsWith).toList() : similar);
  }

  /**
   * @param fallback suggestions if no command is similar
   */
  private static String unknownCommand(String given, CommandLine command, List<String> fallback) {
    List<String> similar =
        command.getSubcommands().entrySet().stream()
            .filter(group -> group.getValue().getSubcommands().containsKey(given))
            .map(group -> group.getKey() + " " + given)
            .toList();
    if (similar.isEmpty()) {
      similar = Spelling.nearest(given, command.getSubcommands().keySet());
    }
    return "there is no command '"
        + given
        + "'"
        + Spelling.suggestion(similar.isEmpty() ? fallback : similar);
  }
}

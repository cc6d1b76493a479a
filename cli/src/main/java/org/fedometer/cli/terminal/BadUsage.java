package org.fedometer.cli.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.profiles.Spelling;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line, and in another where all options are. */
public final class BadUsage implements IParameterExceptionHandler {
  /** As picocli refuses what is no constant of an enumeration. */
  private static final Pattern NO_CONSTANT =
      Pattern.compile(
          "expected one of \\[(.*)\\] \\(case-(?:in)?sensitive\\) but was '(.*)'$", Pattern.DOTALL);

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(SafeLine.of("fedometer: " + sentence(e)));
    err.println("try '" + command.getCommandSpec().qualifiedName() + " --help'");
    return ExitCode.BAD_USAGE;
  }

  private static String sentence(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> given = unmatched.getUnmatched();
      if (unmatched.isUnknownOption()) {
        return noOptions(given, command, unmatched.getSuggestions());
      }
      return command.getSubcommands().isEmpty()
          ? tooMany(given)
          : noCommand(given.get(0), command, unmatched.getSuggestions());
    }
    // A value of no option and no parameter is what 'help' was asked for.
    return e.getValue() != null && e.getArgSpec() == null && e.getCause() == null
        ? noCommand(e.getValue(), command, List.of())
        : value(e);
  }

  /**
   * @param given options that there are not, and what may be their values
   * @param alike what to offer where none is a slip or two away
   */
  private static String noOptions(List<String> given, CommandLine command, List<String> alike) {
    List<String> unknown = given.stream().filter(word -> word.startsWith("-")).toList();
    List<String> known =
        command.getCommandSpec().options().stream()
            .filter(option -> !option.hidden())
            .map(OptionSpec::longestName)
            .toList();
    List<String> meant =
        unknown.stream()
            .map(option -> Spelling.near(option.split("=", 2)[0], known))
            .filter(near -> !near.isEmpty())
            .map(near -> String.join(" or ", near))
            .distinct()
            .toList();
    return (unknown.size() == 1 ? "Unknown option: " : "Unknown options: ")
        + quoted(unknown)
        + Spelling.perhaps(meant.isEmpty() ? alike : List.of(String.join(" and ", meant)));
  }

  private static String tooMany(List<String> given) {
    return (given.size() == 1
            ? "there is an argument too many: "
            : "there are arguments too many: ")
        + quoted(given);
  }

  private static String quoted(List<String> words) {
    return "'" + String.join("', '", words) + "'";
  }

  /** What picocli says of a value that is none, in words instead of names of Java's. */
  private static String value(ParameterException e) {
    String message = FailureText.withoutClassNames(e.getMessage());
    Matcher none = NO_CONSTANT.matcher(message);
    if (!none.find()) {
      return message
          .replaceFirst("' is not a double$", "' is no number")
          .replaceFirst("' is not an? (int|long)$", "' is no whole number");
    }
    String constants = none.group(1).toLowerCase(Locale.ROOT);
    String given = none.group(2);
    List<String> known = List.of(constants.split(", ", -1));
    List<String> near = Spelling.near(given.toLowerCase(Locale.ROOT), known);
    return message.substring(0, none.start())
        + "expected one of ["
        + constants
        + "], not '"
        + given
        + "'"
        + Spelling.perhaps(
            near.isEmpty() ? known.stream().filter(given::startsWith).toList() : near);
  }

  /**
   * @param alike what to offer where no command is a slip or two away
   */
  private static String noCommand(String given, CommandLine command, List<String> alike) {
    List<String> near = Spelling.near(given, command.getSubcommands().keySet());
    return "there is no command '" + given + "'" + Spelling.perhaps(near.isEmpty() ? alike : near);
  }
}

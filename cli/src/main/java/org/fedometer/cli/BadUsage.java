package org.fedometer.cli;

import java.io.PrintWriter;
import java.util.List;
import org.fedometer.profiles.Spelling;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line, and in another where all options are. */
final class BadUsage implements IParameterExceptionHandler {
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
      return unmatched.isUnknownOption() || command.getSubcommands().isEmpty()
          ? e.getMessage() + meant(unmatched.getSuggestions())
          : noCommand(unmatched.getUnmatched().get(0), command, unmatched.getSuggestions());
    }
    // A value of no option and no parameter is what 'help' was asked for.
    return e.getValue() != null && e.getArgSpec() == null && e.getCause() == null
        ? noCommand(e.getValue(), command, List.of())
        : e.getMessage();
  }

  /**
   * @param alike what to offer where no command is a slip or two away
   */
  private static String noCommand(String given, CommandLine command, List<String> alike) {
    List<String> near = Spelling.near(given, command.getSubcommands().keySet());
    return "there is no command '" + given + "'" + meant(near.isEmpty() ? alike : near);
  }

  private static String meant(List<String> similar) {
    return similar.isEmpty() ? "" : "; perhaps you mean " + String.join(" or ", similar);
  }
}

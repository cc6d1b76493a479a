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
    err.println(SafeLine.of("fedometer: " + e.getMessage() + suggestion(e)));
    err.println("try '" + command.getCommandSpec().qualifiedName() + " --help'");
    return ExitCode.BAD_USAGE;
  }

  private static String suggestion(ParameterException e) {
    List<String> similar =
        e instanceof UnmatchedArgumentException unmatched ? similar(unmatched) : List.of();
    return similar.isEmpty() ? "" : "; perhaps you mean " + String.join(" or ", similar);
  }

  /** A command that is a slip or two away, else whatever shares some letters. */
  private static List<String> similar(UnmatchedArgumentException e) {
    String given = e.getUnmatched().get(0);
    List<String> near = Spelling.near(given, e.getCommandLine().getSubcommands().keySet());
    return near.isEmpty() ? e.getSuggestions() : near;
  }
}

package org.fedometer.cli;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line, and in another where all options are. */
final class BadUsage implements IParameterExceptionHandler {
  private static final int MOST_SLIPS = 2;

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
    List<String> near =
        e.getCommandLine().getSubcommands().keySet().stream()
            .filter(command -> slips(given, command) <= MOST_SLIPS)
            .sorted(Comparator.comparing(command -> slips(given, command)))
            .toList();
    return near.isEmpty() ? e.getSuggestions() : near;
  }

  /** How many letters are wrong, missing, too many, or swapped with the next. */
  private static int slips(String given, String meant) {
    int[][] slips = new int[given.length() + 1][meant.length() + 1];
    for (int i = 0; i <= given.length(); i++) {
      for (int j = 0; j <= meant.length(); j++) {
        if (i == 0 || j == 0) {
          slips[i][j] = i + j;
          continue;
        }
        boolean same = given.charAt(i - 1) == meant.charAt(j - 1);
        slips[i][j] =
            Math.min(
                slips[i - 1][j - 1] + (same ? 0 : 1),
                1 + Math.min(slips[i - 1][j], slips[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && given.charAt(i - 1) == meant.charAt(j - 2)
                && given.charAt(i - 2) == meant.charAt(j - 1);
        if (swapped) {
          slips[i][j] = Math.min(slips[i][j], slips[i - 2][j - 2] + 1);
        }
      }
    }
    return slips[given.length()][meant.length()];
  }
}

package org.fedometer.cli.load;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.fedometer.experiments.record.JobRecord;
import picocli.CommandLine;

/** The command line of a resumed job: the original one and additional arguments. Stateless. */
final class ResumedArguments {
  static final String OPTION = "--resume";

  private ResumedArguments() {}

  /**
   * @param commandArguments the arguments of this command, including the option itself
   */
  static List<String> of(JobRecord record, List<String> commandArguments) {
    List<String> all = new ArrayList<>(record.arguments());
    for (int i = 0; i < commandArguments.size(); i++) {
      if (commandArguments.get(i).equals(OPTION)) {
        i++;
      } else if (!commandArguments.get(i).startsWith(OPTION + "=")) {
        all.add(commandArguments.get(i));
      }
    }
    return all;
  }

  /** Parses a resumed command's options; the last occurrence of an option counts. */
  static void parse(Callable<Integer> command, List<String> arguments) {
    new CommandLine(command)
        .setOverwrittenOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(arguments.toArray(String[]::new));
  }

  /** Prints a note if relative file names have changed their meaning. */
  static void noteChangedDirectory(JobRecord record, PrintWriter err) {
    String now = Path.of("").toAbsolutePath().toString();
    if (!now.equals(record.folder())) {
      err.println(
          "fedometer: the run was started in "
              + record.folder()
              + "; relative paths now refer to "
              + now);
    }
  }
}

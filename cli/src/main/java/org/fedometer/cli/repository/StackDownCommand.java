package org.fedometer.cli.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fedometer.cli.terminal.CtrlC;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.profiles.stack.LostTriplesException;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "down",
    description = {
      "Stop a Fedora and its database.",
      "Fedora first refuses new requests and writes all triples. Also ends what a killed"
          + " command has left running. Safe to repeat."
    },
    footerHeading = Headings.EXAMPLES,
    footer = {
      "  fedometer stack down --home ~/fedora",
      "  fedometer stack down --home ~/fedora --delete"
    },
    mixinStandardHelpOptions = true)
public final class StackDownCommand implements Callable<Integer> {
  @Option(
      names = "--home",
      paramLabel = "DIR",
      required = true,
      description = "Home folder of the stack; see 'fedometer stack list'.")
  private Path home;

  @Option(names = "--delete", description = "Also delete the home folder.")
  private boolean delete;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    // With --delete a missing folder is a success, so that the command can be repeated.
    if (!delete && !Files.isDirectory(home)) {
      throw new IllegalArgumentException(
          "--home "
              + home
              + ": there is no such folder; 'fedometer stack list' shows the homes of stacks that run");
    }
    StackRegistry registry = StackRegistry.ofUser();
    // An interruption would leave a running Fedora that refuses every request.
    try (CtrlC ignored = CtrlC.register(this::reportStillStopping)) {
      Optional<Stack> stack = registry.find(home);
      if (delete && stack.isPresent()) {
        print(stack.get().delete());
        System.out.println("deleted " + stack.get().home());
        return ExitCode.DONE;
      }
      List<String> ended = registry.down(home);
      print(ended);
      if (ended.isEmpty()) {
        System.out.println(nothingWasRunning(stack.isPresent()));
      }
      return ExitCode.DONE;
    } catch (LostTriplesException e) {
      print(e.ended());
      spec.commandLine().getErr().println("fedometer: " + PlainErrors.message(e));
      return ExitCode.DONE_WITH_ERRORS;
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("fedometer: " + home + " could not be taken down: " + PlainErrors.message(e));
      return ExitCode.DONE_WITH_ERRORS;
    }
  }

  private void reportStillStopping() {
    spec.commandLine().getErr().println("fedometer: " + home + " is still being taken down");
  }

  private static void print(List<String> ended) {
    ended.forEach(process -> System.out.println("ended " + process));
  }

  private String nothingWasRunning(boolean holdsStack) {
    String message = "nothing was running in " + home;
    if (!Files.isDirectory(home)) {
      return message + "; there is no such folder";
    }
    return holdsStack ? message : message + ", which holds no stack";
  }
}

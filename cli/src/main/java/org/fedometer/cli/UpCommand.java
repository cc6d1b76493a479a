package org.fedometer.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fedometer.experiments.UpJob;
import org.fedometer.experiments.UpOptions;
import org.fedometer.profiles.stack.Stack;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code fedometer up}: a Fedora left running. */
@Command(
    name = "up",
    description =
        "Brings up a Fedora with the agent in it and leaves it running; 'ps' lists it, 'down' ends"
            + " it. A home that 'down' has ended comes up again, without --profile as it was.",
    footerHeading = Main.EXAMPLES,
    footer = {
      "  fedometer up --home ~/fedora",
      "  fedometer up --home ~/fedora --profile mulgara-derby --no-agent"
    },
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--home",
      paramLabel = "DIR",
      required = true,
      description = "Folder for everything of this stack.")
  private Path home;

  @Option(names = "--no-agent", description = "Bring Fedora up without the agent.")
  private boolean noAgent;

  @Mixin private StackArguments stack;
  @Mixin private StoreOption store;
  @Mixin private OwnStageOptions ownStages;

  @Override
  public Integer call() throws Exception {
    if (noAgent && ownStages.areGiven()) {
      throw new IllegalArgumentException(
          "--stage and --aop need the agent: leave them or --no-agent out");
    }
    Distribution distribution = Distribution.current();
    ConsoleProgress progress = ConsoleProgress.here(false);
    UpJob job =
        new UpJob(
            new UpOptions(
                stack.profile(),
                stack.isProfileChosen(),
                home,
                stack.port(),
                noAgent ? Optional.empty() : Optional.of(distribution.agentJar()),
                ownStages.agentOptions(distribution.agentJar()),
                stack.collector().place(store.directory(), distribution)),
            progress);
    try (CtrlC ignored = CtrlC.callsUntilClosed(job::interrupt)) {
      Stack running = job.run();
      progress.endLine();
      System.out.println("url       " + running.url());
      System.out.println("user      " + running.user());
      System.out.println("password  in " + running.passwordFile());
      System.out.println("home      " + running.home());
      return ExitCode.DONE;
    } catch (InterruptedException e) {
      return ExitCode.INTERRUPTED;
    } finally {
      progress.endLine();
    }
  }
}

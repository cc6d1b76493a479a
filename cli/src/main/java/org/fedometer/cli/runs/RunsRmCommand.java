package org.fedometer.cli.runs;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.ClientCertificateOptions;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.option.TokenOption;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainErrors;
import org.fedometer.collector.RunMaintenance;
import org.fedometer.experiments.record.UnfinishedJobs;
import org.fedometer.store.RunFolder;
import org.fedometer.store.RunStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "rm",
    description = "Delete runs. A run in progress is kept.",
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:all deleted",
      "1:a run was kept: in progress, resumable, or not deletable",
      "2:bad usage; nothing deleted",
      "3:store not usable"
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer runs rm try-1 try-2",
    mixinStandardHelpOptions = true)
public final class RunsRmCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "RUN", description = "Names of runs; no paths, no '*'.")
  private List<String> runs;

  @Option(names = "--force", description = "Also delete a run that could be resumed.")
  private boolean giveUp;

  @Mixin private TokenOption token;
  @Mixin private ClientCertificateOptions shown;
  @Mixin private StoreOption store;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    RunStore existing = store.existing();
    for (String run : runs) {
      if (!RunFolder.isValidName(run)) {
        throw new IllegalArgumentException(
            "\""
                + run
                + "\" is not the name of a run; give names as 'fedometer runs list' shows them");
      }
      existing.named(run);
    }
    RunMaintenance maintenance = RunMaintenance.of(existing, token.token(), shown.keyOrNull());
    int exitCode = ExitCode.DONE;
    PrintWriter err = spec.commandLine().getErr();
    for (String run : new LinkedHashSet<>(runs)) {
      try {
        UnfinishedJobs.requireNotInUse(store.directory(), run);
        if (!giveUp) {
          UnfinishedJobs.requireNotResumable(store.directory(), run);
        }
        maintenance.remove(run);
      } catch (IOException e) {
        err.println("fedometer: " + run + " is not deleted: " + PlainErrors.message(e));
        exitCode = ExitCode.DONE_WITH_ERRORS;
        continue;
      }
      System.out.println("deleted " + run);
      if (!DriverLeftovers.delete(store.directory(), run, err)) {
        exitCode = ExitCode.DONE_WITH_ERRORS;
      }
    }
    return exitCode;
  }
}

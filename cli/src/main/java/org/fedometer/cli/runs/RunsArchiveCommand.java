package org.fedometer.cli.runs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.cli.option.ClientCertificateOptions;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.option.TokenOption;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.collector.RunMaintenance;
import org.fedometer.experiments.record.UnfinishedJobs;
import org.fedometer.store.RunArchive;
import org.fedometer.store.RunFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "archive",
    description = {
      "Move a run into a zip file.",
      "The file is read back before the run's folder is deleted. 'runs restore' restores" + " it."
    },
    exitCodeListHeading = Headings.EXIT_CODES,
    exitCodeList = {
      "0:done",
      "1:archived, but its journal or home could not be deleted",
      "2:bad usage",
      "3:refused: run in progress or resumable; or a file error"
    },
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer runs archive big --output /backup/big.zip",
    mixinStandardHelpOptions = true)
public final class RunsArchiveCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN", description = "Name of the run.")
  private String run;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Zip file to write (default: ./RUN.zip).")
  private Path to;

  @Option(names = "--keep", description = "Keep the run's folder.")
  private boolean keep;

  @Option(
      names = "--force",
      description = "Also archive a run that could be resumed; its journal is deleted.")
  private boolean giveUp;

  @Mixin private TokenOption token;
  @Mixin private ClientCertificateOptions shown;
  @Mixin private StoreOption store;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    RunFolder folder = store.existing().named(run);
    if (!keep) {
      UnfinishedJobs.requireNotInUse(store.directory(), run);
      requireNotResumable();
    }
    Path file = (to == null ? Path.of(run + ".zip") : to).toAbsolutePath().normalize();
    if (file.startsWith(folder.path())) {
      throw new IllegalArgumentException(
          "the archive cannot be in the run's folder; give another --output");
    }
    try (RunMaintenance.QuietRun quiet =
        RunMaintenance.of(store.store(), token.token(), shown.keyOrNull()).openQuiet(run)) {
      String archived = RunArchive.write(folder, file);
      System.out.println("archived " + file + ", " + NumberFormats.bytes(Files.size(file)));
      if (!keep) {
        UnfinishedJobs.requireNotInUse(store.directory(), run);
        quiet.removeArchived(archived);
        System.out.println("deleted " + folder);
        if (!DriverLeftovers.delete(store.directory(), run, spec.commandLine().getErr())) {
          return ExitCode.DONE_WITH_ERRORS;
        }
      }
    }
    return ExitCode.DONE;
  }

  private void requireNotResumable() throws IOException {
    if (giveUp) {
      return;
    }
    try {
      UnfinishedJobs.requireNotResumable(store.directory(), run);
    } catch (IOException e) {
      throw new IOException(
          run
              + " is not archived: "
              + e.getMessage()
              + "; --keep archives the run without deleting anything",
          e);
    }
  }
}

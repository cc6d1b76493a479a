package org.fedometer.cli.runs;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.StoreOption;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.store.RunArchive;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "restore",
    description = "Restore a run from the zip file of 'runs archive'.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer runs restore /backup/big.zip",
    mixinStandardHelpOptions = true)
public final class RunsRestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Zip file; it is kept.")
  private Path file;

  @Mixin private StoreOption store;

  @Override
  public Integer call() throws Exception {
    System.out.println("restored " + RunArchive.restore(file, store.store()));
    return ExitCode.DONE;
  }
}

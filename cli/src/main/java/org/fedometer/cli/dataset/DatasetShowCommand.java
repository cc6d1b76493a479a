package org.fedometer.cli.dataset;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.cli.terminal.Headings;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.datasets.DatasetKind;
import org.fedometer.datasets.Parameter;
import org.fedometer.datasets.catalogue.Datasets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = "Show a dataset and its parameters.",
    footerHeading = Headings.EXAMPLES,
    footer = "  fedometer dataset show ndltd",
    mixinStandardHelpOptions = true)
public final class DatasetShowCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DATASET",
      completionCandidates = CompletionValues.DatasetNames.class,
      description = "Name of a dataset.")
  private String name;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    DatasetKind kind = Datasets.kind(name);
    StandardOutput.jsonOrText(json, DatasetListCommand.asJson(kind), out -> print(kind, out));
    return ExitCode.DONE;
  }

  private static void print(DatasetKind kind, PrintStream out) {
    out.println(kind.name() + ": " + kind.description());
    out.println();
    if (kind.parameters().isEmpty()) {
      out.println("It has no parameters.");
    } else {
      PlainTable.uncut(kind.parameters())
          .left("PARAMETER", Parameter::name)
          .left("VALUES", Parameter::values)
          .left("DEFAULT", DatasetListCommand::defaultOf)
          .left("DESCRIPTION", Parameter::meaning)
          .print(out);
    }
    out.println();
    out.println("See also " + DatasetKind.PAGE + ".");
  }
}

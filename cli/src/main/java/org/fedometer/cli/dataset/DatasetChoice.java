package org.fedometer.cli.dataset;

import java.io.PrintWriter;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.UnusableDataException;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.wire.SafeLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The dataset of commands without a repository: literals are not truncated. */
final class DatasetChoice {
  @Option(
      names = "--dataset",
      paramLabel = "DATASET",
      completionCandidates = CompletionValues.DatasetNames.class,
      required = true,
      description =
          "Dataset NAME[:key=value,...], such as patents:scale=small or patents-xml:DIR;"
              + " see 'fedometer dataset list'.")
  private String dataset;

  @Option(
      names = "--namespace",
      paramLabel = "NS",
      defaultValue = DatasetOptions.STANDARD_NAMESPACE,
      description = "Namespace of the PIDs (default: ${DEFAULT-VALUE}).")
  private String pidNamespace;

  @Mixin private SkipInvalidOption skipInvalid;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** Opens the dataset; prints skipped documents on standard error. */
  Dataset open() {
    Dataset opened =
        Datasets.open(skipInvalid.addTo(dataset), DatasetOptions.unlimited(pidNamespace));
    PrintWriter err = spec.commandLine().getErr();
    if (!opened.skipped().isEmpty()) {
      err.println("fedometer: " + UnusableDataException.skippedMessage(opened.skipped()));
    }
    opened.notes().forEach(note -> err.println("fedometer: " + SafeLine.of(note)));
    return opened;
  }
}

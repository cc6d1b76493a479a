package org.fedometer.cli;

import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;
import org.fedometer.datasets.UnusableDataException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which dataset, for commands that need no repository: PIDs as those of a run, literals uncut. */
final class DatasetChoice {
  private static final String PID_NAMESPACE = "patent";

  @Option(
      names = "--dataset",
      paramLabel = "D",
      required = true,
      description = "NAME[:key=value,...], such as patents:scale=small or patents-xml:DIR.")
  private String dataset;

  @Mixin private SkipBad skipBad;

  /** Opens it; what was left out is said on standard error. */
  Dataset open() {
    Dataset opened = Datasets.open(skipBad.addTo(dataset), DatasetOptions.unlimited(PID_NAMESPACE));
    if (!opened.skipped().isEmpty()) {
      System.err.println("fedometer: " + UnusableDataException.leftOut(opened.skipped()));
    }
    return opened;
  }
}

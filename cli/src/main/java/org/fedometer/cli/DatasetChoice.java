package org.fedometer.cli;

import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.Datasets;
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

  Dataset open() {
    return Datasets.open(dataset, DatasetOptions.unlimited(PID_NAMESPACE));
  }
}

package org.fedometer.cli.dataset;

import org.fedometer.datasets.foxml.FoxmlDirectory;
import org.fedometer.datasets.patents.PatentXmlDirectory;
import picocli.CommandLine.Option;

/** Option to skip a dataset's invalid documents instead of failing. */
public final class SkipInvalidOption {
  @Option(
      names = "--skip-invalid",
      description =
          "Skip and name documents of patents-xml and foxml that are invalid. Unreadable"
              + " files are still an error.")
  private boolean skip;

  /** Returns the dataset's name with this choice as a parameter. */
  public String addTo(String dataset) {
    if (!skip) {
      return dataset;
    }
    if (!readsFiles(dataset)) {
      throw new IllegalArgumentException(
          "--skip-invalid applies to the datasets patents-xml and foxml, not to " + dataset);
    }
    return dataset + (dataset.contains(":") ? "," : ":") + "skip-invalid=true";
  }

  private static boolean readsFiles(String dataset) {
    String name = dataset.split(":", 2)[0].strip();
    return name.equals(PatentXmlDirectory.NAME) || name.equals(FoxmlDirectory.NAME);
  }
}

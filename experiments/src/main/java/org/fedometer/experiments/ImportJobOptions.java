package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.imported.ImportChoices;
import org.fedometer.experiments.job.RunName;

/**
 * Options of an import.
 *
 * @param file null for standard input
 * @param resolutionNanos resolution of the durations, 1 or more; null to infer it
 * @param name of the run, or null for a name from time and format
 * @param profileChoices parts of the measured stack by dimension, in the user's order
 */
public record ImportJobOptions(
    Path file,
    ImportChoices choices,
    Long resolutionNanos,
    String name,
    Map<String, String> profileChoices,
    CollectorTarget collector) {

  public ImportJobOptions {
    Objects.requireNonNull(choices, "choices");
    Objects.requireNonNull(collector, "collector");
    RunName.require("--name", name);
    profileChoices = new LinkedHashMap<>(profileChoices);
  }
}

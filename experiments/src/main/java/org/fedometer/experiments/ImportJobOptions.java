package org.fedometer.experiments;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.fedometer.experiments.collect.CollectorTarget;
import org.fedometer.experiments.imported.ImportChoices;
import org.fedometer.experiments.job.RunName;

/**
 * What is to be imported, and where to.
 *
 * @param file null for standard input
 * @param resolutionNanos how exactly durations were measured, 1 or more; null for what they show
 * @param name of the run, or null for one of time and format
 * @param profileChoices what the measured stack was made of, by dimension, in the user's order
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

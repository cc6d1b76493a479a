package org.fedometer.cli.load;

import java.util.List;
import org.fedometer.cli.option.CompletionValues;
import org.fedometer.experiments.load.VerifyChoice;
import org.fedometer.profiles.Spelling;
import picocli.CommandLine.Option;

/** Depth of the verification at the end of a load. */
final class VerifyOptions {
  @Option(
      names = "--verify",
      paramLabel = "DEPTH",
      completionCandidates = CompletionValues.VerifyDepths.class,
      defaultValue = "sample",
      description =
          "Depth of the final verification: sample, all (also finds orphans) or none"
              + " (default: ${DEFAULT-VALUE}).")
  private String depth;

  @Option(
      names = "--verify-sample-size",
      paramLabel = "N",
      description =
          "Number of objects in the sample (default: " + VerifyChoice.STANDARD_SAMPLE + ").")
  private Integer sample;

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  VerifyChoice choice() {
    List<String> known = VerifyChoice.names();
    try {
      return VerifyChoice.of(depth, sample);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          (sample == null ? "--verify" : "--verify-sample-size")
              + ": "
              + e.getMessage()
              + (known.contains(depth) ? "" : Spelling.suggestion(depth, known)),
          e);
    }
  }
}

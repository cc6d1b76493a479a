package org.fedometer.cli.load;

import picocli.CommandLine.Option;

/** Option to start a load without the checks of {@code doctor}. */
final class PreflightOption {
  @Option(names = "--no-preflight", description = "Skip the checks of 'fedometer doctor'.")
  private boolean skipped;

  boolean isSkipped() {
    return skipped;
  }
}

package org.fedometer.cli.load;

import picocli.CommandLine.Option;

/** Whether a load begins without what the doctor would say of it. */
final class PreflightOption {
  @Option(names = "--no-preflight", description = "Skip the checks of 'fedometer doctor'.")
  private boolean skipped;

  boolean isSkipped() {
    return skipped;
  }
}

package org.fedometer.profiles.stack.program;

import java.time.Duration;
import org.fedometer.profiles.artifacts.TransferProgress;

/**
 * Receives the progress of the work on a stack. Steps are reported on the provisioning or starting
 * thread, transfers on the download threads.
 */
public interface ProvisioningListener extends TransferProgress {

  ProvisioningListener SILENT = new ProvisioningListener() {};

  default void stepStarted(ProvisioningStep step) {}

  /** Reports that a step succeeded. */
  default void stepFinished(ProvisioningStep step, Duration took) {}

  /** Reports information for the user that does not end the work. */
  default void note(String message) {}

  @Override
  default void transferred(String file, long doneBytes, long totalBytes) {}
}

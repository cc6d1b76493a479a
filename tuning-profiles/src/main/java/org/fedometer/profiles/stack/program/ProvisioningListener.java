package org.fedometer.profiles.stack.program;

import java.time.Duration;
import org.fedometer.profiles.artifacts.TransferProgress;

/**
 * Hears how far the work on a stack has come. Steps are told on the thread that provisions or
 * starts, transfers on the threads that download.
 */
public interface ProvisioningListener extends TransferProgress {

  ProvisioningListener SILENT = new ProvisioningListener() {};

  default void stepStarted(ProvisioningStep step) {}

  /** A step ended well. */
  default void stepFinished(ProvisioningStep step, Duration took) {}

  /** Something the user should know, which is no reason to end. */
  default void note(String message) {}

  @Override
  default void transferred(String file, long doneBytes, long totalBytes) {}
}

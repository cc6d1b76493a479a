package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.profiles.stack.program.ProvisioningListener;
import org.fedometer.profiles.stack.program.ProvisioningStep;
import org.fedometer.wire.FailureText;

/** Reports steps to the listener, and tracks the current one for failures. */
final class ProvisioningSteps {
  private final ProvisioningListener listener;
  private ProvisioningStep latest;
  private boolean underWay;
  private long startedNanos;

  ProvisioningSteps(ProvisioningListener listener) {
    this.listener = listener;
  }

  void begin(ProvisioningStep step) throws InterruptedException {
    end();
    latest = step;
    underWay = true;
    startedNanos = System.nanoTime();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    listener.stepStarted(step);
  }

  void end() {
    if (underWay) {
      listener.stepFinished(latest, Duration.ofNanos(System.nanoTime() - startedNanos));
      underWay = false;
    }
  }

  /** Returns the failure of the current or last step. */
  ProvisioningException failure(IOException cause, Path log) {
    return new ProvisioningException(
        latest, "Could not " + latest.label() + ": " + FailureText.of(cause), log, cause);
  }

  ProvisioningException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new ProvisioningException(
        latest, "Interrupted while trying to " + latest.label() + ".", null, cause);
  }
}

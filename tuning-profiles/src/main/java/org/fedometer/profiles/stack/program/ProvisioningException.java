package org.fedometer.profiles.stack.program;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A stack could not be provisioned or started. The message is one sentence for the user, without
 * the log's path. No process started for the stack is left running.
 */
public final class ProvisioningException extends Exception {

  private final ProvisioningStep step;
  private final transient Path log;

  /**
   * @param log the relevant log, or null
   * @param cause the cause, or null
   */
  public ProvisioningException(ProvisioningStep step, String message, Path log, Throwable cause) {
    super(message, cause);
    this.step = Objects.requireNonNull(step, "step");
    this.log = log;
  }

  /** The log may be null. */
  public ProvisioningException(ProvisioningStep step, String message, Path log) {
    this(step, message, log, null);
  }

  /** Returns a failure found before any change; the sentence is a format if it has arguments. */
  public static ProvisioningException preflight(String message, Object... arguments) {
    return new ProvisioningException(
        ProvisioningStep.PREFLIGHT,
        arguments.length == 0 ? message : message.formatted(arguments),
        null);
  }

  public ProvisioningStep step() {
    return step;
  }

  public Optional<Path> log() {
    return Optional.ofNullable(log);
  }
}

package org.fedometer.experiments.job;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.store.RunDocument;

/**
 * Thrown if a step of a job fails, with the step, the cause in one sentence, and the log to read.
 */
public final class StepFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Step step;
  private final transient Path log;

  /**
   * @param message one sentence for the user: failure and advice
   * @param log the log to read next, or null
   * @param cause may be null
   */
  public StepFailure(Step step, String message, Path log, Throwable cause) {
    super(Objects.requireNonNull(message, "message"), cause);
    this.step = step;
    this.log = log;
  }

  /** Returns the failure for an exception, without a log. */
  public static StepFailure of(Step step, Exception cause) {
    return new StepFailure(step, Reason.of(cause), null, cause);
  }

  /** Returns the failure of a stack that did not come up, with its log. */
  public static StepFailure of(Step step, ProvisioningException cause) {
    return new StepFailure(step, Reason.of(cause), cause.log().orElse(null), cause);
  }

  /** Returns the entry of {@code run.json}, with the log's location for its reader, or null. */
  public RunDocument.Failure onRecord(String logOrNull) {
    return new RunDocument.Failure(step.id(), getMessage(), logOrNull);
  }

  public Step step() {
    return step;
  }

  public Optional<Path> log() {
    return Optional.ofNullable(log);
  }

  /** Returns this failure with advice, which follows the sentence. */
  public StepFailure withAdvice(String advice) {
    return new StepFailure(step, getMessage() + advice, log, getCause());
  }

  /** Returns this failure with another location of its log; {@code newLog} may be null. */
  public StepFailure withLog(Path newLog) {
    return new StepFailure(step, getMessage(), newLog, getCause());
  }
}

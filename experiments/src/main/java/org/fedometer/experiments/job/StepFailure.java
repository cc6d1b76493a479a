package org.fedometer.experiments.job;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.fedometer.profiles.stack.program.ProvisioningException;
import org.fedometer.store.RunDocument;

/** A step of a job did not succeed; says which, why in one sentence, and which log to read. */
public final class StepFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Step step;
  private final transient Path log;

  /**
   * @param message one sentence for the user: what happened and what to do
   * @param log what to read next, or null where there is none
   * @param cause may be null
   */
  public StepFailure(Step step, String message, Path log, Throwable cause) {
    super(Objects.requireNonNull(message, "message"), cause);
    this.step = step;
    this.log = log;
  }

  /** Of what an exception tells, which may be nothing but its name; without a log. */
  public static StepFailure of(Step step, Exception cause) {
    return new StepFailure(step, Reason.of(cause), null, cause);
  }

  /** Of a stack that did not come up, with its log. */
  public static StepFailure of(Step step, ProvisioningException cause) {
    return new StepFailure(step, Reason.of(cause), cause.log().orElse(null), cause);
  }

  /** As {@code run.json} has it, with where its log is for whoever reads that, or null. */
  public RunDocument.Failure onRecord(String logOrNull) {
    return new RunDocument.Failure(step.id(), getMessage(), logOrNull);
  }

  public Step step() {
    return step;
  }

  public Optional<Path> log() {
    return Optional.ofNullable(log);
  }

  /** The same failure, and what to do about it: words that follow the sentence. */
  public StepFailure withAdvice(String advice) {
    return new StepFailure(step, getMessage() + advice, log, getCause());
  }

  /** The same failure, with its log somewhere else; {@code newLog} may be null. */
  public StepFailure withLog(Path newLog) {
    return new StepFailure(step, getMessage(), newLog, getCause());
  }
}

package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;

/**
 * Describes a job's failures: the step, the log to read, and whether the disk is full. Confined to
 * the job's thread.
 */
final class JobFailures {
  /** With less free space, a failure is attributed to the disk. */
  private static final long FULL_DISK_BYTES = 32L << 20;

  private final Path store;
  private final JobSteps steps;
  private final Interruption interruption;
  private final Supplier<Path> log;

  /**
   * @param store folder on the disk that the job fills
   * @param log supplier of the log to read next, or null while there is none
   */
  JobFailures(Path store, JobSteps steps, Interruption interruption, Supplier<Path> log) {
    this.store = store;
    this.steps = steps;
    this.interruption = interruption;
    this.log = log;
  }

  interface Work {
    void run() throws StepFailure, InterruptedException;
  }

  interface Part {
    void run() throws IOException;
  }

  /** Returns any failure that ended the work; null on success. */
  StepFailure during(Work work) {
    try {
      work.run();
      return null;
    } catch (StepFailure e) {
      // The message of a cancelled step would mislead.
      return interruption.raised() ? endedOnRequest(e) : e;
    } catch (InterruptedException e) {
      return endedOnRequest(e);
    } catch (RuntimeException | Error e) {
      // An internal fault or lack of memory must not leave a Fedora running.
      return new StepFailure(steps.current(), Reason.ofFault(e), log.get(), e);
    }
  }

  private StepFailure endedOnRequest(Exception cause) {
    return new StepFailure(steps.current(), "ended on request", log.get(), cause);
  }

  void within(Step step, Part part) throws StepFailure {
    try {
      part.run();
    } catch (IOException e) {
      throw of(step, e);
    }
  }

  StepFailure of(Step step, IOException e) {
    return new StepFailure(step, Reason.of(e) + diskHint(), log.get(), e);
  }

  /** Returns the failure, completed with disk and log. */
  StepFailure completed(StepFailure failure) {
    return new StepFailure(
        failure.step(),
        failure.getMessage() + diskHint(),
        failure.log().orElseGet(log),
        failure.getCause());
  }

  /** Describes a full disk, which failures rarely name. */
  private String diskHint() {
    if (!Files.exists(store)) {
      return "";
    }
    return diskHint(store, Files.isWritable(store), store.toFile().getUsableSpace());
  }

  /** Returns a hint about the disk; a read-only disk may also have no usable byte. */
  static String diskHint(Path store, boolean writable, long usableBytes) {
    if (!writable) {
      return " " + store + " cannot be written to: its disk is read-only, or another user owns it.";
    }
    return usableBytes > FULL_DISK_BYTES
        ? ""
        : " The disk of " + store + " is full: " + NumberFormats.bytes(usableBytes) + " left.";
  }
}

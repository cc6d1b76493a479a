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
 * Puts a job's failures into words: says in which step, which log tells more, and whether the disk
 * is full. Used by the job's one thread.
 */
final class JobFailures {
  /** With less than this left, a failure is put down to the disk. */
  private static final long FULL_DISK_BYTES = 32L << 20;

  private final Path store;
  private final JobSteps steps;
  private final Interruption interruption;
  private final Supplier<Path> log;

  /**
   * @param store whose disk the job fills
   * @param log gives what to read next, or null while there is no such thing
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

  /** Returns what ended the work, whatever that is; null if it came to its end. */
  StepFailure during(Work work) {
    try {
      work.run();
      return null;
    } catch (StepFailure e) {
      // A step that is cut short fails in words that would mislead.
      return interruption.raised() ? endedOnRequest(e) : e;
    } catch (InterruptedException e) {
      return endedOnRequest(e);
    } catch (RuntimeException | Error e) {
      // A fault of ours, or no memory left: no reason to leave a Fedora behind.
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

  /** The same failure, with what it leaves open. */
  StepFailure completed(StepFailure failure) {
    return new StepFailure(
        failure.step(),
        failure.getMessage() + diskHint(),
        failure.log().orElseGet(log),
        failure.getCause());
  }

  /** A full disk shows itself in many ways, few of which say so. */
  private String diskHint() {
    if (!Files.exists(store)) {
      return "";
    }
    return diskHint(store, Files.isWritable(store), store.toFile().getUsableSpace());
  }

  /** A disk that is mounted read-only may have no usable byte, too. */
  static String diskHint(Path store, boolean writable, long usableBytes) {
    if (!writable) {
      return " " + store + " cannot be written to: its disk is read-only, or it is another user's.";
    }
    return usableBytes > FULL_DISK_BYTES
        ? ""
        : " The disk of " + store + " is full: " + NumberFormats.bytes(usableBytes) + " left.";
  }
}

package org.fedometer.experiments.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.store.RunState;

/**
 * A run with its own Fedora that ended early and can be resumed: its record and its Fedora exist.
 * Immutable.
 *
 * @param stack the rest of its Fedora, running or not
 */
public record ResumableRun(JobRecord record, Stack stack) {

  /**
   * @param store of the host that it was begun on
   * @throws CompleteRunException if it has ended well
   * @throws IllegalArgumentException with a one-sentence message, if there is no such run to resume
   * @throws IOException if its files cannot be read
   */
  public static ResumableRun find(Path store, String run) throws IOException {
    JobRecord record = UnfinishedJobs.find(store, run);
    Path folder = JobRecord.folderOf(store, run);
    if (record.stack() == null) {
      throw new IllegalArgumentException(
          run
              + " loads an external Fedora: resume it with 'fedometer "
              + record.command()
              + " "
              + run
              + StoreHint.of(store)
              + "'");
    }
    Path home = Path.of(record.stack().home());
    if (RunState.DONE.id().equals(record.ended())) {
      throw new CompleteRunException(
          run,
          UnfinishedJobs.completeMessage(store, run, run)
              + (Files.exists(home)
                  ? "; its Fedora is still there: 'fedometer stack down --home "
                      + ShellWord.of(home.toString())
                      + " --delete' deletes it"
                  : ""));
    }
    Optional<Stack> stack = StackRegistry.ofUser().find(home).filter(Stack::isProvisioned);
    if (stack.isEmpty()) {
      throw new IllegalArgumentException(
          "the Fedora of "
              + run
              + " is gone with all its data: there is no stack in "
              + home
              + "; start a new run, and delete "
              + folder);
    }
    return new ResumableRun(record, stack.get());
  }
}

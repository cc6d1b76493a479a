package org.fedometer.experiments.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.job.Reason;
import org.fedometer.experiments.job.ShellWord;
import org.fedometer.experiments.job.StoreHint;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.profiles.stack.StackRegistry;
import org.fedometer.store.RunState;

/**
 * What a run with a Fedora of its own has on this host besides its folder: Fedora's home, and the
 * journal. Decides in the end what of it stays. Used by the job's one thread.
 */
public final class RunHome {
  private final Path store;
  private final String runName;
  private final Path home;
  private final JobJournal journal;
  private final JobListener listener;

  public RunHome(Path store, String runName, Path home, JobJournal journal, JobListener listener) {
    this.store = store;
    this.runName = runName;
    this.home = home;
    this.journal = journal;
    this.listener = listener;
  }

  /** Where the Fedoras of runs are, each in a folder that is called by the run's name and ULID. */
  public static Path homesOf(Path store) {
    return store.resolve("homes");
  }

  /** A folder that no other run can have, since it is deleted in the end. */
  public static Path of(Path store, String runName, String runId) {
    return homesOf(store).resolve(runName + "-" + runId);
  }

  /**
   * Leaves what somebody may want to go on with, and deletes the rest. Until the journal is closed,
   * afterwards, no other driver can take the run up.
   *
   * @param state as which the run has ended
   * @param sealed whether it is on record that it has
   * @param repair whether a repair of Fedora's home may bring in what is not there
   * @param keep whether the home stays in any case
   */
  public void finish(RunState state, boolean sealed, boolean repair, boolean keep) {
    boolean onRecord = journal.isOnRecord();
    // As against a run that failed before its load.
    boolean resumable =
        onRecord
            && (!sealed || state == RunState.FAILED || state == RunState.INTERRUPTED || repair);
    // A run that is not sealed has not ended: whoever goes on with it seals it.
    if (sealed && onRecord && (resumable || keep)) {
      journal.recordEnd(
          state, "'fedometer run --resume " + runName + StoreHint.of(store) + "'", listener);
    } else if (sealed && onRecord) {
      journal.tryToRecord(journal.record().ended(state.id()), listener);
    }
    if (resumable) {
      listener.note(resumeHint(runName, store, home, journal.folder(), repair));
    } else if (!keep) {
      deleteHome();
      deleteJournal();
    }
  }

  /** Commands to be copied into a shell, one of which deletes; {@code mend} puts a repair first. */
  public static String resumeHint(
      String runName, Path store, Path home, Path journal, boolean repair) {
    String quotedHome = ShellWord.of(home.toString());
    return runName
        + " can go on: "
        + (repair ? "'fedometer stack repair --home " + quotedHome + "', then " : "")
        + "'fedometer run --resume "
        + runName
        + StoreHint.of(store)
        + "'. To throw it away: 'fedometer stack down --home "
        + quotedHome
        + " --delete' and 'rm -r "
        + ShellWord.of(journal.toString())
        + "'.";
  }

  private void deleteHome() {
    try {
      Optional<Stack> found = StackRegistry.ofUser().find(home);
      if (found.isPresent()) {
        found.get().delete();
      }
    } catch (IOException e) {
      listener.note("Fedora's home " + home + " could not be deleted: " + Reason.of(e));
    }
  }

  private void deleteJournal() {
    try {
      journal.delete();
    } catch (IOException e) {
      listener.note(
          "The journal in " + journal.folder() + " could not be deleted: " + Reason.of(e));
    }
  }
}

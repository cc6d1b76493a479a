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
 * Files of a run with its own Fedora on this host, besides its folder: Fedora's home, and the
 * journal. Decides in the end which of them stay. Confined to the job's thread.
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

  /** Returns the folder of all runs' Fedoras, each in a folder named by the run's name and ULID. */
  public static Path homesOf(Path store) {
    return store.resolve("homes");
  }

  /** Returns a folder that is unique to the run, since it is deleted in the end. */
  public static Path of(Path store, String runName, String runId) {
    return homesOf(store).resolve(runName + "-" + runId);
  }

  /**
   * Keeps what a resume may need, and deletes the rest. No other driver can resume until the
   * journal is closed afterwards.
   *
   * @param state end of the run
   * @param sealed true if that end is recorded
   * @param repair true if a repair of Fedora's home may restore missing data
   * @param keep true to keep the home in any case
   */
  public void finish(RunState state, boolean sealed, boolean repair, boolean keep) {
    boolean onRecord = journal.isOnRecord();
    // False for a run that failed before its load.
    boolean resumable =
        onRecord
            && (!sealed || state == RunState.FAILED || state == RunState.INTERRUPTED || repair);
    // A run that is not sealed has not ended: a resume seals it.
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

  /** Returns commands for a shell, one of which deletes; {@code repair} adds a repair first. */
  public static String resumeHint(
      String runName, Path store, Path home, Path journal, boolean repair) {
    String quotedHome = ShellWord.of(home.toString());
    return runName
        + " can be resumed: "
        + (repair ? "'fedometer stack repair --home " + quotedHome + "', then " : "")
        + "'fedometer run --resume "
        + runName
        + StoreHint.of(store)
        + "'. To delete it: 'fedometer stack down --home "
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

package org.fedometer.experiments.record;

import java.nio.file.Path;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.record.JobRecord.OwnStack;
import org.fedometer.store.RunDocument;

/**
 * How much of the logs that Fedora adds to is in a run: what earlier processes of it have sent is
 * not sent again. Used by the job's one thread, but for {@link #pausesNow}.
 */
public final class SentLogs {
  private final JobJournal journal;
  private final OwnStack none;
  private final JobListener listener;

  public SentLogs(
      JobJournal journal, Path home, RunDocument.Profile profile, JobListener listener) {
    this.journal = journal;
    this.none = OwnStack.in(home, profile);
    this.listener = listener;
  }

  /** What is in the run by now; nothing where nobody can take it up. */
  public OwnStack soFar() {
    return journal.isOnRecord() ? journal.record().stack() : none;
  }

  /**
   * Fedora's log is in the run as far as it goes.
   *
   * @param bytes length of the present file
   * @param beginning of that file, null where it is empty
   */
  public void logNow(long bytes, String beginning) {
    journal.logSent(bytes, beginning, listener);
  }

  /** Pauses for garbage collections that began until then are in the run. Called by any thread. */
  public void pausesNow(long untilEpochNanos) {
    journal.pausesSent(untilEpochNanos, listener);
  }
}

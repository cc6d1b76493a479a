package org.fedometer.experiments;

import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.record.JobJournal;
import org.fedometer.experiments.record.RunDocumentWriter;

/**
 * State of a job with an open run, for its target.
 *
 * @param preflight true to check for foreseeable problems before the load
 */
record LoadContext(
    String runId,
    String runName,
    boolean preflight,
    OpenRun run,
    RunDocumentWriter document,
    JobJournal journal,
    JobSteps steps,
    JobFailures failures,
    Interruption interruption,
    JobListener listener) {

  /** Adds a sentence to the record of the run, and reports it. */
  void note(String text) {
    document.note(text, listener);
  }
}

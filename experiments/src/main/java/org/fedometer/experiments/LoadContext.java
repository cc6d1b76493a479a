package org.fedometer.experiments;

import org.fedometer.experiments.job.Interruption;
import org.fedometer.experiments.job.JobListener;
import org.fedometer.experiments.record.JobJournal;
import org.fedometer.experiments.record.RunDocumentWriter;

/**
 * What a job has once its run is open, and its target works with.
 *
 * @param preflight whether it is looked before the load what would go wrong
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

  /** Adds a sentence to the record of the run, and tells it. */
  void note(String text) {
    document.note(text, listener);
  }
}

package org.fedometer.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.fedometer.driver.IngestOptions;
import org.fedometer.driver.IngestResult;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.verify.Verification;
import org.fedometer.experiments.host.EnvironmentRecord;
import org.fedometer.experiments.job.Step;
import org.fedometer.experiments.job.StepFailure;
import org.fedometer.experiments.measure.MeasuredIngest;
import org.fedometer.experiments.record.JobRecord;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunState;

/**
 * The Fedora of a load, and its tasks besides the load. Confined to the job's thread, in the order
 * of the methods.
 */
interface LoadTarget {
  /** Returns the profile for {@code run.json}; null for an existing Fedora. */
  default RunDocument.Profile profile() {
    return null;
  }

  /** Returns the name of an unnamed run. */
  String generatedName(String runId);

  /** Returns facts for {@code run.json}, by name. */
  default Map<String, String> facts() {
    return Map.of();
  }

  /**
   * Requires a Fedora that answers, before a run that has ended well is opened again. Called at
   * most once, before {@link #opened}.
   */
  default void requireReachable() throws IOException {}

  /** Called once, when the run is open. */
  void opened(LoadContext opened);

  default void describe(EnvironmentRecord record) throws IOException {}

  /** Provisions or finds Fedora. */
  default void prepare() throws StepFailure, InterruptedException {}

  /** Starts or queries Fedora; returns the options of the load. */
  IngestOptions start() throws IOException, StepFailure, InterruptedException;

  /** Returns the login of the started Fedora. */
  FedoraLogin login() throws IOException;

  /** Returns the record, with what a resume has to know of Fedora. */
  default JobRecord onRecord(JobRecord begun) {
    return begun;
  }

  default void loadBegins() {}

  /**
   * @throws IOException if the load gave up
   */
  IngestResult load(MeasuredIngest ingest) throws IOException, StepFailure;

  /** Called after Fedora has written its triples; returns a summary. */
  String drained() throws IOException;

  /** Called after {@link #loadBegins}, in any case. */
  default void loadEnds() {}

  default void verified(Verification found) throws IOException {}

  /** Called after all steps of the load. */
  default void afterLoad(MeasuredIngest ingest) throws StepFailure, InterruptedException {}

  /** Returns the log to read after a failure; null while there is none. */
  default Path log() {
    return null;
  }

  /** Returns the failure of a step, with advice for the user. */
  default IOException explained(Step step, IOException e) {
    return e;
  }

  default void stop(JobEnd end) {}

  /** Notes missing samples of a load that began, before the run is sealed. */
  default void beforeSealing() {}

  /**
   * Completes the run folder and seals the run.
   *
   * @param failure null if nothing has failed
   * @param begun true if Fedora had come up for a load
   * @return the failure with its log's final location, or null
   */
  StepFailure seal(RunState state, StepFailure failure, boolean begun) throws IOException;

  /**
   * Leaves what a resume may need, and reports how to resume; the journal is closed afterwards.
   *
   * @param sealed true if the end of the run is recorded
   * @return Fedora's home, if it is the run's own and remains on disk
   */
  Optional<Path> leave(RunState state, boolean sealed);

  /** Called in any case, before another driver can open the journal. */
  default void close() {}
}

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
 * The Fedora of a load, and what is to be done for it beside the load. Used by the job's one
 * thread, in the order of the methods.
 */
interface LoadTarget {
  /** What {@code run.json} says of its profile; null where Fedora is somebody's. */
  default RunDocument.Profile profile() {
    return null;
  }

  /** What a run without a name is called by. */
  String generatedName(String runId);

  /** Facts for {@code run.json}, by name. */
  default Map<String, String> facts() {
    return Map.of();
  }

  /** The run is open; called once. */
  void opened(LoadContext opened);

  default void describe(EnvironmentRecord record) throws IOException {}

  /** Makes or finds Fedora. */
  default void prepare() throws StepFailure, InterruptedException {}

  /** Starts or asks it; returns how it is to be loaded. */
  IngestOptions start() throws IOException, StepFailure, InterruptedException;

  /** Of one that was started. */
  FedoraLogin login() throws IOException;

  /** The same, with what whoever goes on has to know of Fedora. */
  default JobRecord onRecord(JobRecord begun) {
    return begun;
  }

  default void loadBegins() {}

  /**
   * @throws IOException if the load gave up
   */
  IngestResult load(MeasuredIngest ingest) throws IOException, StepFailure;

  /** Fedora has written its triples; returns a summary. */
  String drained() throws IOException;

  /** After {@link #loadBegins}, in any case. */
  default void loadEnds() {}

  default void verified(Verification found) throws IOException {}

  /** All steps of the load are done. */
  default void afterLoad(MeasuredIngest ingest) throws StepFailure, InterruptedException {}

  /** What to read next where something has failed; null where there is nothing yet. */
  default Path log() {
    return null;
  }

  /** The failure of a step, with what the user can do about it. */
  default IOException explained(Step step, IOException e) {
    return e;
  }

  default void stop(JobEnd end) {}

  /** Looks at what is not in the run of a load that began, before that is sealed. */
  default void beforeSealing() {}

  /**
   * Has the run sealed, with all that is to be in its folder.
   *
   * @param failure null if nothing has failed
   * @param begun whether Fedora had come up for a load
   * @return the failure with its log where it is now, or null
   */
  StepFailure seal(RunState state, StepFailure failure, boolean begun) throws IOException;

  /**
   * Leaves what somebody may want to go on with, and says how; the journal is closed afterwards.
   *
   * @param sealed whether it is on record that the run has ended
   * @return Fedora's home, if it is the run's own and was left on disk
   */
  Optional<Path> leave(RunState state, boolean sealed);

  /** Called in any case, before another driver can have the journal. */
  default void close() {}
}

package org.fedometer.experiments;

import java.io.IOException;
import org.fedometer.experiments.plan.ExperimentPlan;
import org.fedometer.experiments.plan.StopRule;
import org.fedometer.store.StoredExperiment;

/** Tells whether what was measured so far is exact enough. Asked between runs, on one thread. */
interface Precision {

  /**
   * @param enough whether no further repetition is needed
   * @param words how exact it is, a sentence
   */
  record Judgement(boolean enough, String words) {}

  /**
   * @param soFar the experiment after a whole repetition
   * @throws IOException if what was measured cannot be read
   */
  Judgement of(StoredExperiment soFar) throws IOException;

  /** What a plan asks for; null where its file names how many repetitions there are. */
  static Precision of(ExperimentPlan plan) {
    return plan.stop() instanceof StopRule.Until until
        ? new ThroughputPrecision(until.throughput())
        : null;
  }
}

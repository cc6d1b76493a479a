package org.fedometer.experiments.load;

import java.util.Map;

/** Requested operations besides plain ingests. */
public sealed interface OperationsChoice
    permits MixChoice, FlushChoice, StudyChoice, DatastreamsChoice {

  /** Name of the fact that marks a study and its kind. */
  String STUDY = "study";

  Map<String, String> facts();
}

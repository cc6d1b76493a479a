package org.fedometer.experiments.load;

import java.util.Map;

/** What a user asked for besides plain ingests. */
public sealed interface OperationsChoice permits MixChoice, StudyChoice, DatastreamsChoice {

  /** Which of the facts says that a run is a study, and of what. */
  String STUDY = "study";

  Map<String, String> facts();
}

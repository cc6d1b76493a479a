package org.fedometer.agent.core.weave;

import java.util.List;

/** The result of weaving one class once. Not thread-safe where its complaints are not. */
final class WeavingAttempt {

  private final AdviceScan scan;
  private final String failureOrNull;
  private final List<String> complaints;

  private WeavingAttempt(AdviceScan scan, String failureOrNull, List<String> complaints) {
    this.scan = scan;
    this.failureOrNull = failureOrNull;
    this.complaints = complaints;
  }

  /**
   * @param complaints warnings and errors of the weaver, in spite of which it has finished
   */
  static WeavingAttempt done(AdviceScan scan, List<String> complaints) {
    return new WeavingAttempt(scan, null, complaints);
  }

  static WeavingAttempt failed(String failure, List<String> complaints) {
    return new WeavingAttempt(AdviceScan.empty(), failure, complaints);
  }

  /** The aspects that the class calls now; none if the weaver has failed. */
  AdviceScan scan() {
    return scan;
  }

  String failureOrNull() {
    return failureOrNull;
  }

  List<String> complaints() {
    return complaints;
  }
}

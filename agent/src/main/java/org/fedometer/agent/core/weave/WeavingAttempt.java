package org.fedometer.agent.core.weave;

import java.util.List;

/** The result of weaving one class once. As thread-safe as its complaints. */
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
   * @param complaints warnings and errors of the weaver, which has finished nevertheless
   */
  static WeavingAttempt done(AdviceScan scan, List<String> complaints) {
    return new WeavingAttempt(scan, null, complaints);
  }

  static WeavingAttempt failed(String failure, List<String> complaints) {
    return new WeavingAttempt(AdviceScan.empty(), failure, complaints);
  }

  /** Returns the aspects that the class calls now; none if the weaver has failed. */
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

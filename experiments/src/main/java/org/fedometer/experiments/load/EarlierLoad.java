package org.fedometer.experiments.load;

import org.fedometer.driver.verify.Verifier;
import org.fedometer.store.RunDocument;

/**
 * Work of earlier drivers, by this process's clock.
 *
 * @param before state of Fedora before the first of them
 * @param beganNanos start of the first
 * @param history events during and between them
 * @param absence from the end of the latest to the start of this one
 * @param loaded end of the latest; null if it was incomplete
 */
public record EarlierLoad(
    Verifier.Before before,
    long beganNanos,
    LoadHistory history,
    RunDocument.Outage absence,
    Loaded loaded) {

  /**
   * End of a load, and the following flush.
   *
   * @param checkStartNanos start of a check in between, until the drain, of what Fedora had kept;
   *     null without one
   */
  public record Loaded(
      long endNanos, Long checkStartNanos, long drainStartNanos, long drainEndNanos) {}
}

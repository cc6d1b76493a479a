package org.fedometer.experiments.load;

import org.fedometer.driver.verify.Verifier;
import org.fedometer.store.RunDocument;

/**
 * What earlier drivers have done, by this process's clock.
 *
 * @param before what Fedora held before the first of them
 * @param beganNanos when that one began
 * @param history of them, and between them
 * @param absence from the end of the latest to the beginning of this one
 * @param loaded how the latest came to its end; null if it did not
 */
public record EarlierLoad(
    Verifier.Before before,
    long beganNanos,
    LoadHistory history,
    RunDocument.Outage absence,
    Loaded loaded) {

  /**
   * When a load ended, and Fedora then wrote its triples.
   *
   * @param checkStartNanos when it was looked in between, until the drain, whether Fedora had kept
   *     what it had; null if it was not
   */
  public record Loaded(
      long endNanos, Long checkStartNanos, long drainStartNanos, long drainEndNanos) {}
}

package org.fedometer.experiments.plan;

/** When an experiment has enough runs. */
public sealed interface StopRule {

  /** After the repetitions of its file. */
  record Fixed() implements StopRule {}

  /**
   * After the minimum repetitions, once the interval of each profile's throughput ratio to the
   * baseline is narrow enough.
   *
   * @param throughput largest relative distance of an interval's ends from its middle
   * @param maxRepetitions maximum number of repetitions
   */
  record Until(double throughput, int maxRepetitions) implements StopRule {
    public Until {
      if (!(throughput > 0 && throughput < 1)) {
        throw new IllegalArgumentException(
            "an interval of " + throughput + ": give more than 0 and less than 1");
      }
    }
  }
}

package org.fedometer.experiments.plan;

/** When an experiment has enough runs. */
public sealed interface StopRule {

  /** After the repetitions that its file names. */
  record Fixed() implements StopRule {}

  /**
   * After that many repetitions at least, as soon as the interval of the ratio of throughput to the
   * baseline's is narrow enough for each profile.
   *
   * @param throughput by how much, as a share, the ends of each interval may differ from its middle
   * @param maxRepetitions in any case it ends then
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

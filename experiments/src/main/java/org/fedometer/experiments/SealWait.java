package org.fedometer.experiments;

import java.io.IOException;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.job.Interruption;

/** Waits until a run is sealed, but not long after an interrupt. Stateless. */
final class SealWait {
  private SealWait() {}

  /**
   * @param seal sends the rest of the run and closes it, on the job's thread
   * @throws IOException with a one-sentence message, if it failed or was cut short
   */
  static void await(
      Interruption interruption, CollectorLink collector, Interruption.Wait<IOException> seal)
      throws IOException, InterruptedException {
    try {
      interruption.waitFor(seal);
    } catch (IOException e) {
      if (!interruption.cutShort()) {
        throw e;
      }
      throw new IOException(
          "ended on request before the run was sealed; the collector at "
              + collector.hostAndPort()
              + " seals it by itself, and 'fedometer runs list' shows when it has",
          e);
    }
  }
}

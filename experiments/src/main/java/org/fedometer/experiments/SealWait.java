package org.fedometer.experiments;

import java.io.IOException;
import org.fedometer.experiments.collect.CollectorLink;
import org.fedometer.experiments.job.Interruption;

/** Waits until a run is sealed, though not for long once the job is asked to end. Stateless. */
final class SealWait {
  private SealWait() {}

  /**
   * @param seal sends what is left of the run and closes it, on the job's one thread
   * @throws IOException one sentence: it failed, or a request has cut it short
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

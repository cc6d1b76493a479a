package org.fedometer.experiments.load;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.driver.request.Outage;
import org.fedometer.store.RunDocument;

/** Merges outages known from failed requests with those known from ended processes. Stateless. */
final class KnownOutages {
  private KnownOutages() {}

  /**
   * @param ofProcesses by start; with reasons
   * @param ofRequests by start
   * @return each outage once, by start; overlapping ones are united
   */
  static List<RunDocument.Outage> of(
      List<RunDocument.Outage> ofProcesses, List<Outage> ofRequests) {
    List<RunDocument.Outage> all = new ArrayList<>(ofProcesses);
    for (Outage noticed : ofRequests) {
      RunDocument.Outage outage = LoadDocument.outage(noticed);
      int same = indexOfOverlap(ofProcesses, outage);
      if (same < 0) {
        all.add(outage);
      } else {
        RunDocument.Outage process = all.get(same);
        all.set(
            same,
            new RunDocument.Outage(
                process.who(),
                Math.min(process.startNanos(), outage.startNanos()),
                Math.max(process.endNanos(), outage.endNanos()),
                process.reason()));
      }
    }
    // By difference: nanoTime may wrap around.
    all.sort((one, other) -> Long.signum(one.startNanos() - other.startNanos()));
    return all;
  }

  private static int indexOfOverlap(List<RunDocument.Outage> all, RunDocument.Outage outage) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).startNanos() - outage.endNanos() <= 0
          && outage.startNanos() - all.get(i).endNanos() <= 0) {
        return i;
      }
    }
    return -1;
  }
}

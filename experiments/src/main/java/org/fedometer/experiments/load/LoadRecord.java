package org.fedometer.experiments.load;

import java.io.IOException;
import java.util.List;
import org.fedometer.store.RunDocument;

/** Record of the load's course, for a resume. */
public interface LoadRecord {
  /** Records an ended outage that requests noticed, or a current one at the driver's end. */
  void recordOutage(RunDocument.Outage over) throws IOException;

  /**
   * Records that the load was paused, resumed or changed; the lists have all events of this driver
   * so far.
   */
  void changed(List<RunDocument.Pause> pauses, List<RunDocument.LoadChange> changes)
      throws IOException;

  /** Records the end of this driver's load, before the check of what Fedora has kept. */
  void checking() throws IOException;

  /** Records the end of this driver's load. */
  void loaded(long startNanos, long endNanos) throws IOException;

  /** Records that this driver had nothing to load: the load ended with the previous driver. */
  void nothingSent() throws IOException;

  /**
   * Records the completed flush after the load.
   *
   * @param checkStartNanos start of the preceding check of what Fedora had kept; null without one
   */
  void drained(Long checkStartNanos, long startNanos, long endNanos) throws IOException;
}

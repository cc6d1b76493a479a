package org.fedometer.experiments.load;

import java.io.IOException;
import java.util.List;
import org.fedometer.store.RunDocument;

/** Where it is kept for whoever goes on with the ingest what became of the load. */
public interface LoadRecord {
  /** An outage that requests have noticed is over, or was when the driver ended. */
  void recordOutage(RunDocument.Outage over) throws IOException;

  /** The load was paused, continued or changed; the lists hold all that this driver did so far. */
  void changed(List<RunDocument.Pause> pauses, List<RunDocument.LoadChange> changes)
      throws IOException;

  /** The load of this driver is over now, but for what it finds that Fedora has not kept. */
  void checking() throws IOException;

  /** The load of this driver is over. */
  void loaded(long startNanos, long endNanos) throws IOException;

  /** This driver had nothing to load: the end of the driver before is the load's. */
  void nothingSent() throws IOException;

  /**
   * After the load Fedora was asked to write its triples, and has.
   *
   * @param checkStartNanos when it was looked before that what Fedora had kept; null if it was not
   */
  void drained(Long checkStartNanos, long startNanos, long endNanos) throws IOException;
}

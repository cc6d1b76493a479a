package org.fedometer.collector;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.collector.dashboard.Dashboard;
import org.fedometer.collector.http.FrameCounts;
import org.fedometer.collector.influx.LiveInflux;
import org.fedometer.collector.live.LiveRollups;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.collector.segmentlog.SegmentLog;
import org.fedometer.store.RunDeletion;
import org.fedometer.wire.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the followers of durable frames. Opened and closed by one thread, read by any. */
final class LiveViews {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorServer.class);

  private final FrameCounts counts = new FrameCounts();

  // Null until they have come up, and where they are not wanted:
  private LiveRollups rollups;
  private LiveInflux influx;
  private Dashboard dashboard;

  /**
   * Brings up what the options want, and the dashboard and counts where somebody can see them; what
   * has come up is to be closed in any case.
   *
   * @return the followers, in order
   */
  DurableFrames open(LiveOptions options, boolean http, Path store) throws IOException {
    rollups = new LiveRollups(options.rollupInterval());
    DurableFrames followers = rollups;
    deleteInfluxSpill(store, options.influx() != null);
    if (options.influx() != null) {
      influx = new LiveInflux(options.influx(), store);
      followers = followers.and(influx);
    }
    if (http) {
      dashboard = new Dashboard(store, Dashboard.Limits.defaults());
      followers = followers.and(counts).and(dashboard);
    }
    return followers;
  }

  /** Deletes what a killed collector has left. */
  private static void deleteInfluxSpill(Path store, boolean isNeeded) throws IOException {
    Path spill = LiveInflux.spillOf(store);
    try {
      RunDeletion.delete(spill);
    } catch (IOException e) {
      if (isNeeded) {
        throw e;
      }
      LOG.warn("Cannot delete {}: {}", spill, FailureText.of(e));
    }
  }

  /** The journal has recovered all that an earlier collector left. */
  void begin(SegmentLog segmentLog) {
    if (dashboard != null) {
      dashboard.begin(segmentLog::isOpen, segmentLog::connectedSources);
    }
  }

  FrameCounts counts() {
    return counts;
  }

  /** Null where points go nowhere. */
  LiveInflux influx() {
    return influx;
  }

  /** Null where nobody is answered by HTTP. */
  Dashboard dashboard() {
    return dashboard;
  }

  LiveRollups rollups() {
    return rollups;
  }
}

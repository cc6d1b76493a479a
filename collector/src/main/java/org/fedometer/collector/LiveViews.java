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

  // Null until opened, and where not wanted:
  private LiveRollups rollups;
  private LiveInflux influx;
  private Dashboard dashboard;

  /**
   * Opens the views that the options enable; dashboard and counts only with HTTP. The caller must
   * close this even if it fails.
   *
   * @return the observers of durable frames, in order
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

  /** Deletes the spill folder of a killed collector. */
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

  /** Starts the dashboard, after the segment log has recovered all earlier segments. */
  void begin(SegmentLog segmentLog) {
    if (dashboard != null) {
      dashboard.begin(segmentLog::isOpen, segmentLog::connectedSources);
    }
  }

  FrameCounts counts() {
    return counts;
  }

  /** Returns null without an InfluxDB target. */
  LiveInflux influx() {
    return influx;
  }

  /** Returns null without HTTP. */
  Dashboard dashboard() {
    return dashboard;
  }

  LiveRollups rollups() {
    return rollups;
  }
}

package org.fedometer.collector.influx;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once per run that InfluxDB lacks points, and the command that sends them. Any thread. */
final class MissingPoints {
  private static final Logger LOG = LoggerFactory.getLogger(MissingPoints.class);

  /** Enough runs for the user to know the command. */
  private static final int MAX_RUNS = 1_000;

  private final String options;
  private final Set<String> reported = new HashSet<>();

  /**
   * @param options appended to the run's name in the command that sends missing points
   */
  MissingPoints(String options) {
    this.options = options;
  }

  synchronized void report(String run, String reason) {
    if (reported.size() < MAX_RUNS && reported.add(run)) {
      LOG.warn(
          "{}: {}. To send the missing points: fedometer runs export {} {}",
          run,
          reason,
          run,
          options);
    }
  }

  /** Allows a new message for a reopened run. */
  synchronized void forget(String run) {
    reported.remove(run);
  }
}

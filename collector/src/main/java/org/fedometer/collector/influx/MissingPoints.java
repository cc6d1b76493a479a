package org.fedometer.collector.influx;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once of each run that InfluxDB lacks points of it, and how they get there. Any thread. */
final class MissingPoints {
  private static final Logger LOG = LoggerFactory.getLogger(MissingPoints.class);

  /** Whoever has had so many knows the command. */
  private static final int MAX_RUNS = 1_000;

  private final String options;
  private final Set<String> reported = new HashSet<>();

  /** {@code options} follow the run in the command that sends what is missing. */
  MissingPoints(String options) {
    this.options = options;
  }

  synchronized void report(String run, String reason) {
    if (reported.size() < MAX_RUNS && reported.add(run)) {
      LOG.warn("{}: {}. What is missing: fedometer runs export {} {}", run, reason, run, options);
    }
  }

  /** When the run is opened again, it may be said again. */
  synchronized void forget(String run) {
    reported.remove(run);
  }
}

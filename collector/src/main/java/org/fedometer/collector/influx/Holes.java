package org.fedometer.collector.influx;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once of each run that InfluxDB lacks points of it, and how they get there. Any thread. */
final class Holes {
  private static final Logger LOG = LoggerFactory.getLogger(Holes.class);

  /** Whoever has had so many knows the command. */
  private static final int MOST_RUNS = 1_000;

  private final String options;
  private final Set<String> told = new HashSet<>();

  /** {@code options} follow the run in the command that sends what is missing. */
  Holes(String options) {
    this.options = options;
  }

  synchronized void noted(String run, String why) {
    if (told.size() < MOST_RUNS && told.add(run)) {
      LOG.warn("{}: {}. What is missing: fedometer runs export {} {}", run, why, run, options);
    }
  }

  /** When the run is opened again, it may be said again. */
  synchronized void forget(String run) {
    told.remove(run);
  }
}

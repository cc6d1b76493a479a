package org.fedometer.collector;

import java.time.Duration;
import org.fedometer.collector.influx.InfluxTarget;

/**
 * What becomes of frames before they are sealed.
 *
 * @param rollupInterval how often the rollups of what is not sealed yet are written
 * @param influx where points go to as well, or null
 */
public record LiveOptions(Duration rollupInterval, InfluxTarget influx) {
  /** Rollups every 10 s, and no points. */
  public static LiveOptions defaults() {
    return to(null);
  }

  /** Rollups every 10 s; points go nowhere if {@code influx} is null. */
  public static LiveOptions to(InfluxTarget influx) {
    return new LiveOptions(Duration.ofSeconds(10), influx);
  }
}

package org.fedometer.collector;

import java.time.Duration;
import org.fedometer.collector.influx.InfluxTarget;

/**
 * Options for frames that are not sealed yet.
 *
 * @param rollupInterval interval at which rollups of unsealed frames are written
 * @param influx target of points, or null
 */
public record LiveOptions(Duration rollupInterval, InfluxTarget influx) {
  /** Returns rollups every 10 s, without points. */
  public static LiveOptions defaults() {
    return to(null);
  }

  /** Returns rollups every 10 s; no points if {@code influx} is null. */
  public static LiveOptions to(InfluxTarget influx) {
    return new LiveOptions(Duration.ofSeconds(10), influx);
  }
}

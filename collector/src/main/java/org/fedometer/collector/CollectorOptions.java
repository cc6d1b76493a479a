package org.fedometer.collector;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.collector.segmentlog.SegmentLogOptions;

/**
 * Options of a collector, one record for each part.
 *
 * @param store its folder; created if missing
 * @param idleExit null to run until stopped
 */
public record CollectorOptions(
    Path store,
    EndpointOptions endpoints,
    SegmentLogOptions segmentLog,
    LiveOptions live,
    Retention retention,
    IdleExit idleExit) {

  /** Returns options of a collector that runs until stopped. */
  public static CollectorOptions foreground(EndpointOptions endpoints, Path store) {
    return new CollectorOptions(
        store,
        endpoints,
        SegmentLogOptions.defaults(),
        LiveOptions.defaults(),
        Retention.FOREVER,
        null);
  }

  public static CollectorOptions foreground(InetSocketAddress listen, Path store) {
    return foreground(EndpointOptions.at(listen), store);
  }

  /**
   * Returns options of a collector that exits 5 s after its last connection. It serves HTTP on a
   * free loopback port unless {@code endpoints} names one.
   */
  public static CollectorOptions background(EndpointOptions endpoints, Path store) {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return foreground(endpoints.http() == null ? endpoints.withHttp(anyPort) : endpoints, store)
        .withIdleExit(new IdleExit(Duration.ofSeconds(5), Duration.ofSeconds(60)));
  }

  public CollectorOptions withSegmentLog(SegmentLogOptions value) {
    return new CollectorOptions(store, endpoints, value, live, retention, idleExit);
  }

  public CollectorOptions withLive(LiveOptions value) {
    return new CollectorOptions(store, endpoints, segmentLog, value, retention, idleExit);
  }

  public CollectorOptions withRetention(Retention value) {
    return new CollectorOptions(store, endpoints, segmentLog, live, value, idleExit);
  }

  public CollectorOptions withIdleExit(IdleExit value) {
    return new CollectorOptions(store, endpoints, segmentLog, live, retention, value);
  }
}

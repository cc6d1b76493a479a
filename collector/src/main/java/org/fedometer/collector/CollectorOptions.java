package org.fedometer.collector;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.collector.segmentlog.SegmentLogOptions;

/**
 * What a collector does: a record for each part of it that has options.
 *
 * @param store its folder; is made if it does not exist
 * @param idleExit null to stay until it is stopped
 */
public record CollectorOptions(
    Path store,
    EndpointOptions endpoints,
    SegmentLogOptions segmentLog,
    LiveOptions live,
    Retention retention,
    IdleExit idleExit) {

  /** Stays until it is stopped. */
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
   * Ends 5 s after its last connection; listens for HTTP on a free loopback port unless {@code
   * endpoints} names one.
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

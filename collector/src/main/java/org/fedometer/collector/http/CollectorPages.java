package org.fedometer.collector.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.fedometer.collector.dashboard.Dashboard;
import org.fedometer.collector.influx.InfluxSender;
import org.fedometer.collector.logs.AssumedEvents;
import org.fedometer.collector.receive.ListeningFamily;
import org.fedometer.collector.receive.RefusalLog;
import org.fedometer.collector.receive.Refusals;
import org.fedometer.collector.receive.TlsIdentity;
import org.fedometer.collector.segmentlog.SegmentLogStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a collector tells by HTTP. Its suppliers are asked on a thread of the door's, for each
 * question.
 *
 * @param refusals connections that were hung up on; counts those of this door, too
 * @param counts what became durable
 * @param assumedEvents log events that could not be read in full
 * @param influx how sending to an InfluxDB goes; null where nothing is sent
 */
public record CollectorPages(
    String version,
    Path store,
    Supplier<SegmentLogStats> segmentLog,
    Refusals refusals,
    FrameCounts counts,
    AssumedEvents assumedEvents,
    Dashboard dashboard,
    Supplier<InfluxSender.Status> influx) {
  private static final Logger LOG = LoggerFactory.getLogger(CollectorPages.class);

  /**
   * @param address port 0 for a free one
   * @param tls null to take plain connections; else only TLS ones are taken
   * @param token that is asked for unless the address is of loopback; empty for none
   * @throws IOException one sentence: the address cannot be had
   */
  public HttpListener open(InetSocketAddress address, TlsIdentity tls, String token)
      throws IOException {
    Routes routes =
        new Routes()
            .open("/health", new HealthPage(this))
            .guarded("/metrics", new MetricsPage(this));
    DashboardPages.addTo(routes, dashboard);
    ListeningFamily.refuseUnresolved(address, HttpListener.PURPOSE);
    return HttpListener.open(
        address,
        tls,
        HttpAccess.of(address, token),
        routes,
        HttpListener.Limits.DEFAULT,
        RefusalLog.of(refusals, LOG::warn));
  }
}

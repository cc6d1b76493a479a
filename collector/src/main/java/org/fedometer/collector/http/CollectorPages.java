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
 * Content of the collector's HTTP endpoint. The listener's thread calls the suppliers for each
 * request.
 *
 * @param refusals closed connections, including those of this endpoint
 * @param counts counts of durable frames
 * @param assumedEvents log events that could not be read in full
 * @param influx status of sending to InfluxDB; null without
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
   * @param tls null for plain connections; otherwise only TLS is accepted
   * @param token required unless the address is loopback; empty for none
   * @throws IOException if the address is unavailable; the message is one sentence
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

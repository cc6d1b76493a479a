package org.fedometer.collector.http;

import java.io.IOException;
import org.fedometer.collector.metrics.Metrics;
import org.fedometer.store.DiskSpace;

/** Serves the collector's metrics in Prometheus text format. */
final class MetricsPage implements Page {
  private final CollectorPages of;

  MetricsPage(CollectorPages of) {
    this.of = of;
  }

  @Override
  public Response handle(Request request) throws IOException {
    Metrics metrics = new Metrics();
    metrics.value("fedometer_build_info", "Which Fedometer this is.", 1, "version", of.version());
    DiskSpace.freeBytes(of.store())
        .ifPresent(
            free -> metrics.value("fedometer_store_free_bytes", "Free on the store's disk.", free));
    of.segmentLog().get().addTo(metrics);
    of.counts().addTo(metrics);
    of.assumedEvents().addTo(metrics);
    of.refusals().addTo(metrics);
    if (of.influx() != null) {
      of.influx().get().addTo(metrics);
    }
    return new Response(200, Metrics.CONTENT_TYPE, metrics.text());
  }
}

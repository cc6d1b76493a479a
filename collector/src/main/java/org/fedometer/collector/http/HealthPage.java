package org.fedometer.collector.http;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.fedometer.collector.influx.InfluxSender;
import org.fedometer.collector.segmentlog.SegmentLogStats;
import org.fedometer.store.DiskSpace;

/** Reports the collector's health: 200, or 503 if it cannot store received data. */
final class HealthPage implements Page {
  private static final JsonMapper JSON = new JsonMapper();

  private final CollectorPages of;

  HealthPage(CollectorPages of) {
    this.of = of;
  }

  @Override
  public Response handle(Request request) throws IOException {
    SegmentLogStats segmentLog = of.segmentLog().get();
    OptionalLong free = DiskSpace.freeBytes(of.store());
    // A disk of unknown size may have space; the segment log reports failed writes.
    boolean storeIsFull = free.isPresent() && free.getAsLong() == 0;
    boolean writes =
        segmentLog.running()
            && segmentLog.runsNotWritable() == 0
            && Files.isDirectory(of.store())
            && !storeIsFull;
    ObjectNode health =
        JSON.createObjectNode()
            .put(
                "state",
                !writes ? "cannot-write" : segmentLog.failures().isEmpty() ? "ok" : "degraded");
    if (request.trusted()) {
      health
          .put("version", of.version())
          .put("store", of.store().toString())
          .put("storeFreeBytes", free.isPresent() ? free.getAsLong() : null)
          .put("runsOpen", segmentLog.runsOpen())
          .put("sourcesConnected", segmentLog.sourcesConnected())
          .put(
              "secondsSinceDurable",
              TimeUnit.NANOSECONDS.toSeconds(segmentLog.nanosSinceDurable()));
      ObjectNode failures = health.putObject("failures");
      new TreeMap<>(segmentLog.failures()).forEach(failures::put);
      if (of.influx() != null) {
        InfluxSender.Status influx = of.influx().get();
        health
            .putObject("influx")
            .put("pointsSent", influx.sent())
            .put("pointsDropped", influx.dropped())
            .put("pointsRefused", influx.refused())
            .put("pointsWaiting", influx.queuedPoints())
            .put("failure", influx.failureReason());
      }
    }
    return new Response(
        writes ? 200 : 503, "application/json; charset=utf-8", JSON.writeValueAsBytes(health));
  }
}

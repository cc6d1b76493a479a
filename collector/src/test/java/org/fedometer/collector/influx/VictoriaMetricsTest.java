package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.collector.LiveOptions;
import org.fedometer.collector.RunQueries;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real server with the write API of InfluxDB 2.x has the same series as the store. */
@Timeout(120)
class VictoriaMetricsTest {
  @TempDir Path store;
  @TempDir Path folder;

  @Test
  void theSecondApiBringsTheSameSeriesLiveAndByExport() throws Exception {
    try (ServerProcess server = ServerProcess.victoriaMetrics(folder)) {
      InfluxTarget target =
          new InfluxTarget(
              server.url(), new InfluxTarget.Bucket("fedometer", "example", "a-token"));
      long began;
      try (CollectorServer collector =
              CollectorServer.start(
                  CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store)
                      .withLive(LiveOptions.to(target)));
          ExampleRun source = ExampleRun.connect(collector.address(), "live")) {
        began = source.beganEpochMillis();
        source.document("done", "zgc");
        source.seconds(60, 30);
        assertThat(source.awaitAcknowledgement()).isTrue();
      }
      List<String> counts =
          RunQueries.rows(
              store,
              "live",
              "SELECT stage, begin_epoch_seconds * 1000, sum(count)::BIGINT FROM rollups GROUP BY"
                  + " ALL");

      assertThat(series(server, "fedometer_stages_count", "stage"))
          .containsExactlyInAnyOrderElementsOf(counts);
      assertThat(series(server, "fedometer_telemetry_value", "metric"))
          .hasSize(30 * ExampleRun.METRICS.size());
      assertThat(series(server, "fedometer_gc_duration_nanos", "collector")).hasSize(6);
      assertThat(series(server, "fedometer_runs_objects_ingested", "choice_gc"))
          .containsExactly("zgc|" + began + "|299");

      InfluxExport.Result result = new InfluxExport(target).write(RunStore.at(store).run("live"));
      assertThat(result.refused()).isZero();
      assertThat(series(server, "fedometer_stages_count", "stage"))
          .containsExactlyInAnyOrderElementsOf(counts);
    }
  }

  /**
   * Returns each value as "tag|epoch milliseconds|value". Both versions of a resent point are kept
   * here; the later has the larger value.
   */
  private static List<String> series(ServerProcess server, String name, String tag)
      throws Exception {
    server.request("/internal/force_flush");
    Map<String, Long> values = new TreeMap<>();
    for (String line : server.request("/api/v1/export", "match[]", name).lines().toList()) {
      JsonNode series = new JsonMapper().readTree(line);
      assertThat(series.get("metric").get("run").asText()).isEqualTo("live");
      for (int i = 0; i < series.get("values").size(); i++) {
        values.merge(
            series.get("metric").get(tag).asText() + "|" + series.get("timestamps").get(i).asLong(),
            series.get("values").get(i).asLong(),
            Math::max);
      }
    }
    return values.entrySet().stream().map(each -> each.getKey() + "|" + each.getValue()).toList();
  }
}

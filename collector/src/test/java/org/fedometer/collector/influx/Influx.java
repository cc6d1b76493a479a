package org.fedometer.collector.influx;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Asks an InfluxDB 1.x in InfluxQL, as Grafana does. */
public final class Influx {
  public static final String DATABASE = "fedometer";
  private static final JsonMapper JSON = new JsonMapper();

  private final ServerProcess server;

  private Influx(ServerProcess server) {
    this.server = server;
  }

  /** With an empty database. */
  public static Influx withDatabase(ServerProcess server) throws Exception {
    server.order("/query", "q", "CREATE DATABASE " + DATABASE);
    return new Influx(server);
  }

  InfluxTarget target() {
    return new InfluxTarget(server.url(), new InfluxTarget.Database(DATABASE, "", "", ""));
  }

  /** Each row by column, with nanoseconds as "time"; the tags of a series are columns, too. */
  public List<Map<String, String>> rows(String influxQl) throws Exception {
    JsonNode answer =
        JSON.readTree(server.request("/query", "db", DATABASE, "epoch", "ns", "q", influxQl));
    List<Map<String, String>> rows = new ArrayList<>();
    for (JsonNode result : answer.get("results")) {
      if (result.has("error")) {
        throw new AssertionError(influxQl + ": " + result.get("error"));
      }
      for (JsonNode series : result.path("series")) {
        for (JsonNode values : series.path("values")) {
          Map<String, String> row = new TreeMap<>();
          series
              .path("tags")
              .properties()
              .forEach(tag -> row.put(tag.getKey(), text(tag.getValue())));
          for (int i = 0; i < values.size(); i++) {
            row.put(series.get("columns").get(i).asText(), text(values.get(i)));
          }
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private static String text(JsonNode value) {
    return value.isNull() ? "" : value.asText();
  }
}

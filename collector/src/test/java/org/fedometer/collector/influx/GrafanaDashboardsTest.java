package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each panel of each dashboard gets rows from a real InfluxDB that two runs were exported to. */
@Timeout(120)
class GrafanaDashboardsTest {
  private static final Path DASHBOARDS = Path.of("grafana");
  private static final String DATA_SOURCE = "${datasource}";
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");

  private static final Pattern IN_BRACES = Pattern.compile("\\$\\{(\\w+)");

  @TempDir static Path folder;
  private static ServerProcess server;
  private static Influx influx;

  @BeforeAll
  static void export() throws Exception {
    server = ServerProcess.influxDb(folder, false);
    influx = Influx.withDatabase(server);
    Path store = folder.resolve("store");
    try (CollectorServer collector =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store))) {
      for (String run : List.of("with-g1.2", "with-zgc")) {
        try (ExampleRun source = ExampleRun.connect(collector.address(), run)) {
          source.document("done", run.substring(5));
          source.seconds(60, 50);
          assertThat(source.awaitAcknowledgement()).isTrue();
        }
      }
    }
    for (String run : List.of("with-g1.2", "with-zgc")) {
      new InfluxExport(influx.target()).write(RunStore.at(store).run(run));
    }
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  static Stream<Path> dashboards() throws IOException {
    try (Stream<Path> files = Files.list(DASHBOARDS)) {
      List<Path> dashboards = files.sorted().toList();
      assertThat(dashboards)
          .extracting(file -> file.getFileName().toString())
          .containsExactly("compare.json", "jvm.json", "latency.json", "runs.json", "stages.json");
      return dashboards.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void everyQueryGetsRows(Path file) throws Exception {
    JsonNode dashboard = new JsonMapper().readTree(file.toFile());
    Map<String, String> values = new LinkedHashMap<>();
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      if (variable.get("type").asText().equals("datasource")) {
        continue;
      }
      values.put(variable.get("name").asText(), valueOf(variable, values));
    }
    if (values.containsKey("run_b")) {
      values.put("run_b", "with-zgc");
    }

    int queries = 0;
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        String query = substituted(target.get("query").asText(), values);
        List<Map<String, String>> rows = influx.rows(query);
        assertThat(rows)
            .as("%s: %s: %s", file, panel.get("title"), query)
            .anyMatch(GrafanaDashboardsTest::hasRows);
        queries++;
      }
    }
    assertThat(queries).isGreaterThanOrEqualTo(5);
  }

  /** Provisioning refuses a folder with two dashboards of one title or uid. */
  @Test
  void dashboardNamesAreUnique() throws Exception {
    Set<String> names = new HashSet<>();
    for (Path file : dashboards().toList()) {
      JsonNode dashboard = new JsonMapper().readTree(file.toFile());
      assertThat(names.add(dashboard.get("uid").asText())).isTrue();
      assertThat(names.add(dashboard.get("title").asText())).isTrue();
    }
  }

  @Test
  void aChoiceOfReadingsEmptiesNoPanelOfCollectionsNorTheOtherWayRound() throws Exception {
    JsonNode jvm = new JsonMapper().readTree(DASHBOARDS.resolve("jvm.json").toFile());
    for (JsonNode panel : jvm.get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        String query = target.get("query").asText();
        assertThat(query.contains("$gc_source")).isEqualTo(query.contains("fedometer_gc"));
        assertThat(query.contains("$source")).isEqualTo(query.contains("fedometer_telemetry"));
      }
    }
  }

  /** More than the time and tags that were grouped by. */
  private static boolean hasRows(Map<String, String> row) {
    Set<String> fields = new HashSet<>(row.keySet());
    fields.removeAll(
        Set.of("time", "run", "stage", "metric", "profile", "dataset", "collector", "cause"));
    return fields.stream().anyMatch(field -> !row.get(field).isEmpty());
  }

  /** Returns Grafana's default: all, where offered, else the first of the list. */
  private static String valueOf(JsonNode variable, Map<String, String> others) throws Exception {
    String name = variable.get("name").asText();
    assertThat(variable.get("type").asText()).isEqualTo("query");
    assertThat(variable.at("/datasource/uid").asText()).isEqualTo(DATA_SOURCE);
    List<Map<String, String>> rows =
        influx.rows(substituted(variable.get("query").asText(), others));
    assertThat(rows).as("choices of %s", name).isNotEmpty();
    return variable.get("includeAll").asBoolean()
        ? variable.get("allValue").asText()
        : rows.get(0).get("value");
  }

  /** As Grafana puts them in for InfluxQL, in texts and in regular expressions. */
  private static String substituted(String query, Map<String, String> values) {
    long now = System.currentTimeMillis();
    long from = now - Duration.ofHours(1).toMillis();
    String result =
        query
            .replace("$timeFilter", "time >= " + from + "ms and time <= " + now + "ms")
            .replace("$__interval", "10s");
    for (String name :
        values.keySet().stream().sorted((a, b) -> b.length() - a.length()).toList()) {
      result = result.replace("$" + name, values.get(name));
    }
    assertThat(VARIABLE.matcher(result).results().map(found -> found.group(1)))
        .as("variables without a value in %s", query)
        .isEmpty();
    return result;
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void aDashboardCanBeImportedIntoAnyGrafanaAndProvisionedFromAFolder(Path file) throws Exception {
    JsonNode dashboard = new JsonMapper().readTree(file.toFile());
    assertThat(dashboard.get("id").isNull()).isTrue();
    assertThat(dashboard.get("uid").asText()).startsWith("fedometer-").hasSizeLessThanOrEqualTo(40);
    assertThat(dashboard.get("title").asText()).startsWith("Fedometer: ");
    // Provisioning fills in no inputs: placeholders of an import would stay.
    assertThat(dashboard.has("__inputs")).isFalse();
    JsonNode chosen = dashboard.at("/templating/list/0");
    assertThat(chosen.get("name").asText()).isEqualTo("datasource");
    assertThat(chosen.get("type").asText()).isEqualTo("datasource");
    assertThat(chosen.get("query").asText()).isEqualTo("influxdb");
    Set<String> variables = new HashSet<>();
    dashboard.at("/templating/list").forEach(one -> variables.add(one.get("name").asText()));
    assertThat(IN_BRACES.matcher(Files.readString(file)).results().map(found -> found.group(1)))
        .isSubsetOf(variables);
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      assertThat(ids.add(panel.get("id").asInt())).isTrue();
      assertThat(panel.at("/datasource/uid").asText()).isEqualTo(DATA_SOURCE);
      assertThat(panel.at("/gridPos/x").asInt() + panel.at("/gridPos/w").asInt())
          .isLessThanOrEqualTo(24);
      Set<String> references = new HashSet<>();
      for (JsonNode target : panel.get("targets")) {
        assertThat(references.add(target.get("refId").asText())).isTrue();
        assertThat(target.at("/datasource/uid").asText()).isEqualTo(DATA_SOURCE);
        assertThat(target.get("rawQuery").asBoolean()).isTrue();
      }
    }
  }
}

package org.fedometer.analysis.html;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fedometer.analysis.Figures;
import org.fedometer.analysis.html.HtmlTable.Cell;
import org.fedometer.analysis.report.ReportWords;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;

/**
 * By what a run can be made again, and what its figures may depend on: versions, commit, checksums,
 * profile, dataset, host, JVM. Pure.
 */
final class EnvironmentTables {
  private EnvironmentTables() {}

  static List<HtmlTable> of(RunDocument run, Optional<JsonNode> environment) {
    List<HtmlTable> tables = new ArrayList<>();
    tables.add(identity(run, environment));
    add(tables, pairs("profile", "Profile: choices and settings", profile(run.profile())));
    if (run.dataset() != null) {
      add(
          tables,
          pairs("dataset", "Dataset " + run.dataset().name(), map(run.dataset().parameters())));
    }
    add(tables, pairs("workload", "Workload", map(run.workload())));
    if (environment.isPresent()) {
      JsonNode known = environment.get();
      add(tables, pairs("host", "Host", texts(known.path("host"))));
      add(
          tables,
          pairs("moment", "What changes by itself, as the run began", texts(known.path("moment"))));
      add(tables, processes(known.path("processes")));
      add(tables, list("jvm-flags", "Flags of Fedora's JVM", known.path("jvm").path("flags")));
      add(tables, artifacts(known.path("artifacts")));
    } else {
      add(tables, pairs("host", "Host", map(run.environment())));
    }
    add(tables, phases(run));
    add(
        tables,
        paths(
            "configuration",
            "Configuration as used, in the run's folder",
            run.configurationFiles()));
    add(tables, paths("logs", "Logs, in the run's folder", run.logFiles()));
    return tables;
  }

  private static void add(List<HtmlTable> tables, HtmlTable table) {
    if (!table.isEmpty()) {
      tables.add(table);
    }
  }

  private static HtmlTable identity(RunDocument run, Optional<JsonNode> environment) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("run", run.name());
    put(facts, "ULID", run.id());
    put(facts, "started", run.started() == null ? null : ReportWords.timeOfDay(run.started()));
    put(facts, "ended", run.ended() == null ? null : ReportWords.timeOfDay(run.ended()));
    if (run.experiment() != null) {
      put(facts, "experiment", run.experiment().name());
    }
    if (run.imported() != null) {
      put(facts, "imported from", run.imported().file());
      put(facts, "SHA-256 of that file", run.imported().sha256());
    }
    facts.putAll(map(run.versions()));
    environment.ifPresent(
        known ->
            texts(known.path("tool"))
                .forEach((name, value) -> facts.putIfAbsent("fedometer." + name, value)));
    return pairs("traceability", "Run and versions", facts);
  }

  private static void put(Map<String, String> facts, String name, String value) {
    if (value != null) {
      facts.put(name, value);
    }
  }

  private static Map<String, String> profile(RunDocument.Profile profile) {
    Map<String, String> all = new LinkedHashMap<>();
    if (profile != null) {
      all.put("profile", profile.name());
      all.putAll(map(profile.choices()));
      new TreeMap<>(map(profile.settings())).forEach(all::putIfAbsent);
    }
    return all;
  }

  private static Map<String, String> map(Map<String, String> mapOrNull) {
    return mapOrNull == null ? Map.of() : mapOrNull;
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }

  private static HtmlTable pairs(String name, String caption, Map<String, String> pairs) {
    HtmlTable table = new HtmlTable(name, caption).text("name").text("value").tall();
    pairs.forEach((key, value) -> table.row(Cell.text(key), Cell.text(value).styled("text")));
    return table;
  }

  private static HtmlTable paths(String name, String caption, List<String> pathsOrNull) {
    HtmlTable table = new HtmlTable(name, caption).text("path").tall();
    if (pathsOrNull != null) {
      pathsOrNull.forEach(path -> table.row(Cell.text(path)));
    }
    return table;
  }

  private static HtmlTable list(String name, String caption, JsonNode list) {
    HtmlTable table = new HtmlTable(name, caption).text("flag").tall();
    list.forEach(each -> table.row(Cell.text(each.asText())));
    return table;
  }

  private static HtmlTable processes(JsonNode processes) {
    HtmlTable table =
        new HtmlTable("processes", "Processes: command lines and programs")
            .text("process")
            .text("command")
            .text("SHA-256 of the program")
            .tall();
    for (JsonNode process : processes) {
      List<String> words = new ArrayList<>();
      process.path("command").forEach(word -> words.add(word.asText()));
      table.row(
          Cell.text(process.path("role").asText()),
          Cell.text(String.join(" ", words)).styled("text"),
          Cell.text(process.path("programSha256").asText()).styled("text"));
    }
    return table;
  }

  private static HtmlTable artifacts(JsonNode artifacts) {
    HtmlTable table =
        new HtmlTable("artifacts", "Artifacts and their checksums")
            .text("file")
            .text("part")
            .text("coordinates")
            .text("SHA-256")
            .tall();
    for (JsonNode artifact : artifacts) {
      table.row(
          Cell.text(artifact.path("file").asText()),
          Cell.text(artifact.path("part").asText()),
          Cell.text(artifact.path("coordinates").asText("")),
          Cell.text(artifact.path("sha256").asText()).styled("text"));
    }
    return table;
  }

  private static HtmlTable phases(RunDocument run) {
    HtmlTable table =
        new HtmlTable("phases", "Phases of the run").text("phase").number("took", "s");
    if (run.phases() != null) {
      for (RunDocument.Phase phase : run.phases()) {
        if (phase.endNanos() > phase.startNanos()) {
          long nanos = LoadTime.of(phase, run);
          table.row(Cell.text(phase.name()), Cell.number(Figures.duration(nanos), nanos / 1e9));
        }
      }
    }
    return table;
  }
}

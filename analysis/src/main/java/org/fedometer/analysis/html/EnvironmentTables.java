package org.fedometer.analysis.html;

import static org.fedometer.analysis.compare.EnvironmentDocument.members;
import static org.fedometer.analysis.compare.EnvironmentDocument.texts;

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
    tables.add(pairs("profile", "Profile: choices and settings", profile(run.profile())));
    if (run.dataset() != null) {
      tables.add(
          pairs("dataset", "Dataset " + run.dataset().name(), map(run.dataset().parameters())));
    }
    tables.add(pairs("workload", "Workload", run.workload()));
    if (environment.isPresent()) {
      JsonNode known = environment.get();
      tables.add(pairs("host", "Host", members(known.path("host"))));
      tables.add(
          pairs(
              "moment", "What changes by itself, as the run began", members(known.path("moment"))));
      tables.add(processes(known.path("processes")));
      List<String> flags = texts(known.path("jvm").path("flags"));
      tables.add(list("jvm-flags", "Flags of Fedora's JVM", "flag", flags));
      tables.add(artifacts(known.path("artifacts")));
    } else {
      tables.add(pairs("host", "Host", run.environment()));
    }
    tables.add(phases(run));
    String files = "Configuration as used, in the run's folder";
    tables.add(list("configuration", files, "path", run.configurationFiles()));
    tables.add(list("logs", "Logs, in the run's folder", "path", run.logFiles()));
    tables.removeIf(HtmlTable::isEmpty);
    return tables;
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
    facts.putAll(run.versions());
    environment.ifPresent(
        known ->
            members(known.path("tool"))
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

  private static HtmlTable pairs(String name, String caption, Map<String, String> pairs) {
    HtmlTable table = new HtmlTable(name, caption).text("name").text("value").tall();
    pairs.forEach((key, value) -> table.row(Cell.text(key), Cell.text(value).styled("text")));
    return table;
  }

  private static HtmlTable list(String name, String caption, String title, List<String> list) {
    HtmlTable table = new HtmlTable(name, caption).text(title).tall();
    list.forEach(each -> table.row(Cell.text(each)));
    return table;
  }

  private static HtmlTable processes(JsonNode processes) {
    HtmlTable table =
        new HtmlTable("processes", "Processes: command lines and programs")
            .text("process", "command", "SHA-256 of the program")
            .tall();
    for (JsonNode process : processes) {
      table.row(
          Cell.text(process.path("role").asText()),
          Cell.text(String.join(" ", texts(process.path("command")))).styled("text"),
          Cell.text(process.path("programSha256").asText()).styled("text"));
    }
    return table;
  }

  private static HtmlTable artifacts(JsonNode artifacts) {
    HtmlTable table =
        new HtmlTable("artifacts", "Artifacts and their checksums")
            .text("file", "part", "coordinates", "SHA-256")
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
    HtmlTable table = new HtmlTable("phases", "Phases of the run").text("phase").seconds("took");
    for (RunDocument.Phase phase : run.phases()) {
      if (phase.endNanos() > phase.startNanos()) {
        long nanos = LoadTime.of(phase, run);
        table.row(Cell.text(phase.name()), Cell.number(Figures.duration(nanos), nanos / 1e9));
      }
    }
    return table;
  }
}

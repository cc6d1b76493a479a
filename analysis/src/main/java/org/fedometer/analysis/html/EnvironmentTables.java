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
import org.fedometer.analysis.report.ReportSummary;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Table;
import org.fedometer.store.LoadTime;
import org.fedometer.store.RunDocument;

/**
 * Creates tables to reproduce a run, with all that may affect its results: versions, commit,
 * checksums, profile, dataset, host, JVM. Pure.
 */
final class EnvironmentTables {
  private EnvironmentTables() {}

  static List<Table<?>> of(RunDocument run, Optional<JsonNode> environment) {
    List<Table<?>> tables = new ArrayList<>();
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
              "moment",
              "State of the machine at the start of the run",
              members(known.path("moment"))));
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
    tables.removeIf(Table::isEmpty);
    return tables;
  }

  private static Table<?> identity(RunDocument run, Optional<JsonNode> environment) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("run", run.name());
    put(facts, "ULID", run.id());
    put(facts, "started", run.started() == null ? null : ReportSummary.timeOfDay(run.started()));
    put(facts, "ended", run.ended() == null ? null : ReportSummary.timeOfDay(run.ended()));
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

  private static Table<?> pairs(String name, String caption, Map<String, String> pairs) {
    return new Table<Map.Entry<String, String>>(name, caption)
        .text("name", Map.Entry::getKey)
        .prose("value", Map.Entry::getValue)
        .tall()
        .rows(pairs.entrySet());
  }

  private static Table<?> list(String name, String caption, String title, List<String> list) {
    return new Table<String>(name, caption).text(title, each -> each).tall().rows(list);
  }

  private static Table<?> processes(JsonNode processes) {
    return new Table<JsonNode>("processes", "Processes: command lines and programs")
        .text("process", process -> process.path("role").asText())
        .prose("command", process -> String.join(" ", texts(process.path("command"))))
        .prose("SHA-256 of the program", process -> process.path("programSha256").asText())
        .tall()
        .rows(elements(processes));
  }

  private static Table<?> artifacts(JsonNode artifacts) {
    return new Table<JsonNode>("artifacts", "Artifacts and their checksums")
        .text("file", artifact -> artifact.path("file").asText())
        .text("part", artifact -> artifact.path("part").asText())
        .text("coordinates", artifact -> artifact.path("coordinates").asText(""))
        .prose("SHA-256", artifact -> artifact.path("sha256").asText())
        .tall()
        .rows(elements(artifacts));
  }

  private static List<JsonNode> elements(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements;
  }

  private static Table<?> phases(RunDocument run) {
    return new Table<RunDocument.Phase>("phases", "Phases of the run")
        .text("phase", RunDocument.Phase::name)
        .seconds("took", phase -> Cell.seconds(LoadTime.of(phase, run)))
        .rows(
            run.phases().stream().filter(phase -> phase.endNanos() > phase.startNanos()).toList());
  }
}

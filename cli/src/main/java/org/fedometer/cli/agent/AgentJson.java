package org.fedometer.cli.agent;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.cli.terminal.StandardOutput;
import org.fedometer.wire.session.AgentReport;

/** Formats agents' reports for {@code --json}. */
final class AgentJson {
  private AgentJson() {}

  static String of(long pid, AgentReport report) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pid", pid);
    fields.put("message", report.message());
    fields.putAll(new AgentFacts(report.facts()).json());
    fields.putAll(stagesAndCaptures(report.stages(), report.captures()));
    return StandardOutput.indented(fields);
  }

  static Map<String, Object> stagesAndCaptures(
      List<AgentReport.Stage> stages, List<AgentReport.Stage> captures) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("stages", stages.stream().map(stage -> state("stage", stage)).toList());
    fields.put("captures", captures.stream().map(capture -> state("capture", capture)).toList());
    return fields;
  }

  private static Map<String, String> state(String kind, AgentReport.Stage stage) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put(kind, stage.name());
    fields.put("state", stage.weaving().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    fields.put("detail", stage.detail());
    return fields;
  }
}

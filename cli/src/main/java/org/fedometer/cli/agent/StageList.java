package org.fedometer.cli.agent;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.profiles.Spelling;

/** Fedometer's stages, for text and JSON. Immutable. */
final class StageList {
  private static final String PAGE = "docs/stages.md";

  private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");

  private final List<Stage> stages;

  private record Stage(String name, String group, List<String> methods) {
    Map<String, Object> asJson() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("name", name);
      all.put("group", group);
      all.put("methods", methods);
      return all;
    }
  }

  private StageList(List<Stage> stages) {
    this.stages = stages;
  }

  /**
   * @param groups timed methods, by group, then by name of the stage
   */
  static StageList of(Map<String, Map<String, List<String>>> groups) {
    List<Stage> stages = new ArrayList<>();
    groups.forEach(
        (group, stagesOfGroup) ->
            stagesOfGroup.forEach((name, methods) -> stages.add(new Stage(name, group, methods))));
    return new StageList(List.copyOf(stages));
  }

  List<Map<String, Object>> asJson() {
    return stages.stream().map(Stage::asJson).toList();
  }

  /** Prints all stages; classes without packages, so that lines apply to all Fedora versions. */
  void print(PrintStream out) {
    List<List<String>> rows = new ArrayList<>();
    for (Stage stage : stages) {
      String name = stage.name();
      String group = stage.group();
      for (String method : withoutPackages(stage.methods())) {
        rows.add(List.of(name, group, method));
        name = "";
        group = "";
      }
    }
    PlainTable.uncut(rows, "STAGE", "GROUP", "METHODS").print(out);
  }

  private static List<String> withoutPackages(List<String> methods) {
    return methods.stream()
        .map(method -> PACKAGE.matcher(method).replaceAll(""))
        .distinct()
        .toList();
  }

  /**
   * @throws IllegalArgumentException if there is none of that name; the message suggests similar
   *     ones
   */
  Map<String, Object> asJson(String name) {
    Map<String, Object> all = stage(name).asJson();
    all.put("page", PAGE);
    return all;
  }

  /**
   * @throws IllegalArgumentException if there is none of that name; the message suggests similar
   *     ones
   */
  void print(String name, PrintStream out) {
    Stage stage = stage(name);
    out.println(stage.name() + ": " + stage.group());
    out.println();
    PlainTable.uncut(stage.methods()).left("METHODS", method -> method).print(out);
    out.println();
    out.println("See also " + PAGE + ".");
  }

  private Stage stage(String name) {
    return stages.stream()
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknownStageMessage(name)));
  }

  /** Suggests similar names only, since there are too many stages. */
  private String unknownStageMessage(String name) {
    List<String> similar = Spelling.nearest(name, stages.stream().map(Stage::name).toList());
    return "no stage is called '"
        + name
        + "'"
        + (similar.isEmpty()
            ? "; 'fedometer stage list' lists them"
            : Spelling.suggestion(similar));
  }
}

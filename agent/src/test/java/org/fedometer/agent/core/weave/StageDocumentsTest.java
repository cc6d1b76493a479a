package org.fedometer.agent.core.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.fedometer.aspects.Described;
import org.junit.jupiter.api.Test;

/**
 * Documents and the golden list must match the aspects. Otherwise a corrected file is written to
 * {@code agent/target}, to be checked and copied.
 */
class StageDocumentsTest {

  /** In the words of {@link TimedMethods}; and a class. */
  private static final Pattern METHOD =
      Pattern.compile("(?<![\\w.*])(?!(?:call|of|in|but|not|until) )[\\w.*]+(?:\\([^)]*\\))?");

  private final WeavingPlan plan = WeavingPlan.load(CustomStages.none());
  private final Map<String, Map<String, List<String>>> groups = new StageCatalogue().get();

  StageDocumentsTest() throws Exception {}

  @Test
  void theManualHasARowForEachStageInTheSectionOfItsGroup() throws Exception {
    String manual = Files.readString(Path.of("../docs/stages.md"));
    for (Map.Entry<String, Map<String, List<String>>> group : groups.entrySet()) {
      List<String> rows = new ArrayList<>();
      for (Map.Entry<String, List<String>> stage : group.getValue().entrySet()) {
        Described in = described(stage.getKey());
        rows.add(
            "| `%s` | %s | %s | %s | %s | %s |\n"
                .formatted(
                    stage.getKey(),
                    in.value(),
                    where(stage.getValue()),
                    in.versions(),
                    in.calls(),
                    in.knob()));
      }
      String table = "(\n## " + group.getKey() + "\n\n[^\n]*\n[^\n]*\n)(?:\\| `[^\n]*\n)*";
      assertThat(manual).as("docs/stages.md needs this section").containsPattern(table);
      manual = manual.replaceFirst(table, "$1" + Matcher.quoteReplacement(String.join("", rows)));
    }
    assertWritten("../docs/stages.md", manual);
  }

  @Test
  void theGoldenListHasEachStageOfAnIngest() throws Exception {
    String golden = "../cli/src/test/resources/org/fedometer/cli/golden-stages.csv";
    String head = Files.readAllLines(Path.of(golden)).get(0);
    Map<String, String> rows = new TreeMap<>();
    for (PlannedStage stage : plan.stages()) {
      Described in = described(stage.name());
      int[] calls = in.golden();
      if (calls.length == 0) {
        calls = new int[head.split(",").length - 1];
        Arrays.fill(calls, in.calls().matches("\\d+") ? Integer.parseInt(in.calls()) : 0);
      }
      if (Arrays.stream(calls).anyMatch(count -> count > 0)) {
        rows.put(
            stage.name(),
            Arrays.stream(calls).mapToObj(count -> "," + count).collect(Collectors.joining()));
      }
    }
    StringBuilder list = new StringBuilder(head + "\n");
    rows.forEach((stage, calls) -> list.append(stage).append(calls).append('\n'));
    assertWritten(golden, list.toString());
  }

  @Test
  void pagesHaveTheCountsOfStagesAndOfClasses() throws Exception {
    // The other targets have these names up to Fedora 3.3.
    long since34 =
        plan.targets().stream().filter(name -> !name.matches("(melcoe[.])?fedora[.].*")).count();

    String changes = Files.readString(Path.of("../CHANGELOG.md"));
    assertWritten(
        "../CHANGELOG.md",
        changes.replaceFirst("- \\d+ stages", "- " + plan.stages().size() + " stages"));
    String attach = Files.readString(Path.of("../docs/attach-in-production.md"));
    assertThat(attach).containsPattern("up to \\d+ classes");
    assertWritten(
        "../docs/attach-in-production.md",
        attach.replaceFirst("up to \\d+ classes", "up to " + since34 + " classes"));
  }

  /** The weaver processes only targets; this test uses AspectJ's own pointcut parser. */
  @Test
  void everyClassThatAStageIsInIsATarget() {
    Map<String, List<String>> methods = new TreeMap<>();
    groups.values().forEach(methods::putAll);
    for (PlannedStage stage : plan.stages()) {
      List<String> classes = new ArrayList<>();
      for (String method : methods.get(stage.name())) {
        METHOD
            .matcher(method.replaceFirst("call of [^( ]+(\\([^)]*\\))?", ""))
            .results()
            .map(match -> match.group().replaceFirst("\\(.*", ""))
            .map(name -> name.replaceFirst("[.][a-z_*][\\w*]*$", ""))
            .filter(name -> name.contains("."))
            .forEach(classes::add);
      }
      assertThat(stage.targets()).as(stage.name()).hasSameElementsAs(classes);
      assertThat(plan.targets()).containsAll(classes);
    }
  }

  private Described described(String stage) throws Exception {
    for (PlannedStage planned : plan.stages()) {
      if (planned.name().equals(stage)) {
        Described described = Class.forName(planned.aspect()).getAnnotation(Described.class);
        assertThat(described).as("@Described of " + planned.aspect()).isNotNull();
        return described;
      }
    }
    throw new IllegalArgumentException(stage);
  }

  /** Without those of Fedora up to 3.3, which are the same, and without what the one before has. */
  private static String where(List<String> methods) {
    List<String> places = new ArrayList<>();
    String before = "";
    for (String method : methods) {
      if (method.matches("(.* )?fedora[.].*")) {
        continue;
      }
      String place = method.replace("org.fcrepo.server.", "S.");
      int called = place.lastIndexOf(" in ");
      int type = place.replaceFirst("\\(.*", "").lastIndexOf('.');
      String self = place.substring(0, called > 0 ? called + 1 : type + 1);
      String text = self.equals(before) ? place.substring(self.length()) : place;
      places.add(METHOD.matcher(text).replaceAll(name -> "`" + name.group() + "`"));
      before = self;
    }
    return String.join(", ", places);
  }

  private static void assertWritten(String document, String expected) throws IOException {
    Path path = Path.of(document);
    Path anew = Path.of("target").resolve(path.getFileName());
    if (!Files.readString(path).equals(expected)) {
      Files.writeString(anew, expected);
    }
    assertThat(path).as("replace it with agent/" + anew).hasContent(expected);
  }
}

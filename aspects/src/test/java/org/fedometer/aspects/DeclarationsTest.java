package org.fedometer.aspects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.aspects.recorder.Stages;
import org.junit.jupiter.api.Test;

/**
 * The list of what is woven where must say what the aspects say: a class that is not on it is never
 * shown to the weaver.
 */
class DeclarationsTest {

  private static final Path ASPECTS = Path.of("src/main/aspectj/org/fedometer/aspects");
  private static final Path MANUAL = Path.of("../docs/stages.md");
  private static final Path DECLARATIONS = Path.of("src/main/resources/META-INF/fedometer-aop.xml");

  @Test
  void namesEveryAspect() throws IOException {
    Set<String> written = new TreeSet<>();
    for (Path file : aspectFiles()) {
      String unit = file.getFileName().toString().replace(".aj", "");
      for (String aspect : found("public static aspect (\\w+)", Files.readString(file))) {
        written.add("org.fedometer.aspects." + unit + "$" + aspect);
      }
    }
    assertThat(found("<aspect name=\"([^\"]+)\"", Files.readString(DECLARATIONS)))
        .isEqualTo(written);
  }

  @Test
  void namesEveryClassThatAPointcutNames() throws IOException {
    Set<String> written = new TreeSet<>();
    for (Path file : aspectFiles()) {
      written.addAll(found("execution\\(\\* ([\\w.]+)\\.\\w+\\(", Files.readString(file)));
      written.addAll(found("within\\(([\\w.]+)\\)", Files.readString(file)));
    }
    assertThat(found("<include within=\"([^\"]+)\"", Files.readString(DECLARATIONS)))
        .isEqualTo(written);
  }

  @Test
  void everyAspectComesToLifeAndItsStageHasANumber() throws Exception {
    for (String name : found("<aspect name=\"([^\"]+)\"", Files.readString(DECLARATIONS))) {
      Object aspect = Class.forName(name).getMethod("aspectOf").invoke(null);
      if (aspect instanceof TimedStage stage) {
        assertThat(stage.stageName()).matches("[a-z]+([.-][a-z]+)*");
        assertThat(Stages.names()).contains(stage.stageName());
      }
    }
  }

  @Test
  void theManualExplainsEveryStageAndNoOther() throws IOException {
    Set<String> written = new TreeSet<>();
    for (Path file : aspectFiles()) {
      written.addAll(found("super\\(\"([^\"]+)\"\\)", Files.readString(file)));
    }
    assertThat(found("(?m)^\\| `([^`]+)` \\|", Files.readString(MANUAL))).isEqualTo(written);
  }

  private static List<Path> aspectFiles() throws IOException {
    try (Stream<Path> files = Files.list(ASPECTS)) {
      return files.filter(file -> file.toString().endsWith("Stages.aj")).toList();
    }
  }

  private static Set<String> found(String pattern, String text) {
    Set<String> all = new TreeSet<>();
    Pattern.compile(pattern).matcher(text).results().forEach(match -> all.add(match.group(1)));
    return all;
  }
}

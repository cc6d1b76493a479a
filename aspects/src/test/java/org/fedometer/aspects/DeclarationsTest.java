package org.fedometer.aspects;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.aspects.recorder.Stages;
import org.junit.jupiter.api.Test;

/** Checks the declarations that the build and the agent read from the aspects, and their style. */
class DeclarationsTest {

  private static final Path ASPECTS = Path.of("src/main/aspectj/org/fedometer/aspects");

  /** New in Fedora 3.4 or later, or in another package before. */
  private static final Set<String> NOT_UP_TO_33 =
      Set.of(
          "org.fcrepo.server.jaas.AuthFilterJAAS",
          "org.fcrepo.server.security.jaas.AuthFilterJAAS",
          "org.fcrepo.server.security.xacml.pep.ContextHandlerImpl",
          "org.fcrepo.server.security.impl.DefaultPolicyEnforcementPoint",
          "org.fcrepo.server.rest.FedoraObjectsResource",
          "org.fcrepo.server.rest.RelationshipResource",
          "org.fcrepo.server.rest.DescribeRepositoryResource",
          "org.fcrepo.server.rest.SchemaResource",
          "org.fcrepo.server.upload.UploadResource",
          "org.fcrepo.server.management.FedoraAPIMImpl",
          "org.fcrepo.server.management.FedoraAPIMMTOMImpl",
          "org.fcrepo.server.access.FedoraAPIAImpl",
          "org.fcrepo.server.access.FedoraAPIAMTOMImpl",
          "org.fcrepo.server.validation.DOObjectValidatorModule",
          "org.fcrepo.server.storage.translation.handlers.FOXMLContentHandler",
          "org.fcrepo.server.storage.translation.handlers.METSContentHandler");

  /** An aspect that is not on it is not woven; aspects/pom.xml has the files that it is made of. */
  @Test
  void theListThatTheBuildMakesNamesEveryAspect() throws IOException {
    Set<String> written = new TreeSet<>();
    for (Path file : aspectFiles()) {
      String unit = file.getFileName().toString().replace(".aj", "");
      for (String aspect : found("public static aspect (\\w+)", Files.readString(file))) {
        written.add("org.fedometer.aspects." + unit + "$" + aspect);
      }
    }
    assertThat(listed()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(written);
  }

  /** So that one pointcut is for all versions; what came later, or is not Fedora's, is listed. */
  @Test
  void namesEveryClassOfFedorasAsItIsCalledUpTo33AndSince() throws IOException {
    Set<String> classes = new TreeSet<>(classesInPointcuts().values());
    Set<String> older = new TreeSet<>(classes);
    older.removeIf(name -> !name.startsWith("fedora."));
    Set<String> newer = new TreeSet<>(classes);
    newer.removeIf(name -> !name.matches("org[.]fcrepo[.](server|oai)[.].*"));
    newer.removeAll(NOT_UP_TO_33);

    assertThat(older.stream().map(name -> name.replaceFirst("^fedora[.]", "org.fcrepo.")))
        .containsExactlyInAnyOrderElementsOf(newer);
    assertThat(classes).containsAll(NOT_UP_TO_33);
  }

  /** A thread has 128 numbers for stages, and its owner's own need some. */
  @Test
  void leavesNumbersForCustomStages() throws IOException {
    assertThat(stagesOfAspects()).hasSizeLessThanOrEqualTo(Stages.LIMIT * 3 / 4);
  }

  @Test
  void everyAspectComesToLifeAndItsStageHasANumber() throws Exception {
    for (String name : listed()) {
      Object aspect = Class.forName(name).getMethod("aspectOf").invoke(null);
      if (aspect instanceof TimedStage stage) {
        assertThat(stage.stageName()).matches("[a-z]+([.-][a-z]+)*");
        assertThat(Stages.names()).contains(stage.stageName());
      }
    }
  }

  /** Spotless does so for Java alone. */
  @Test
  void aspectsHaveNoLineOfMoreThan120CharactersNoTabAndNoBlankAtAnEnd() throws IOException {
    for (Path file : aspectFiles()) {
      assertThat(Files.readAllLines(file))
          .as(file.getFileName().toString())
          .noneMatch(line -> line.length() > 120 || line.contains("\t") || line.endsWith(" "));
    }
  }

  private static Set<String> stagesOfAspects() throws IOException {
    Set<String> stages = new TreeSet<>();
    for (Path file : aspectFiles()) {
      stages.addAll(found("super\\(\"([^\"]+)\"\\)", Files.readString(file)));
    }
    return stages;
  }

  private static List<Path> aspectFiles() throws IOException {
    try (Stream<Path> files = Files.list(ASPECTS)) {
      return files.filter(file -> file.toString().endsWith(".aj")).toList();
    }
  }

  private static List<String> listed() throws IOException {
    return Files.readAllLines(Path.of("target/classes/META-INF/fedometer-aspects"));
  }

  /**
   * Classes by the aspect's file; only the caller is woven, not the callee. The expressions match
   * today's style of pointcuts. If that changes, read the compiled aspects instead, which have
   * their pointcuts as values of annotations.
   */
  private static Map<String, String> classesInPointcuts() throws IOException {
    Map<String, String> classes = new TreeMap<>();
    for (Path file : aspectFiles()) {
      String text =
          Files.readString(file)
              .replaceAll("(?s)/[*].*?[*]/", "")
              .replaceAll("import [^;]+;", "")
              .replaceAll("\\bcall[(][^(]*?[(][^()]*[)][.\\w]+[(][^()]*[)][)]", "")
              .replaceAll("\\bcall[(][^()]*[(][^()]*[)][)]", "")
              .replaceAll("[\\w.]+[.]Context\\b", "");
      Matcher name = Pattern.compile("(?<![\\w.])(?:[a-z]\\w*[.])+[A-Z]\\w*").matcher(text);
      while (name.find()) {
        if (!name.group().startsWith("java.") && !name.group().startsWith("org.fedometer.")) {
          classes.put(file.getFileName() + ":" + name.start(), name.group());
        }
      }
    }
    return classes;
  }

  private static Set<String> found(String pattern, String text) {
    Set<String> all = new TreeSet<>();
    Pattern.compile(pattern).matcher(text).results().forEach(match -> all.add(match.group(1)));
    return all;
  }
}

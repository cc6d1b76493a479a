package org.fedometer.agent.core.weave;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.aspectj.weaver.loadtime.definition.DocumentParser;
import org.fedometer.aspects.TimedStage;

/**
 * Reads a user's {@code aop.xml}, whose concrete aspects are custom stages. Stateless, any thread.
 */
final class AopFile {

  private static final long MAX_BYTES = 1 << 20;

  private AopFile() {}

  /**
   * @param stages accepts each stage's name and pointcut, in the file's order
   * @param rejections accepts each concrete aspect that is no stage: its stage name, and one
   *     sentence
   * @throws IllegalArgumentException with one sentence: the file cannot be read, or has other
   *     content
   */
  static void read(
      Path path, BiConsumer<String, String> stages, BiConsumer<String, String> rejections) {
    File file = path.toFile();
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      throw new IllegalArgumentException(
          "aop=" + path + " is not a file that Fedora's user can read");
    }
    if (file.length() > MAX_BYTES) {
      throw new IllegalArgumentException("aop=" + path + " has more than " + MAX_BYTES + " bytes");
    }
    Definition definition;
    try {
      definition = DocumentParser.parse(file.toURI().toURL());
    } catch (Exception e) {
      throw new IllegalArgumentException("aop=" + path + " is not an aop.xml: " + e.getMessage());
    }
    requireStagesOnly(path, definition);
    if (definition.getConcreteAspects().isEmpty()) {
      throw new IllegalArgumentException(
          "aop=" + path + " has no <concrete-aspect>; see docs/custom-stages.md");
    }
    for (Definition.ConcreteAspect concrete : definition.getConcreteAspects()) {
      String stage = stageOf(concrete.name);
      try {
        stages.accept(stage, pointcutOf(path, concrete));
      } catch (IllegalArgumentException noStage) {
        rejections.accept(stage, noStage.getMessage());
      }
    }
  }

  private static void requireStagesOnly(Path path, Definition definition) {
    if (!definition.getAspectClassNames().isEmpty()) {
      throw new IllegalArgumentException(
          "aop="
              + path
              + " has <aspect name=\""
              + definition.getAspectClassNames().get(0)
              + "\"/>, a compiled aspect; only <concrete-aspect> is allowed");
    }
    if (!definition.getIncludePatterns().isEmpty()
        || !definition.getExcludePatterns().isEmpty()
        || !definition.getDumpPatterns().isEmpty()
        || !definition.getWeaverOptions().trim().isEmpty()) {
      throw new IllegalArgumentException(
          "aop="
              + path
              + " has a <weaver> with options or patterns; remove it, and write within(..) in the"
              + " pointcut");
    }
  }

  private static String pointcutOf(Path path, Definition.ConcreteAspect concrete) {
    String self = "aop=" + path + ": <concrete-aspect name=\"" + concrete.name + "\"> ";
    if (!TimedStage.class.getName().equals(concrete.extend)) {
      throw new IllegalArgumentException(
          self
              + "extends "
              + concrete.extend
              + "; a stage must extend "
              + TimedStage.class.getName());
    }
    if (concrete.precedence != null
        || concrete.perclause != null
        || !concrete.declareAnnotations.isEmpty()
        || !concrete.deows.isEmpty()
        || !concrete.pointcutsAndAdvice.isEmpty()) {
      throw new IllegalArgumentException(
          self + "has more than a pointcut; remove precedence, perclause, advice and declare");
    }
    if (concrete.pointcuts.size() != 1 || !concrete.pointcuts.get(0).name.equals("timed")) {
      throw new IllegalArgumentException(
          self + "needs exactly one <pointcut name=\"timed\" expression=\"...\"/>");
    }
    return concrete.pointcuts.get(0).expression;
  }

  /** Turns {@code my.FindReader} into {@code my.find-reader}. */
  static String stageOf(String aspect) {
    return aspect
        .replace('$', '.')
        .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
        .replaceAll("([A-Z])([A-Z][a-z])", "$1-$2")
        .toLowerCase(Locale.ROOT);
  }
}

package org.fedometer.agent.core.weave;

import java.io.FileNotFoundException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.aspectj.weaver.loadtime.definition.DocumentParser;
import org.fedometer.aspects.TimedStage;
import org.fedometer.aspects.recorder.Recorder;

/**
 * What to weave into which classes: the declarations beside the aspects, with every aspect brought
 * to life. Immutable.
 */
public final class WeavingPlan {

  private static final String DECLARATIONS = "/META-INF/fedometer-aop.xml";

  private final Definition definition;
  private final Set<String> targets;
  private final Set<String> internalNames;
  private final List<PlannedStage> stages;

  private WeavingPlan(Definition definition, Set<String> targets, List<PlannedStage> stages) {
    this.definition = definition;
    this.targets = Collections.unmodifiableSet(targets);
    this.internalNames = new LinkedHashSet<>();
    for (String target : targets) {
      internalNames.add(target.replace('.', '/'));
    }
    this.stages = Collections.unmodifiableList(stages);
  }

  /**
   * Reads the declarations and creates the aspects, so that a stage has its number, and a broken
   * aspect is found, before any code of Fedora's calls it.
   */
  public static WeavingPlan load() throws Exception {
    URL declarations = Recorder.class.getResource(DECLARATIONS);
    if (declarations == null) {
      throw new FileNotFoundException(DECLARATIONS + " is missing in the agent's jar");
    }
    Definition definition = DocumentParser.parse(declarations);
    Set<String> targets = new LinkedHashSet<>();
    for (Object pattern : (List<?>) definition.getIncludePatterns()) {
      targets.add(pattern.toString());
    }
    List<PlannedStage> stages = new ArrayList<>();
    for (Object name : (List<?>) definition.getAspectClassNames()) {
      Class<?> type = Class.forName(name.toString(), true, Recorder.class.getClassLoader());
      Object aspect = type.getMethod("aspectOf").invoke(null);
      if (aspect instanceof TimedStage) {
        stages.add(
            new PlannedStage(
                ((TimedStage) aspect).stageName(),
                type.getName(),
                Pointcuts.targetsOf(type, targets)));
      }
    }
    return new WeavingPlan(definition, targets, stages);
  }

  Definition definition() {
    return definition;
  }

  /** Whether a class, by its internal name ({@code a/b/C}), has a place to weave. */
  boolean concerns(String internalName) {
    return internalNames.contains(internalName);
  }

  /** Names of all classes that have a place to weave, of all versions of Fedora. */
  Set<String> targets() {
    return targets;
  }

  /** In the order of the declarations. */
  List<PlannedStage> stages() {
    return stages;
  }
}

package org.fedometer.agent.core.weave;

import java.io.FileNotFoundException;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
  private final Map<String, String> stageByAspect;

  private WeavingPlan(
      Definition definition, Set<String> targets, Map<String, String> stageByAspect) {
    this.definition = definition;
    this.targets = Collections.unmodifiableSet(targets);
    this.stageByAspect = Collections.unmodifiableMap(stageByAspect);
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
      targets.add(pattern.toString().replace('.', '/'));
    }
    Map<String, String> stageByAspect = new LinkedHashMap<>();
    for (Object name : (List<?>) definition.getAspectClassNames()) {
      Class<?> type = Class.forName(name.toString(), true, Recorder.class.getClassLoader());
      Object aspect = type.getMethod("aspectOf").invoke(null);
      if (aspect instanceof TimedStage) {
        stageByAspect.put(type.getName(), ((TimedStage) aspect).stageName());
      }
    }
    return new WeavingPlan(definition, targets, stageByAspect);
  }

  Definition definition() {
    return definition;
  }

  /** Whether a class, by its internal name ({@code a/b/C}), has a place to weave. */
  boolean concerns(String internalName) {
    return targets.contains(internalName);
  }

  /** Stage names by the class names of their aspects, in the order of the declarations. */
  Map<String, String> stageByAspect() {
    return stageByAspect;
  }
}

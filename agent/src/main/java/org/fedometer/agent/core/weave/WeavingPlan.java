package org.fedometer.agent.core.weave;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.aspectj.weaver.loadtime.definition.Definition;
import org.fedometer.aspects.LockAcquired;
import org.fedometer.aspects.LockWait;
import org.fedometer.aspects.TimedStage;
import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Stages;

/**
 * The stages to weave and their classes: every instantiated aspect with its pointcuts. Immutable.
 */
public final class WeavingPlan {

  /** The names of built-in aspects in source order, one per line; created by the build. */
  private static final String ASPECTS = "/META-INF/fedometer-aspects";

  private final Definition definition;
  private final Definition withoutCustom;
  private final CustomStages customStages;
  private final Map<String, String> rejections;
  private final Set<String> targets;
  private final Set<String> internalNames;
  private final List<PlannedStage> stages;
  private final List<PlannedStage> captures;
  private final boolean isOpen;

  private WeavingPlan(
      Definition definition,
      Definition withoutCustom,
      Set<String> targets,
      List<PlannedStage> stages,
      List<PlannedStage> captures,
      CustomStages customStages,
      Map<String, String> rejections) {
    this.definition = definition;
    this.withoutCustom = withoutCustom;
    this.customStages = customStages;
    this.rejections = Collections.unmodifiableMap(rejections);
    this.targets = Collections.unmodifiableSet(targets);
    this.internalNames = new LinkedHashSet<>();
    for (String target : targets) {
      internalNames.add(target.replace('.', '/'));
    }
    this.stages = Collections.unmodifiableList(stages);
    this.captures = Collections.unmodifiableList(captures);
    this.isOpen = !customStages.usable().isEmpty();
  }

  /**
   * Creates the aspects, so that a stage has its number, and a broken aspect is found, before
   * Fedora's code calls it. {@link #rejections} has custom stages that cannot be planned.
   */
  public static WeavingPlan load(CustomStages customStages) throws Exception {
    InputStream list = Recorder.class.getResourceAsStream(ASPECTS);
    if (list == null) {
      throw new FileNotFoundException(ASPECTS + " is missing in the agent's jar");
    }
    Definition declared = new Definition();
    declared.appendWeaverOptions("-Xlint:ignore");
    try (BufferedReader names =
        new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))) {
      declared.getAspectClassNames().addAll(names.lines().collect(Collectors.toList()));
    }
    Set<String> targets = new LinkedHashSet<>();
    List<PlannedStage> stages = new ArrayList<>();
    List<PlannedStage> captures = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (String name : declared.getAspectClassNames()) {
      Class<?> type = Class.forName(name, true, Recorder.class.getClassLoader());
      Object aspect = type.getMethod("aspectOf").invoke(null);
      Set<String> places = Pointcuts.targetsOf(type);
      targets.addAll(places);
      if (aspect instanceof TimedStage) {
        String stage = ((TimedStage) aspect).stageName();
        names.add(stage);
        if (aspect instanceof LockWait) {
          places.addAll(Pointcuts.targetsOf(((LockWait) aspect).acquired()));
        }
        stages.add(PlannedStage.of(stage, aspect, places));
      } else if (!(aspect instanceof LockAcquired)) {
        captures.add(PlannedStage.of(AopFile.stageOf(type.getSimpleName()), aspect, places));
      }
    }
    Definition definition = aspectsOf(declared);
    Map<String, String> rejections = new LinkedHashMap<>(customStages.rejections());
    for (CustomStage stage : customStages.usable()) {
      if (names.contains(stage.name())) {
        rejections.put(
            stage.name(),
            "custom stage "
                + stage.name()
                + " has the name of a Fedometer stage; give it another name");
      } else if (!CustomAspect.hasNumberFor(stage.name())) {
        rejections.put(
            stage.name(),
            "custom stage "
                + stage.name()
                + " exceeds the limit: this JVM has had "
                + Stages.LIMIT
                + " stages since its start; reuse the name of an earlier one, or restart Fedora");
      } else {
        CustomAspect.instantiate(stage.name());
        definition.getConcreteAspects().add(CustomAspect.forWeaver(stage));
        stages.add(PlannedStage.of(stage));
        targets.addAll(stage.parsed().exactTypes());
      }
    }
    return new WeavingPlan(
        definition, aspectsOf(declared), targets, stages, captures, customStages, rejections);
  }

  /** The plan selects the classes for the weaver, not the weaver's patterns. */
  private static Definition aspectsOf(Definition declared) {
    Definition definition = new Definition();
    definition.appendWeaverOptions(declared.getWeaverOptions());
    definition.getAspectClassNames().addAll(declared.getAspectClassNames());
    return definition;
  }

  public CustomStages customStages() {
    return customStages;
  }

  /** Returns why custom stages are not in the plan: one sentence by name. */
  public Map<String, String> rejections() {
    return rejections;
  }

  /** Returns whether classes beyond the {@link #targets} may match. */
  boolean isOpen() {
    return isOpen;
  }

  Set<String> possibleCustomAspects(TypeFacts type) {
    Set<String> aspects = new LinkedHashSet<>();
    for (PlannedStage stage : stages) {
      if (stage.customPointcutOrNull() != null && stage.mayBeIn(type)) {
        aspects.add(stage.aspect());
      }
    }
    return aspects;
  }

  Definition definitionWithoutCustom() {
    return withoutCustom;
  }

  Definition definition() {
    return definition;
  }

  /** Returns whether a class, by its internal name ({@code a/b/C}), is a target. */
  boolean concerns(String internalName) {
    return internalNames.contains(internalName);
  }

  /** Returns the names of all target classes, of all versions of Fedora. */
  Set<String> targets() {
    return targets;
  }

  /** Returns the stages in the order of the aspects' sources. */
  List<PlannedStage> stages() {
    return stages;
  }

  /** Returns aspects that are woven as stages are but time nothing, in the same order. */
  List<PlannedStage> captures() {
    return captures;
  }
}

package org.fedometer.agent.core.weave;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The stages that a user has asked for: those that can be woven, and why the others cannot.
 * Immutable.
 */
public final class OwnStages {

  private final List<OwnStage> usable = new ArrayList<>();
  private final Map<String, String> refusals = new LinkedHashMap<>();

  private OwnStages() {}

  public static OwnStages none() {
    return new OwnStages();
  }

  /**
   * Reads and checks them; does not look into Fedora.
   *
   * @param pointcuts by name of the stage
   * @param aopFile an {@code aop.xml} with more of them, or {@code null}
   */
  public static OwnStages of(Map<String, String> pointcuts, Path aopFile) {
    OwnStages stages = new OwnStages();
    pointcuts.forEach(stages::add);
    if (aopFile != null) {
      try {
        AopFile.read(aopFile, stages::add, stages.refusals::put);
      } catch (IllegalArgumentException e) {
        stages.refusals.put("aop", e.getMessage());
      }
    }
    return stages;
  }

  private void add(String name, String pointcut) {
    try {
      OwnStage checked = new OwnStage(name, pointcut);
      for (OwnStage other : usable) {
        if (other.name().equals(name)) {
          throw new IllegalArgumentException(
              "own stage " + name + " is given twice; join the pointcuts by ||");
        }
      }
      OwnStageTrial.run(checked);
      usable.add(checked);
    } catch (IllegalArgumentException e) {
      refusals.put(name, e.getMessage());
    } catch (StackOverflowError tooDeep) {
      refusals.put(
          name, "own stage " + name + ": the pointcut is nested too deep; write it shorter");
    }
  }

  List<OwnStage> usable() {
    return Collections.unmodifiableList(usable);
  }

  /** The same as text, by their names. */
  public Map<String, String> pointcuts() {
    Map<String, String> pointcuts = new LinkedHashMap<>();
    for (OwnStage stage : usable) {
      pointcuts.put(stage.name(), stage.pointcut());
    }
    return pointcuts;
  }

  /** Why the others cannot be: one sentence by the name that was given. */
  public Map<String, String> refusals() {
    return Collections.unmodifiableMap(refusals);
  }

  /** The same stages, also if they were refused. */
  @Override
  public boolean equals(Object other) {
    return other instanceof OwnStages
        && ((OwnStages) other).usable.equals(usable)
        && ((OwnStages) other).refusals.equals(refusals);
  }

  @Override
  public int hashCode() {
    return usable.hashCode() + refusals.hashCode();
  }
}

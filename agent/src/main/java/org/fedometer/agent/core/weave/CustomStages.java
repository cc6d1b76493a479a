package org.fedometer.agent.core.weave;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The user's custom stages: those that can be woven, and the reasons against the others. Immutable.
 */
public final class CustomStages {

  private final List<CustomStage> usable = new ArrayList<>();
  private final Map<String, String> rejections = new LinkedHashMap<>();

  private CustomStages() {}

  public static CustomStages none() {
    return new CustomStages();
  }

  /**
   * Reads and checks them; does not inspect Fedora.
   *
   * @param pointcuts by name of the stage
   * @param aopFile an {@code aop.xml} with more of them, or {@code null}
   */
  public static CustomStages of(Map<String, String> pointcuts, Path aopFile) {
    CustomStages stages = new CustomStages();
    pointcuts.forEach(stages::add);
    if (aopFile != null) {
      try {
        AopFile.read(aopFile, stages::add, stages.rejections::put);
      } catch (IllegalArgumentException e) {
        stages.rejections.put("aop", e.getMessage());
      }
    }
    return stages;
  }

  private void add(String name, String pointcut) {
    try {
      CustomStage checked = new CustomStage(name, pointcut);
      for (CustomStage other : usable) {
        if (other.name().equals(name)) {
          throw new IllegalArgumentException(
              "custom stage " + name + " is given twice; join the pointcuts by ||");
        }
      }
      CustomStageTrial.run(checked);
      usable.add(checked);
    } catch (IllegalArgumentException e) {
      rejections.put(name, e.getMessage());
    } catch (StackOverflowError tooDeep) {
      rejections.put(
          name, "custom stage " + name + ": the pointcut is nested too deeply; simplify it");
    }
  }

  List<CustomStage> usable() {
    return Collections.unmodifiableList(usable);
  }

  /** Returns the usable pointcuts by name. */
  public Map<String, String> pointcuts() {
    Map<String, String> pointcuts = new LinkedHashMap<>();
    for (CustomStage stage : usable) {
      pointcuts.put(stage.name(), stage.pointcut());
    }
    return pointcuts;
  }

  /** Returns the reasons against the others: one sentence by the given name. */
  public Map<String, String> rejections() {
    return Collections.unmodifiableMap(rejections);
  }

  /** Compares usable and rejected stages. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CustomStages
        && ((CustomStages) other).usable.equals(usable)
        && ((CustomStages) other).rejections.equals(rejections);
  }

  @Override
  public int hashCode() {
    return usable.hashCode() + rejections.hashCode();
  }
}

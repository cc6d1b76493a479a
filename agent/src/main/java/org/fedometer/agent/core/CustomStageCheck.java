package org.fedometer.agent.core;

import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.fedometer.agent.core.weave.CustomStages;
import org.fedometer.agent.core.weave.WeavingPlan;

/**
 * Checks custom stages in the command line tool's process, so that an invalid one is rejected
 * before any JVM is changed. Created by the bootstrap class, in the loader that has the weaver.
 */
public final class CustomStageCheck
    implements BiFunction<Map<String, String>, String, Map<String, String>> {

  /**
   * @param pointcuts by name of the stage
   * @param aopFile empty for none
   * @return all of them, including those in the file
   * @throws IllegalArgumentException with the reasons if one is invalid
   */
  @Override
  public Map<String, String> apply(Map<String, String> pointcuts, String aopFile) {
    CustomStages stages = CustomStages.of(pointcuts, aopFile.isEmpty() ? null : Paths.get(aopFile));
    List<String> refusals = new ArrayList<>(stages.rejections().values());
    if (refusals.isEmpty()) {
      refusals.addAll(planRejections(stages));
    }
    if (!refusals.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", refusals));
    }
    return stages.pointcuts();
  }

  private static List<String> planRejections(CustomStages stages) {
    try {
      return new ArrayList<>(WeavingPlan.load(stages).rejections().values());
    } catch (Exception brokenJar) {
      throw new IllegalStateException("the agent's jar is broken: " + brokenJar, brokenJar);
    }
  }
}

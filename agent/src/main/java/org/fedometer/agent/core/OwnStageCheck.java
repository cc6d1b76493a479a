package org.fedometer.agent.core;

import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.fedometer.agent.core.weave.OwnStages;
import org.fedometer.agent.core.weave.WeavingPlan;

/**
 * Checks stages of a user's own in the command line tool's process, so that a bad one is refused
 * before any JVM is touched. Made by the bootstrap class, in the loader that has the weaver.
 */
public final class OwnStageCheck
    implements BiFunction<Map<String, String>, String, Map<String, String>> {

  /**
   * @param pointcuts by name of the stage
   * @param aopFile empty for none
   * @return all of them, those in the file included
   * @throws IllegalArgumentException with the reasons if one cannot be taken
   */
  @Override
  public Map<String, String> apply(Map<String, String> pointcuts, String aopFile) {
    OwnStages own = OwnStages.of(pointcuts, aopFile.isEmpty() ? null : Paths.get(aopFile));
    List<String> refusals = new ArrayList<>(own.refusals().values());
    if (refusals.isEmpty()) {
      refusals.addAll(refusalsOfThePlan(own));
    }
    if (!refusals.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", refusals));
    }
    return own.pointcuts();
  }

  private static List<String> refusalsOfThePlan(OwnStages own) {
    try {
      return new ArrayList<>(WeavingPlan.load(own).refusals().values());
    } catch (Exception brokenJar) {
      throw new IllegalStateException("the agent's jar is broken: " + brokenJar, brokenJar);
    }
  }
}

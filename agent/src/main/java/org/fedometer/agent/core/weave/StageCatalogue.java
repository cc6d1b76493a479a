package org.fedometer.agent.core.weave;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.fedometer.aspects.LockWait;
import org.fedometer.aspects.TimedStage;
import org.fedometer.aspects.recorder.Recorder;

/**
 * Lists the built-in stages in the command line tool's process: the timed methods by group, then by
 * name. Created by the bootstrap class, in the loader that has the weaver.
 */
public final class StageCatalogue implements Supplier<Map<String, Map<String, List<String>>>> {

  @Override
  public Map<String, Map<String, List<String>>> get() {
    Map<String, Map<String, List<String>>> groups = new LinkedHashMap<>();
    try {
      for (PlannedStage planned : WeavingPlan.load(CustomStages.none()).stages()) {
        Class<?> type = Class.forName(planned.aspect(), true, Recorder.class.getClassLoader());
        TimedStage stage = (TimedStage) type.getMethod("aspectOf").invoke(null);
        groups
            .computeIfAbsent(stage.group(), group -> new LinkedHashMap<>())
            .put(planned.name(), methodsOf(type, stage));
      }
    } catch (Exception brokenJar) {
      throw new IllegalStateException("the agent's jar is broken: " + brokenJar, brokenJar);
    }
    return groups;
  }

  private static List<String> methodsOf(Class<?> type, TimedStage stage) throws Exception {
    List<String> methods = TimedMethods.of(type);
    if (stage instanceof LockWait) {
      for (String end : TimedMethods.of(((LockWait) stage).acquired())) {
        methods.add("until " + end);
      }
    }
    return methods;
  }
}

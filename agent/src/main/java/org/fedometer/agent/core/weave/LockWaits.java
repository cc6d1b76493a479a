package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.fedometer.aspects.LockWait;

/**
 * Enables the recording of lock waits whose end is woven. The locks depend on Fedora's version, and
 * one Tomcat may have had two: a wait must end in each class loader in which it begins. One thread
 * at a time.
 */
final class LockWaits {

  private final List<PlannedStage> plan;

  /** By aspect of the wait: loaders with classes in which it begins, and in which it ends. */
  private final Map<String, Set<ClassLoader>> begins = new HashMap<>();

  private final Map<String, Set<ClassLoader>> ends = new HashMap<>();

  LockWaits(List<PlannedStage> plan) {
    this.plan = plan;
  }

  void woven(ClassLoader loader, AdviceScan scan) {
    for (PlannedStage stage : plan) {
      LockWait wait = stage.waitOrNull();
      if (wait != null) {
        if (!scan.waitsOf(stage.aspect()).isEmpty()) {
          put(begins, stage.aspect(), loader);
        }
        if (!scan.acquiredOf(wait.acquired().getName()).isEmpty()) {
          put(ends, stage.aspect(), loader);
        }
      }
    }
  }

  private static void put(
      Map<String, Set<ClassLoader>> loaders, String aspect, ClassLoader loader) {
    Set<ClassLoader> known = loaders.get(aspect);
    if (known == null) {
      known = Collections.newSetFromMap(new WeakHashMap<ClassLoader, Boolean>());
      loaders.put(aspect, known);
    }
    known.add(loader);
  }

  /** Stops new waits from being recorded; those in progress end normally. */
  void disable() {
    for (PlannedStage stage : plan) {
      if (stage.waitOrNull() != null) {
        stage.waitOrNull().setRecorded(false);
      }
    }
  }

  /** Enables the waits that end in every loader; returns their aspects. */
  Set<String> enableComplete() {
    Set<String> on = new HashSet<>();
    for (PlannedStage stage : plan) {
      Set<ClassLoader> begun = begins.get(stage.aspect());
      Set<ClassLoader> ended = ends.get(stage.aspect());
      if (begun != null && ended != null && !begun.isEmpty() && ended.containsAll(begun)) {
        stage.waitOrNull().setRecorded(true);
        on.add(stage.aspect());
      }
    }
    return on;
  }
}

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
 * Has waits for locks recorded where they end. Which locks there are depends on Fedora's version,
 * and a Tomcat may have had two: a wait that begins in some class loader has to have its end there.
 * One thread at a time.
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

  /** No wait begins from now on; those that have begun end. */
  void disable() {
    for (PlannedStage stage : plan) {
      if (stage.waitOrNull() != null) {
        stage.waitOrNull().setRecorded(false);
      }
    }
  }

  /** Those waits begin that end in every loader; returns their aspects. */
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

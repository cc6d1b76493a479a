package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.Set;

/** One stage that is to be woven, and the classes that its pointcut names. Immutable. */
final class PlannedStage {

  private final String name;
  private final String aspect;
  private final Set<String> targets;

  /**
   * @param name such as {@code ingest.validate}
   * @param aspect class name of the aspect that times it
   * @param targets class names; some belong to other versions of Fedora
   */
  PlannedStage(String name, String aspect, Set<String> targets) {
    this.name = name;
    this.aspect = aspect;
    this.targets = Collections.unmodifiableSet(targets);
  }

  String name() {
    return name;
  }

  String aspect() {
    return aspect;
  }

  Set<String> targets() {
    return targets;
  }
}

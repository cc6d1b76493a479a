package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.Set;
import org.fedometer.aspects.LockWait;

/** A stage to be woven, and the classes that its pointcut names. Immutable. */
final class PlannedStage {

  private final String name;
  private final String aspect;
  private final Set<String> targets;
  private final LockWait waitOrNull;
  private final CustomPointcut customOrNull;

  private PlannedStage(
      String name,
      String aspect,
      Set<String> targets,
      LockWait waitOrNull,
      CustomPointcut customOrNull) {
    this.name = name;
    this.aspect = aspect;
    this.targets = Collections.unmodifiableSet(targets);
    this.waitOrNull = waitOrNull;
    this.customOrNull = customOrNull;
  }

  /**
   * @param name such as {@code ingest.validate}
   * @param targets class names; some belong to other versions of Fedora
   */
  static PlannedStage of(String name, Object aspect, Set<String> targets) {
    return new PlannedStage(
        name,
        aspect.getClass().getName(),
        targets,
        aspect instanceof LockWait ? (LockWait) aspect : null,
        null);
  }

  static PlannedStage of(CustomStage custom) {
    return new PlannedStage(
        custom.name(),
        CustomAspect.className(custom.name()),
        custom.parsed().exactTypes(),
        null,
        custom.parsed());
  }

  /** Returns a custom stage's pointcut, which may match classes besides the targets; else null. */
  CustomPointcut customPointcutOrNull() {
    return customOrNull;
  }

  /** Returns the aspect of a lock wait, which has another one for its end; else null. */
  LockWait waitOrNull() {
    return waitOrNull;
  }

  boolean mayBeIn(TypeFacts type) {
    return targets.contains(type.name()) || customOrNull != null && customOrNull.mayMatch(type);
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

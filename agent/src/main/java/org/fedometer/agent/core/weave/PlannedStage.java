package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.Set;
import org.fedometer.aspects.LockWait;

/** One stage that is to be woven, and the classes that its pointcut names. Immutable. */
final class PlannedStage {

  private final String name;
  private final String aspect;
  private final Set<String> targets;
  private final LockWait waitOrNull;
  private final OwnPointcut ownOrNull;

  private PlannedStage(
      String name, String aspect, Set<String> targets, LockWait waitOrNull, OwnPointcut ownOrNull) {
    this.name = name;
    this.aspect = aspect;
    this.targets = Collections.unmodifiableSet(targets);
    this.waitOrNull = waitOrNull;
    this.ownOrNull = ownOrNull;
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

  static PlannedStage of(OwnStage own) {
    return new PlannedStage(
        own.name(), OwnAspect.className(own.name()), own.parsed().exactTypes(), null, own.parsed());
  }

  /** The pointcut of a user's stage, which may be about classes besides the targets. */
  OwnPointcut ownPointcutOrNull() {
    return ownOrNull;
  }

  /** The aspect of a stage that is waiting for a lock, which has another one for its end. */
  LockWait waitOrNull() {
    return waitOrNull;
  }

  boolean mayBeIn(TypeFacts type) {
    return targets.contains(type.name()) || ownOrNull != null && ownOrNull.mayMatch(type);
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

package org.fedometer.agent.core.weave;

import java.util.Collections;
import java.util.Set;

/** One stage that is to be woven, and the classes that its pointcut names. Immutable. */
final class PlannedStage {

  private final String name;
  private final String aspect;
  private final Set<String> targets;
  private final OwnPointcut ownOrNull;

  /**
   * @param name such as {@code ingest.validate}
   * @param aspect class name of the aspect that times it
   * @param targets class names; some belong to other versions of Fedora
   */
  PlannedStage(String name, String aspect, Set<String> targets) {
    this(name, aspect, targets, null);
  }

  private PlannedStage(String name, String aspect, Set<String> targets, OwnPointcut ownOrNull) {
    this.name = name;
    this.aspect = aspect;
    this.targets = Collections.unmodifiableSet(targets);
    this.ownOrNull = ownOrNull;
  }

  static PlannedStage of(OwnStage own) {
    return new PlannedStage(
        own.name(), OwnAspect.className(own.name()), own.parsed().exactTypes(), own.parsed());
  }

  /** The pointcut of a user's stage, which may be about classes besides the targets. */
  OwnPointcut ownPointcutOrNull() {
    return ownOrNull;
  }

  /** Whether a class of this name may have a place for it. */
  boolean mayBeIn(String className) {
    return targets.contains(className) || ownOrNull != null && ownOrNull.mayMatch(className);
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

package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Stages;

/**
 * A stage of Fedora's work: times every execution that the pointcut of a concrete aspect matches. Runs on Fedora's
 * threads.
 *
 * <p>Uses only before and after advice, no join point object and no instance per object. Such advice can be woven into
 * loaded classes. It also passes no AspectJ types through Fedora's class loader, which has an old aspectjrt.
 */
public abstract aspect TimedStage {

  private final String stageName;
  /** The recorder's number of the stage. */
  final int stage;

  /** @param stageName dotted kebab-case, as in reports */
  protected TimedStage(String stageName) {
    this.stageName = stageName;
    this.stage = Stages.numberOf(stageName);
  }

  /** The executions that belong to this stage. */
  protected abstract pointcut timed();

  public final String stageName() {
    return stageName;
  }

  /** Returns the stage's {@link StageGroup}; empty for a custom stage. For lists of stages outside Fedora. */
  public final String group() {
    for (Class<?> type = getClass(); type != null; type = type.getEnclosingClass()) {
      StageGroup group = type.getAnnotation(StageGroup.class);
      if (group != null) {
        return group.value();
      }
    }
    return "";
  }

  before(): timed() {
    Recorder.enter(stage);
  }

  after() returning: timed() {
    Recorder.exit(stage);
  }

  after() throwing: timed() {
    Recorder.fail(stage);
  }
}

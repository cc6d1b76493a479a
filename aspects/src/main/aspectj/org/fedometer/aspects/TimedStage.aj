package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Stages;

/**
 * One stage of Fedora's work: times every execution that the pointcut of a concrete aspect names. Runs on Fedora's
 * threads.
 *
 * <p>Only before and after advice, no join point object, no instance per object: such advice can be woven into classes
 * that are already loaded, and it passes nothing of AspectJ's own through Fedora's class loader, which has an old
 * aspectjrt.
 */
public abstract aspect TimedStage {

  private final String stageName;
  /** The recorder's number for it. */
  final int stage;

  /** @param stageName dotted kebab-case, as it shall appear in reports */
  protected TimedStage(String stageName) {
    this.stageName = stageName;
    this.stage = Stages.numberOf(stageName);
  }

  /** The method executions that are this stage. */
  protected abstract pointcut timed();

  /** For the agent's report of what was woven. */
  public final String stageName() {
    return stageName;
  }

  /** For those who list stages, outside Fedora: see {@link StageGroup}. Empty for a stage of a user's own. */
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

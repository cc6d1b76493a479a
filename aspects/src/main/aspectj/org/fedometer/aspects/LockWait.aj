package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/**
 * A wait for a lock as a stage. It starts before a thread acquires the lock and ends with {@link LockAcquired} at the
 * first point that only the holder passes. Both are on the same thread, so that the work after the wait is timed as
 * other stages. Runs on Fedora's threads.
 *
 * <p>The end point depends on Fedora's version: a method may be synchronized in one and not in the next. A stage
 * without an end would swallow all later work. So no wait starts until the agent has verified that both halves are
 * woven.
 */
public abstract aspect LockWait extends TimedStage {
  // At a shared join point a wait ends before, and begins after, all else: no stage is inside a wait.
  declare precedence: LockAcquired+, *, LockWait+;

  private final Class<? extends LockAcquired> acquired;
  private boolean recorded;

  /**
   * @param stageName dotted kebab-case, as in reports
   * @param acquired the other half
   */
  protected LockWait(String stageName, Class<? extends LockAcquired> acquired) {
    super(stageName);
    this.acquired = acquired;
  }

  /** Empty: {@link #waits()} and the other half replace it. */
  protected pointcut timed();

  /** The point before the lock is acquired. */
  protected abstract pointcut waits();

  public final Class<? extends LockAcquired> acquired() {
    return acquired;
  }

  /**
   * Sets whether waits that begin from now on are recorded. Fedora's threads may see the change with a small delay.
   *
   * @param recorded true only if both halves are woven in every deployment of Fedora that has one
   */
  public final void setRecorded(boolean recorded) {
    this.recorded = recorded;
  }

  before(): waits() {
    if (recorded) {
      Recorder.enter(stage);
    }
  }
}

package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;

/**
 * Waiting for a lock as a stage: begins where a thread is about to take the lock, ends with {@link LockAcquired} at the
 * first place that only its holder passes. Both are on the same thread, so that what follows is timed as what it is.
 * Runs on Fedora's threads.
 *
 * <p>Which place ends the waiting is a matter of the version: a method that is synchronized in one is not in the next.
 * A stage that only begins would swallow what comes after it; so none begins until the agent has seen that each wait
 * ends.
 */
public abstract aspect LockWait extends TimedStage {
  // At one place a wait ends before all else begins, and begins after it: nothing is inside a wait.
  declare precedence: LockAcquired+, *, LockWait+;

  private final Class<? extends LockAcquired> acquired;
  private boolean recorded;

  /**
   * @param stageName dotted kebab-case, as it shall appear in reports
   * @param acquired the other half
   */
  protected LockWait(String stageName, Class<? extends LockAcquired> acquired) {
    super(stageName);
    this.acquired = acquired;
  }

  /** Nothing: {@link #waits()} and the other half are in place of it. */
  protected pointcut timed();

  /** The lock is about to be acquired. */
  protected abstract pointcut waits();

  /** The aspect that ends it. */
  public final Class<? extends LockAcquired> acquired() {
    return acquired;
  }

  /**
   * Whether waits that begin from now on are recorded. Called by the agent; Fedora's threads may see it a little later.
   *
   * @param recorded only where both halves are woven, in every deployment of Fedora that has one
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

package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Stages;

/**
 * Waiting for a lock as a stage: begins where a thread is about to take the lock, ends at the first place that only its holder passes. Both
 * are on the same thread, so that what follows is timed as what it is. Runs on Fedora's threads.
 *
 * <p>Which place ends the waiting is a matter of the version: a method that is synchronized in one is not in the next. A stage that only
 * begins would swallow what comes after it; so nothing begins until an end has been passed once, and where there is none, nothing is timed.
 * Two threads may both be the first: they write the same.
 */
public abstract aspect LockWait extends TimedStage {

  private final int stage;
  private boolean ends;

  /** @param stageName dotted kebab-case, as it shall appear in reports */
  protected LockWait(String stageName) {
    super(stageName);
    this.stage = Stages.numberOf(stageName);
  }

  /** Nothing: the two below are in place of it. */
  protected pointcut timed();

  /** The lock is about to be taken. */
  protected abstract pointcut waits();

  /** The lock is taken, and nothing has been done with it. */
  protected abstract pointcut taken();

  before(): waits() {
    if (ends) {
      Recorder.enter(stage);
    }
  }

  before(): taken() {
    if (ends) {
      Recorder.exit(stage);
    } else {
      ends = true;
    }
  }
}

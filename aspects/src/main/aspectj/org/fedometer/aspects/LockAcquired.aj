package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Stages;

/** The end of a {@link LockWait}. Runs on Fedora's threads. */
public abstract aspect LockAcquired {

  private final int stage;

  protected LockAcquired(String stageName) {
    this.stage = Stages.numberOf(stageName);
  }

  /** The first point after acquiring the lock, before any work under it. */
  protected abstract pointcut acquired();

  before(): acquired() {
    Recorder.exit(stage);
  }
}

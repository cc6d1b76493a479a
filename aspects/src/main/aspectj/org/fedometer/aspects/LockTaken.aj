package org.fedometer.aspects;

import org.fedometer.aspects.recorder.Recorder;
import org.fedometer.aspects.recorder.Stages;

/** The end of a {@link LockWait}. Runs on Fedora's threads. */
public abstract aspect LockTaken {

  private final int stage;

  /** @param stageName of the wait */
  protected LockTaken(String stageName) {
    this.stage = Stages.numberOf(stageName);
  }

  /** The lock is taken, and nothing has been done with it. */
  protected abstract pointcut taken();

  before(): taken() {
    Recorder.exit(stage);
  }
}

package org.fedometer.experiments.record;

/** A resume of a run that has ended well, so that there is nothing left to load or to check. */
public final class CompleteRunException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String run;

  /**
   * @param run name of the run, without the number of a part
   * @param message one sentence
   */
  CompleteRunException(String run, String message) {
    super(message);
    this.run = run;
  }

  /** Returns the name of the run, without the number of a part. */
  public String run() {
    return run;
  }
}

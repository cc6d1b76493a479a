package org.fedometer.experiments;

/** How a run stands; run.json's {@code state}. */
public enum RunState {
  RUNNING("running"),

  /** Every object ingested, every check held. */
  DONE("done"),

  /** Came to its end, but objects failed or a check did not hold. */
  DONE_WITH_ERRORS("done-with-errors"),

  /** Made of what others have measured, whole. */
  IMPORTED("imported"),

  /** A step failed. */
  FAILED("failed"),

  /** Somebody asked it to end. */
  INTERRUPTED("interrupted");

  private final String id;

  RunState(String id) {
    this.id = id;
  }

  /** Name in run.json. */
  public String id() {
    return id;
  }
}

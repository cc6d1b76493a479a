package org.fedometer.store;

import java.util.Arrays;
import java.util.Optional;

/** How a run stands; {@code state} of its {@code run.json}, which may be anybody's. */
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
  INTERRUPTED("interrupted"),

  /** Samples of a Fedora with an agent, without a load. */
  MONITORING("monitoring");

  private final String id;

  RunState(String id) {
    this.id = id;
  }

  public String id() {
    return id;
  }

  /** {@code state} is of a run.json, or null. */
  public boolean is(String state) {
    return id.equals(state);
  }

  /** Empty for null, and for a state that is a newer version's or nobody's. */
  public static Optional<RunState> of(String state) {
    return Arrays.stream(values()).filter(one -> one.is(state)).findFirst();
  }

  /** Whether a run that was conducted came to its end, well or not; {@code state} may be null. */
  public static boolean isCompleted(String state) {
    return DONE.is(state) || DONE_WITH_ERRORS.is(state);
  }
}

package org.fedometer.store;

import java.util.Arrays;
import java.util.Optional;

/** State of a run, as in its {@code run.json}, which may be foreign. */
public enum RunState {
  RUNNING("running"),

  /** All objects ingested, all checks passed. */
  DONE("done"),

  /** Completed, but objects failed or a check failed. */
  DONE_WITH_ERRORS("done-with-errors"),

  /** Imported from another tool's measurements, completely. */
  IMPORTED("imported"),

  /** A step failed. */
  FAILED("failed"),

  /** Ended on request. */
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

  /**
   * @param state of a run.json, or null
   */
  public boolean is(String state) {
    return id.equals(state);
  }

  /** Returns empty for null or an unknown state, such as a newer version's. */
  public static Optional<RunState> of(String state) {
    return Arrays.stream(values()).filter(one -> one.is(state)).findFirst();
  }

  /** Returns whether a run completed, with or without errors; {@code state} may be null. */
  public static boolean isCompleted(String state) {
    return DONE.is(state) || DONE_WITH_ERRORS.is(state);
  }
}

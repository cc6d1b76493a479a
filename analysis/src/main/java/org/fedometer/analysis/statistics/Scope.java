package org.fedometer.analysis.statistics;

/** Which variation an interval covers. */
public enum Scope {
  /**
   * That of requests within the runs at hand. It does not cover run-to-run variation: the same
   * profile run again may lie outside.
   */
  WITHIN_RUN("within-run"),
  /** That between repeated runs of a profile, and with it that within them. */
  BETWEEN_RUNS("between-runs");

  private final String jsonName;

  Scope(String jsonName) {
    this.jsonName = jsonName;
  }

  public String jsonName() {
    return jsonName;
  }
}

package org.fedometer.analysis.statistics;

/** The variation that an interval covers. */
public enum Scope {
  /**
   * Variation of requests within the given runs. It excludes run-to-run variation: a repeated run
   * of the same profile may be outside.
   */
  WITHIN_RUN("within-run"),
  /** Variation between repeated runs of a profile, which includes that within them. */
  BETWEEN_RUNS("between-runs");

  private final String jsonName;

  Scope(String jsonName) {
    this.jsonName = jsonName;
  }

  public String jsonName() {
    return jsonName;
  }
}

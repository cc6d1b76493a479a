package org.fedometer.experiments.check;

import java.util.Locale;
import java.util.Objects;

/**
 * Result of one check before a load.
 *
 * @param name such as {@code resource-index}; stable across versions
 * @param advice what to do about it, one sentence; empty if nothing
 */
public record Check(String name, State state, String found, String advice) {

  /** From best to worst, except unknown. */
  public enum State {
    OK,
    /** It could not be checked. */
    UNKNOWN,
    /** The load may be slower, incomplete, or other than intended. */
    WARNING,
    /** The load fails, or loses data. */
    PROBLEM;

    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Check {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(found, "found");
    Objects.requireNonNull(advice, "advice");
  }

  static Check ok(String name, String found) {
    return new Check(name, State.OK, found, "");
  }

  static Check unknown(String name, String found, String advice) {
    return new Check(name, State.UNKNOWN, found, advice);
  }

  static Check warning(String name, String found, String advice) {
    return new Check(name, State.WARNING, found, advice);
  }

  static Check problem(String name, String found, String advice) {
    return new Check(name, State.PROBLEM, found, advice);
  }

  public String sentence() {
    return name + ": " + found + ". " + advice;
  }
}

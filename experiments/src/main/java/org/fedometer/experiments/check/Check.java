package org.fedometer.experiments.check;

import java.util.Locale;
import java.util.Objects;

/**
 * One thing that was looked at before a load.
 *
 * @param name such as {@code resource-index}; stays as it is from version to version
 * @param advice what to do about it, one sentence; empty where nothing has to be done
 */
public record Check(String name, State state, String found, String advice) {

  /** From best to worst, what is not known aside. */
  public enum State {
    OK,
    /** It could not be looked at. */
    UNKNOWN,
    /** The load may be slower, incomplete, or other than meant. */
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

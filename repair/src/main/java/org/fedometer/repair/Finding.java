package org.fedometer.repair;

import java.util.Objects;

/** A fault in a repository and its outcome. Immutable. */
public final class Finding {

  public enum State {
    /** Nothing was done, because nothing was to be done. */
    FOUND,
    REPAIRED,
    /** Cannot be repaired here; the text explains the options. */
    UNRESOLVED
  }

  private final Inconsistency inconsistency;
  private final String pid;
  private final State state;
  private final String text;

  /**
   * @param pid the PID of the object, or empty if no object is concerned
   * @param text a text for users: the fault, and past or possible measures
   */
  public Finding(Inconsistency inconsistency, String pid, State state, String text) {
    this.inconsistency = Objects.requireNonNull(inconsistency, "inconsistency");
    this.pid = Objects.requireNonNull(pid, "pid");
    this.state = Objects.requireNonNull(state, "state");
    this.text = Objects.requireNonNull(text, "text");
  }

  public Inconsistency inconsistency() {
    return inconsistency;
  }

  public String pid() {
    return pid;
  }

  public State state() {
    return state;
  }

  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return inconsistency.id() + " " + pid + " " + state + ": " + text;
  }
}

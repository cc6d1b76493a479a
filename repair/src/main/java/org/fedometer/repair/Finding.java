package org.fedometer.repair;

import java.util.Objects;

/** One thing that is wrong in a repository, and what became of it. Immutable. */
public final class Finding {

  public enum State {
    /** Nothing was done, because nothing was to be done. */
    FOUND,
    REPAIRED,
    /** Cannot be mended here; the text says what can be done. */
    UNRESOLVED
  }

  private final Inconsistency inconsistency;
  private final String pid;
  private final State state;
  private final String text;

  /**
   * @param pid of the object, or empty where it is a matter of no object
   * @param text for people: what is there, and what was or can be done
   */
  public Finding(Inconsistency inconsistency, String pid, State state, String text) {
    this.inconsistency = Objects.requireNonNull(inconsistency, "damage");
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

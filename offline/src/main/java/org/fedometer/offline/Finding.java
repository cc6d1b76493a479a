package org.fedometer.offline;

import java.util.Objects;

/** One thing that is wrong in a repository, and what became of it. Immutable. */
public final class Finding {

  public enum State {
    /** Nothing was done, because nothing was to be done. */
    FOUND,
    MENDED,
    /** Cannot be mended here; the text says what can be done. */
    LEFT
  }

  private final Damage damage;
  private final String pid;
  private final State state;
  private final String text;

  /**
   * @param pid of the object, or empty where it is a matter of no object
   * @param text for people: what is there, and what was or can be done
   */
  public Finding(Damage damage, String pid, State state, String text) {
    this.damage = Objects.requireNonNull(damage, "damage");
    this.pid = Objects.requireNonNull(pid, "pid");
    this.state = Objects.requireNonNull(state, "state");
    this.text = Objects.requireNonNull(text, "text");
  }

  public Damage damage() {
    return damage;
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
    return damage.id() + " " + pid + " " + state + ": " + text;
  }
}

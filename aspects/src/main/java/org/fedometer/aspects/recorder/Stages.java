package org.fedometer.aspects.recorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Assigns a small number to each stage name; any thread.
 *
 * <p>Numbers are assigned in order of request and stay the same for the life of the JVM. They are
 * below {@link #LIMIT}, since every thread keeps its totals in an array indexed by them.
 */
public final class Stages {

  public static final int LIMIT = 128;

  /** The number of a stage beyond the limit; the recorder ignores it. */
  public static final int NONE = -1;

  private static final List<String> NAMES = new ArrayList<>();

  private Stages() {}

  /**
   * @param name dotted kebab-case, such as {@code ingest.dublin-core}
   * @return a number from 0, or {@link #NONE} if there are {@value #LIMIT} others already
   */
  public static synchronized int numberOf(String name) {
    int known = NAMES.indexOf(name);
    if (known >= 0) {
      return known;
    }
    if (NAMES.size() == LIMIT) {
      return NONE;
    }
    NAMES.add(name);
    return NAMES.size() - 1;
  }

  /** Returns all names so far; the index is the stage's number. */
  public static synchronized List<String> names() {
    return Collections.unmodifiableList(new ArrayList<>(NAMES));
  }
}

package org.fedometer.collector.live;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * A source's names by number, within limits; names beyond them are replaced by their numbers. For
 * one thread.
 *
 * @param <V> a name, possibly with attributes
 */
public final class KnownNames<V> {
  static final int MAX_NAMES = 100_000;

  /**
   * Limit for all names together: as many as the segment log copies between a source's segments.
   */
  static final int MAX_CHARS = 8 * 1024 * 1024;

  private final ToIntFunction<V> charsOf;
  private final Map<Integer, V> names = new HashMap<>();
  private final Map<Integer, V> view = Collections.unmodifiableMap(names);
  private int chars;

  public KnownNames(ToIntFunction<V> charsOf) {
    this.charsOf = charsOf;
  }

  public void learn(Map<Integer, V> more) {
    more.forEach(this::keep);
  }

  private void keep(int number, V name) {
    // The old name is invalid even if the new one does not fit.
    V before = names.remove(number);
    chars -= before == null ? 0 : charsOf.applyAsInt(before);
    int needed = charsOf.applyAsInt(name);
    if (names.size() < MAX_NAMES && chars + needed <= MAX_CHARS) {
      names.put(number, name);
      chars += needed;
    }
  }

  /** Returns a view of the known names. */
  public Map<Integer, V> byNumber() {
    return view;
  }
}

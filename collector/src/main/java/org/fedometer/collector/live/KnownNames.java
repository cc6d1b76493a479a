package org.fedometer.collector.live;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * What a source calls its numbers, for whoever follows it live, as far as it is believed: what does
 * not fit is called by its number. For one thread.
 *
 * @param <V> a name, perhaps with more
 */
public final class KnownNames<V> {
  static final int MAX_NAMES = 100_000;

  /** Of all names together: as many as the journal carries from segment to segment of a source. */
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
    // By its old name it must not be called any more, even where there is no room for the new one.
    V before = names.remove(number);
    chars -= before == null ? 0 : charsOf.applyAsInt(before);
    int needed = charsOf.applyAsInt(name);
    if (names.size() < MAX_NAMES && chars + needed <= MAX_CHARS) {
      names.put(number, name);
      chars += needed;
    }
  }

  /** A view of those that are known. */
  public Map<Integer, V> byNumber() {
    return view;
  }
}

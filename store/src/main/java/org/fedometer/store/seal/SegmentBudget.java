package org.fedometer.store.seal;

import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How much the sources of a segment may make the sealer remember: names, totals, settings. Its
 * memory must not depend on what a source makes up. For one thread.
 */
final class SegmentBudget {
  /** Of one source. The collector carries as many names from segment to segment. */
  static final int MAX_PER_KIND = 100_000;

  /** Of all kinds together: what each source may have, whatever the others take. */
  static final int PER_SOURCE = 1_000;

  /** What all sources may have together beyond that: some 50 MB, without their texts. */
  static final int SHARED = 250_000;

  /** Of the texts of all kinds together: what each source may have, whatever the others take. */
  static final int CHARS_PER_SOURCE = 64 * 1024;

  /**
   * What all sources may have together beyond that: twice what the collector carries from segment
   * to segment of the names of one.
   */
  static final int SHARED_CHARS = 16 * 1024 * 1024;

  private long sharedLeft = SHARED;
  private long sharedCharsLeft = SHARED_CHARS;

  SourceBudget newSource() {
    return new SourceBudget();
  }

  /** For one source, whose maps are filled by this object only. */
  final class SourceBudget {
    private long entries;
    private long chars;

    private SourceBudget() {}

    /**
     * Adds what there is room for; a newer value of a key takes the room of the one before, which
     * goes even where the newer one is too long.
     *
     * @param charsOf of the texts of a value and its key
     */
    <K, V> void put(Map<K, V> kind, K key, V value, ToLongFunction<V> charsOf) {
      V before = kind.remove(key);
      if (before != null) {
        reserve(-1, -charsOf.applyAsLong(before));
      }
      if (kind.size() < MAX_PER_KIND && reserve(1, charsOf.applyAsLong(value))) {
        kind.put(key, value);
      }
    }

    /** Of negative numbers gives back. */
    private boolean reserve(long moreEntries, long moreChars) {
      long shared = excess(PER_SOURCE, entries + moreEntries) - excess(PER_SOURCE, entries);
      long sharedChars =
          excess(CHARS_PER_SOURCE, chars + moreChars) - excess(CHARS_PER_SOURCE, chars);
      if (shared > sharedLeft || sharedChars > sharedCharsLeft) {
        return false;
      }
      entries += moreEntries;
      chars += moreChars;
      sharedLeft -= shared;
      sharedCharsLeft -= sharedChars;
      return true;
    }

    private static long excess(long limit, long count) {
      return Math.max(0, count - limit);
    }
  }
}

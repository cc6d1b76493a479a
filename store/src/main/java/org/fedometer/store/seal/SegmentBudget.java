package org.fedometer.store.seal;

import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Limits the memory for names, totals and settings of a segment's sources, which must not depend on
 * a source's inventions. One thread.
 */
final class SegmentBudget {
  /** Limit per source. The collector carries as many names from segment to segment. */
  static final int MAX_PER_KIND = 100_000;

  /** Entries of all kinds reserved for each source. */
  static final int PER_SOURCE = 1_000;

  /** Further entries shared by all sources: about 50 MB, without their texts. */
  static final int SHARED = 250_000;

  /** Characters of all kinds reserved for each source. */
  static final int CHARS_PER_SOURCE = 64 * 1024;

  /**
   * Further characters shared by all sources: twice as many as the collector carries from segment
   * to segment for the names of one.
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
     * Adds an entry if it fits; replaces an earlier value of the key, which is removed even if the
     * new one does not fit.
     *
     * @param charsOf returns the characters of a value and its key
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

    /** Reserves space; negative numbers release it. */
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

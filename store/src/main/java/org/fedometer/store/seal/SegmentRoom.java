package org.fedometer.store.seal;

import java.util.Map;

/**
 * How much the sources of a segment may make the sealer remember: names, totals, settings. Its
 * memory must not depend on what a source makes up. For one thread.
 */
final class SegmentRoom {
  /** Of one source. The collector carries as many names from segment to segment. */
  static final int MOST_OF_A_KIND = 100_000;

  /** Of all kinds together: what each source may have, whatever the others take. */
  static final int OF_EACH_SOURCE = 1_000;

  /** What all sources may have together beyond that: some 50 MB. */
  static final int SHARED = 250_000;

  private int sharedLeft = SHARED;

  /** The part of one source. */
  OfSource source() {
    return new OfSource();
  }

  /** For one source, whose maps are filled by this object only. */
  final class OfSource {
    private int ownLeft = OF_EACH_SOURCE;

    private OfSource() {}

    /** Adds what there is room for; a newer value of a key that is there needs none. */
    <K, V> void put(Map<K, V> kind, K key, V value) {
      if (kind.containsKey(key) || kind.size() < MOST_OF_A_KIND && take()) {
        kind.put(key, value);
      }
    }

    private boolean take() {
      if (ownLeft > 0) {
        ownLeft--;
        return true;
      }
      if (sharedLeft > 0) {
        sharedLeft--;
        return true;
      }
      return false;
    }
  }
}

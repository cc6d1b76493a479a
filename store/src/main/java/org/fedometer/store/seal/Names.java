package org.fedometer.store.seal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names of one kind (stages, threads) that the sources of a segment gave to their numbers,
 * numbered anew over all sources. A number that has no name becomes a negative one, {@code -1 - n}.
 */
final class Names {
  private static final int MOST_BY_INDEX = 4096;

  private final List<String> list = new ArrayList<>();

  /** In the order of their numbers here. */
  List<String> list() {
    return list;
  }

  /** Takes the names of one more source; all of them before {@link #list} is used. */
  OfSource add(Map<Integer, String> names) {
    return new OfSource(names);
  }

  /** From a source's own numbers to those here; for a hot loop. */
  final class OfSource {
    private final Map<Integer, Integer> large = new HashMap<>();
    private final int[] small;

    private OfSource(Map<Integer, String> names) {
      int largest = names.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
      small = new int[Math.min(largest, MOST_BY_INDEX - 1) + 1];
      Arrays.setAll(small, OfSource::nameless);
      for (Map.Entry<Integer, String> entry : names.entrySet()) {
        list.add(entry.getValue());
        if (entry.getKey() < small.length) {
          small[entry.getKey()] = list.size() - 1;
        } else {
          large.put(entry.getKey(), list.size() - 1);
        }
      }
    }

    int numberOf(int id) {
      return id < small.length ? small[id] : large.getOrDefault(id, nameless(id));
    }

    private static int nameless(int id) {
      return -1 - id;
    }
  }
}

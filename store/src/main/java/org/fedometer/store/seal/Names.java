package org.fedometer.store.seal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of one kind (stages, threads) from the sources of a segment, renumbered over all sources. A
 * number without a name becomes negative, {@code -1 - n}.
 */
final class Names {
  private static final int MAX_INDEXED = 4096;

  private final String namelessPrefix;
  private final List<String> list = new ArrayList<>();
  private final Map<String, Integer> firstOfName = new HashMap<>();

  Names(String namelessPrefix) {
    this.namelessPrefix = namelessPrefix;
  }

  /** Returns their count; they are numbered from 0. */
  int count() {
    return list.size();
  }

  /** Returns the name of a number here, including negative ones. */
  String nameOf(int number) {
    return number < 0 ? namelessPrefix + (-1 - number) : list.get(number);
  }

  /**
   * Returns one common number for all numbers with the same name, possibly from several sources.
   */
  int firstOf(int number) {
    return number < 0 ? number : firstOfName.get(list.get(number));
  }

  /** Adds the names of one source; call before samples are numbered. */
  SourceNames add(Map<Integer, String> names) {
    return new SourceNames(names);
  }

  /** Maps a source's own numbers to those here; for a hot loop. */
  final class SourceNames {
    private final Map<Integer, Integer> large = new HashMap<>();
    private final int[] small;

    private SourceNames(Map<Integer, String> names) {
      int max = names.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
      small = new int[Math.min(max, MAX_INDEXED - 1) + 1];
      Arrays.setAll(small, SourceNames::nameless);
      for (Map.Entry<Integer, String> entry : names.entrySet()) {
        int number = list.size();
        list.add(entry.getValue());
        firstOfName.putIfAbsent(entry.getValue(), number);
        if (entry.getKey() < small.length) {
          small[entry.getKey()] = number;
        } else {
          large.put(entry.getKey(), number);
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

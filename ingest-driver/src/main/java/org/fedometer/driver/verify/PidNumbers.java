package org.fedometer.driver.verify;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.datasets.Dataset;

/**
 * Maps PIDs to indices of a dataset. Nearly all datasets end their PIDs with the object's number;
 * only otherwise all PIDs are kept, and files on a disk then limit their number. Not thread-safe.
 *
 * <p>The first query about an object generates it to compare its whole PID. Since triples query
 * each some fifty times, the prefix is cached: four bytes per object.
 */
final class PidNumbers {

  /** Number of objects of an endless dataset that show whether PIDs end with the number. */
  private static final long MAX_SAMPLED = 100;

  private static final int MAX_DIGITS = 18;

  /** Maximum number of cached prefixes; objects with others are generated on each query. */
  private static final int MAX_PREFIXES = 100_000;

  private final Dataset dataset;
  private final long endIndex;
  private final Map<String, Long> known = new HashMap<>();

  /** Code of each prefix, from 1 on. */
  private final Map<String, Integer> prefixes = new HashMap<>();

  /** Prefix code by index; 0 until compared. */
  private int[] prefixOf = new int[1024];

  /**
   * @param endIndex index after the last object that is queried
   */
  PidNumbers(Dataset dataset, long endIndex) {
    this.dataset = dataset;
    this.endIndex = Math.min(endIndex, RunClaim.MAX_OBJECTS);
    long sampled = dataset.size() == Long.MAX_VALUE ? Math.min(MAX_SAMPLED, endIndex) : endIndex;
    for (long index = 0; index < sampled; index++) {
      if (numberIn(dataset.object(index).pid()) != index) {
        for (long each = 0; each < endIndex; each++) {
          known.put(dataset.object(each).pid(), each);
        }
        return;
      }
    }
  }

  /** Returns the object's index, possibly above the end index; -1 if it is not of the dataset. */
  long indexOf(String pid) {
    if (!known.isEmpty()) {
      return known.getOrDefault(pid, -1L);
    }
    long number = numberIn(pid);
    if (number < 0 || number >= dataset.size()) {
      return -1;
    }
    // Only the canonical form of a number is compared by value: 7, not 007.
    String prefix = pid.substring(0, pid.length() - Long.toString(number).length());
    Integer code = prefixes.get(prefix);
    if (code != null && number < prefixOf.length && prefixOf[(int) number] == code) {
      return number;
    }
    if (!dataset.object(number).pid().equals(pid)) {
      return -1;
    }
    remember(prefix, number);
    return number;
  }

  private void remember(String prefix, long number) {
    if (number >= endIndex || prefixes.size() >= MAX_PREFIXES && !prefixes.containsKey(prefix)) {
      return;
    }
    if (number >= prefixOf.length) {
      long grown = Math.max(number + 1, prefixOf.length * 3L / 2);
      prefixOf = Arrays.copyOf(prefixOf, (int) Math.min(endIndex, grown));
    }
    int next = prefixes.size() + 1;
    prefixOf[(int) number] = prefixes.computeIfAbsent(prefix, none -> next);
  }

  private static long numberIn(String pid) {
    int start = pid.length();
    while (start > 0 && pid.charAt(start - 1) >= '0' && pid.charAt(start - 1) <= '9') {
      start--;
    }
    int digits = pid.length() - start;
    return digits == 0 || digits > MAX_DIGITS ? -1 : Long.parseLong(pid.substring(start));
  }
}

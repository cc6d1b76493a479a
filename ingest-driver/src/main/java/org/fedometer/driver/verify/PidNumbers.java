package org.fedometer.driver.verify;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.datasets.Dataset;

/**
 * Which object of a dataset has a PID. Nearly all datasets end their PIDs with the object's number;
 * only where one does not, PIDs are kept, and then files on a disk bound how many. For one thread.
 *
 * <p>The first question about an object makes it, to compare its whole PID. As triples ask some
 * fifty times for each, what comes before the number is remembered: four bytes an object.
 */
final class PidNumbers {

  /** So many objects of a dataset without end show whether PIDs end with the number. */
  private static final long MAX_SAMPLED = 100;

  private static final int MAX_DIGITS = 18;

  /** Objects of more are made each time they are asked for. */
  private static final int MAX_PREFIXES = 100_000;

  private final Dataset dataset;
  private final long endIndex;
  private final Map<String, Long> known = new HashMap<>();

  /** What comes before the number, and a number for it from 1 on. */
  private final Map<String, Integer> prefixes = new HashMap<>();

  /** By index, which beginning its PID has; 0 as long as it was not compared. */
  private int[] prefixOf = new int[1024];

  /**
   * @param endIndex index after the last object that is asked for
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

  /** The object's index, which can be above the last that was named; -1 if it is none of theirs. */
  long indexOf(String pid) {
    if (!known.isEmpty()) {
      return known.getOrDefault(pid, -1L);
    }
    long number = numberIn(pid);
    if (number < 0 || number >= dataset.size()) {
      return -1;
    }
    // Only one way of writing a number is compared by its value: 7, not 007.
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

package org.fedometer.driver;

import java.util.HashMap;
import java.util.Map;
import org.fedometer.datasets.Dataset;

/**
 * Which object of a dataset has a PID. Nearly all datasets end their PIDs with the object's number;
 * only where one does not, PIDs are kept, and then files on a disk bound how many. For any threads.
 */
final class PidNumbers {

  /** So many objects of a dataset without end show whether PIDs end with the number. */
  private static final long LOOKED_AT = 100;

  private static final int MOST_DIGITS = 18;

  private final Dataset dataset;
  private final Map<String, Long> known = new HashMap<>();

  /**
   * @param endIndex index after the last object that is asked for
   */
  PidNumbers(Dataset dataset, long endIndex) {
    this.dataset = dataset;
    long lookedAt = dataset.size() == Long.MAX_VALUE ? Math.min(LOOKED_AT, endIndex) : endIndex;
    for (long index = 0; index < lookedAt; index++) {
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
    return number >= 0 && number < dataset.size() && dataset.object(number).pid().equals(pid)
        ? number
        : -1;
  }

  private static long numberIn(String pid) {
    int start = pid.length();
    while (start > 0 && pid.charAt(start - 1) >= '0' && pid.charAt(start - 1) <= '9') {
      start--;
    }
    int digits = pid.length() - start;
    return digits == 0 || digits > MOST_DIGITS ? -1 : Long.parseLong(pid.substring(start));
  }
}

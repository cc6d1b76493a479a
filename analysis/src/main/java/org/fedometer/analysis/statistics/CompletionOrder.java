package org.fedometer.analysis.statistics;

import java.util.Arrays;

/**
 * Sorts requests by completion. They are mostly ordered by start, which is nearly the same order: a
 * stable natural merge sort of both arrays, without an object per request. Pure.
 */
final class CompletionOrder {

  private CompletionOrder() {}

  /** Sorts both arrays by the first one. */
  static void sort(long[] keys, long[] values) {
    int[] ends = ascendingRuns(keys);
    if (ends.length == 1) {
      return;
    }
    long[] fromKeys = keys;
    long[] fromValues = values;
    long[] toKeys = new long[keys.length];
    long[] toValues = new long[keys.length];
    while (ends.length > 1) {
      int[] merged = new int[(ends.length + 1) / 2];
      int begin = 0;
      for (int i = 0; i < merged.length; i++) {
        int middle = ends[2 * i];
        int end = 2 * i + 1 < ends.length ? ends[2 * i + 1] : middle;
        merge(fromKeys, fromValues, begin, middle, end, toKeys, toValues);
        merged[i] = end;
        begin = end;
      }
      long[] keysNow = toKeys;
      toKeys = fromKeys;
      fromKeys = keysNow;
      long[] valuesNow = toValues;
      toValues = fromValues;
      fromValues = valuesNow;
      ends = merged;
    }
    if (fromKeys != keys) {
      System.arraycopy(fromKeys, 0, keys, 0, keys.length);
      System.arraycopy(fromValues, 0, values, 0, values.length);
    }
  }

  /** Returns the ends of ascending sequences. */
  private static int[] ascendingRuns(long[] keys) {
    int[] ends = new int[16];
    int runs = 0;
    for (int i = 1; i <= keys.length; i++) {
      if (i == keys.length || keys[i] < keys[i - 1]) {
        if (runs == ends.length) {
          ends = Arrays.copyOf(ends, runs * 2);
        }
        ends[runs++] = i;
      }
    }
    return Arrays.copyOf(ends, runs);
  }

  private static void merge(
      long[] keys, long[] values, int begin, int middle, int end, long[] toKeys, long[] toValues) {
    int left = begin;
    int right = middle;
    for (int i = begin; i < end; i++) {
      boolean takeLeft = right >= end || (left < middle && keys[left] <= keys[right]);
      int next = takeLeft ? left++ : right++;
      toKeys[i] = keys[next];
      toValues[i] = values[next];
    }
  }
}

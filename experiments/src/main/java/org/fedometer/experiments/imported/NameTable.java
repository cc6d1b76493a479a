package org.fedometer.experiments.imported;

import java.util.Arrays;

/**
 * Numbers names by their bytes, so that a name that comes a million times is decoded once. Holds a
 * bounded number of them. Not thread-safe.
 */
final class NameTable {
  private final int most;
  private byte[][] names = new byte[16][];
  private int[] hashes = new int[16];

  /** Open addressing: number and 1, or 0 where there is none. */
  private int[] slots = new int[64];

  private int count;

  NameTable(int most) {
    this.most = most;
  }

  /**
   * The name's number, from 0 in order of appearance; the number of names where it is new and there
   * is room; -1 where there is none.
   */
  int numberOf(byte[] bytes, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + bytes[i];
    }
    hash ^= hash >>> 15;
    int slot = hash & (slots.length - 1);
    while (slots[slot] != 0) {
      int number = slots[slot] - 1;
      byte[] name = names[number];
      if (hashes[number] == hash && Arrays.equals(name, 0, name.length, bytes, from, to)) {
        return number;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    if (count == most) {
      return -1;
    }
    add(Arrays.copyOfRange(bytes, from, to), hash, slot);
    return count - 1;
  }

  int count() {
    return count;
  }

  private void add(byte[] name, int hash, int slot) {
    if (count == names.length) {
      names = Arrays.copyOf(names, 2 * count);
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    names[count] = name;
    hashes[count] = hash;
    slots[slot] = ++count;
    if (2 * count > slots.length) {
      enlarge();
    }
  }

  private void enlarge() {
    slots = new int[2 * slots.length];
    for (int number = 0; number < count; number++) {
      int slot = hashes[number] & (slots.length - 1);
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = number + 1;
    }
  }
}

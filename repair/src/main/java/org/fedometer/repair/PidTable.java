package org.fedometer.repair;

import java.nio.charset.StandardCharsets;

/**
 * State of each PID, for millions of them: 18 bytes a place, and four places for three PIDs. A PID
 * is identified by 64 bits of a hash. If two share them, the data of each counts for both. An
 * inconsistency may then be missed, but a consistent object never counts as inconsistent because
 * its data was overlooked. Not thread-safe.
 */
final class PidTable {

  static final int FILE = 1;
  static final int READABLE = 2;
  static final int REGISTERED = 4;
  static final int FIELDS = 8;
  static final int DATES = 16;
  static final int CONTENT = 32;
  static final int CONTENT_MISSING = 64;
  static final int TRIPLES = 128;

  /** Its correct triples cannot be determined. */
  static final int TRIPLES_UNKNOWN = 256;

  /** Its file is in an unsupported format: its state is unknown. */
  static final int FORMAT_UNKNOWN = 512;

  private static final int MIN_SLOTS = 1 << 10;
  private static final int MAX_SLOTS = 1 << 30;

  private long[] keys;
  private short[] marks;
  private int[] contents;
  private int[] triples;
  private int size;

  /**
   * @param expected the estimated number of PIDs; more are allowed
   */
  PidTable(long expected) {
    int slots = (int) Math.min(MAX_SLOTS, Math.max(MIN_SLOTS, expected / 3 * 4 + expected / 16));
    allocate(slots);
  }

  private void allocate(int slots) {
    keys = new long[slots];
    marks = new short[slots];
    contents = new int[slots];
    triples = new int[slots];
  }

  void mark(String pid, int mark) {
    int slot = slotOf(pid);
    marks[slot] |= (short) mark;
  }

  int marks(String pid) {
    return marks[find(hash(pid))];
  }

  /** Adds to the difference between listed and existing content. */
  void addContent(String pid, int difference) {
    // The slot must be found first, because that may enlarge the arrays.
    int slot = slotOf(pid);
    contents[slot] += difference;
  }

  /** Adds to the difference between stated and existing triples. */
  void addTriples(String pid, int difference) {
    int slot = slotOf(pid);
    triples[slot] += difference;
  }

  /** Returns whether all data of the PID exists, or none. */
  boolean isConsistent(String pid) {
    return isConsistent(find(hash(pid)));
  }

  private boolean isConsistent(int slot) {
    int required = FILE | READABLE | REGISTERED | FIELDS;
    int mark = marks[slot];
    return mark == 0
        || (mark & FORMAT_UNKNOWN) != 0
        || (mark & required) == required
            && (mark & CONTENT_MISSING) == 0
            && contents[slot] == 0
            && ((mark & TRIPLES_UNKNOWN) != 0 || triples[slot] == 0);
  }

  /** Returns the number of PIDs that are neither complete nor absent. */
  int inconsistent() {
    int inconsistent = 0;
    for (int i = 0; i < keys.length; i++) {
      if (!isConsistent(i)) {
        inconsistent++;
      }
    }
    return inconsistent;
  }

  /** Returns the number of objects with a file. */
  int files() {
    int files = 0;
    for (short mark : marks) {
      files += mark & FILE;
    }
    return files;
  }

  private int slotOf(String pid) {
    if (size >= keys.length / 4 * 3) {
      grow();
    }
    long key = hash(pid);
    int slot = find(key);
    if (keys[slot] == 0) {
      keys[slot] = key;
      size++;
    }
    return slot;
  }

  private int find(long key) {
    int slot = (int) (((key >>> 33) * keys.length) >>> 31);
    while (keys[slot] != 0 && keys[slot] != key) {
      slot = slot + 1 == keys.length ? 0 : slot + 1;
    }
    return slot;
  }

  private void grow() {
    if (keys.length >= MAX_SLOTS) {
      throw new IllegalStateException(
          "the repository has more than " + size + " PIDs, too many to check");
    }
    long[] oldKeys = keys;
    short[] oldMarks = marks;
    int[] oldContents = contents;
    int[] oldTriples = triples;
    allocate((int) Math.min(MAX_SLOTS, oldKeys.length * 3L / 2));
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int slot = find(oldKeys[i]);
        keys[slot] = oldKeys[i];
        marks[slot] = oldMarks[i];
        contents[slot] = oldContents[i];
        triples[slot] = oldTriples[i];
      }
    }
  }

  /** Returns an FNV-1a hash with the final mix of MurmurHash3; never 0. */
  static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    hash ^= hash >>> 33;
    return hash == 0 ? 1 : hash;
  }
}

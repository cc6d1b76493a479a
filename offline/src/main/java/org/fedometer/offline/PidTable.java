package org.fedometer.offline;

import java.nio.charset.StandardCharsets;

/**
 * What is there of each PID, for millions of them: 18 bytes a place, and four places for three
 * PIDs. A PID is known by 64 bits of a hash. Should two share them, what is there of either counts
 * for both: damage may be missed then, but nothing whole is taken for damaged because something of
 * it was not seen. Not thread-safe.
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

  /** Nobody can say which triples it should have. */
  static final int TRIPLES_UNKNOWN = 256;

  /** Its file is in a format that is not read here: nothing can be said of it. */
  static final int FORMAT_UNKNOWN = 512;

  private static final int SMALLEST = 1 << 10;
  private static final int MOST_PLACES = 1 << 30;

  private long[] keys;
  private short[] marks;
  private int[] contents;
  private int[] triples;
  private int size;

  /**
   * @param expected how many PIDs there may be; more is fine
   */
  PidTable(long expected) {
    int places = (int) Math.min(MOST_PLACES, Math.max(SMALLEST, expected / 3 * 4 + expected / 16));
    allocate(places);
  }

  private void allocate(int places) {
    keys = new long[places];
    marks = new short[places];
    contents = new int[places];
    triples = new int[places];
  }

  void mark(String pid, int mark) {
    int place = placeOf(pid);
    marks[place] |= (short) mark;
  }

  int marks(String pid) {
    return marks[find(hash(pid))];
  }

  /** Adds to the difference between the content that is named and the content that is there. */
  void addContent(String pid, int difference) {
    // First the place, which may have the arrays grow.
    int place = placeOf(pid);
    contents[place] += difference;
  }

  /** Adds to the difference between the triples that are stated and those that are there. */
  void addTriples(String pid, int difference) {
    int place = placeOf(pid);
    triples[place] += difference;
  }

  /** Whether all is there that belongs together, or nothing. */
  boolean isWhole(String pid) {
    return isWhole(find(hash(pid)));
  }

  private boolean isWhole(int place) {
    int all = FILE | READABLE | REGISTERED | FIELDS;
    int mark = marks[place];
    return mark == 0
        || (mark & FORMAT_UNKNOWN) != 0
        || (mark & all) == all
            && (mark & CONTENT_MISSING) == 0
            && contents[place] == 0
            && ((mark & TRIPLES_UNKNOWN) != 0 || triples[place] == 0);
  }

  /** How many are neither whole nor absent. */
  int damaged() {
    int damaged = 0;
    for (int i = 0; i < keys.length; i++) {
      if (!isWhole(i)) {
        damaged++;
      }
    }
    return damaged;
  }

  /** How many objects have a file. */
  int files() {
    int files = 0;
    for (short mark : marks) {
      files += mark & FILE;
    }
    return files;
  }

  private int placeOf(String pid) {
    if (size >= keys.length / 4 * 3) {
      grow();
    }
    long key = hash(pid);
    int place = find(key);
    if (keys[place] == 0) {
      keys[place] = key;
      size++;
    }
    return place;
  }

  private int find(long key) {
    int place = (int) (((key >>> 33) * keys.length) >>> 31);
    while (keys[place] != 0 && keys[place] != key) {
      place = place + 1 == keys.length ? 0 : place + 1;
    }
    return place;
  }

  private void grow() {
    if (keys.length >= MOST_PLACES) {
      throw new IllegalStateException("more than " + size + " PIDs are too many to be looked at");
    }
    long[] oldKeys = keys;
    short[] oldMarks = marks;
    int[] oldContents = contents;
    int[] oldTriples = triples;
    allocate((int) Math.min(MOST_PLACES, oldKeys.length * 3L / 2));
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int place = find(oldKeys[i]);
        keys[place] = oldKeys[i];
        marks[place] = oldMarks[i];
        contents[place] = oldContents[i];
        triples[place] = oldTriples[i];
      }
    }
  }

  /** FNV-1a with the last mix of MurmurHash3; never 0. */
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

package org.fedometer.datasets.ndltd;

import java.util.Arrays;
import org.fedometer.datasets.random.StableRandom;

/**
 * Places of the archive's records and numbers of its collections; a collection comes directly
 * before its first record. The first <i>n</i> objects are thus always a complete archive without
 * empty collections. Created once, then read by any thread.
 */
final class Hierarchy {

  static final int SETS = 100;
  static final int FIRST_YEAR = 1990;
  static final int YEARS = 23;
  static final int INITIALS = 26;

  /**
   * Records and their number of sets in the study: W1, W2, W3, W4 and W7. Beyond that, this dataset
   * adds none.
   */
  private static final int[][] STUDIED = {
    {0, 0}, {100, 19}, {200, 25}, {400, 42}, {800, 57}, {6_400, SETS}
  };

  /** The first record of each set; records between two sizes of the study are evenly spread. */
  private static final long[] FIRST_RECORDS = firstRecords();

  private static final int PLACE_STREAM = 1;
  private static final int MAX_LEVELS = 3;

  private final long seed;
  private final int levels;
  private final long records;

  /** Numbers of the collections among all objects, ascending. */
  private long[] numbers = new long[64];

  /** {@link Place#code} of each of them. */
  private int[] codes = new int[64];

  private int collections;

  /** Number of the collection of a code, or -1. */
  private final long[] numberOfCode;

  /**
   * A node of the hierarchy: a set, a year of it, or an initial of that.
   *
   * @param year the year counted from {@link #FIRST_YEAR}, or -1
   * @param initial 0 for A, or -1
   */
  record Place(int set, int year, int initial) {

    /** Returns the node above, or null for a set. */
    Place parent() {
      if (initial >= 0) {
        return new Place(set, year, -1);
      }
      return year >= 0 ? new Place(set, -1, -1) : null;
    }

    private int code() {
      return (set * (YEARS + 1) + year + 1) * (INITIALS + 1) + initial + 1;
    }

    private static Place of(int code) {
      int above = code / (INITIALS + 1);
      return new Place(above / (YEARS + 1), above % (YEARS + 1) - 1, code % (INITIALS + 1) - 1);
    }
  }

  /**
   * @param levels 1, 2 or 3
   * @param records the number of records; each costs some 20 ns here
   */
  Hierarchy(long seed, int levels, long records) {
    if (levels < 1 || levels > MAX_LEVELS) {
      throw new IllegalArgumentException("a hierarchy has 1, 2 or 3 levels, not " + levels);
    }
    this.seed = seed;
    this.levels = levels;
    this.records = records;
    numberOfCode = new long[SETS * (YEARS + 1) * (INITIALS + 1)];
    Arrays.fill(numberOfCode, -1);
    for (long record = 0; record < records; record++) {
      introduce(collectionOf(record), record);
    }
    numbers = Arrays.copyOf(numbers, collections);
    codes = Arrays.copyOf(codes, collections);
  }

  private static long[] firstRecords() {
    long[] records = new long[SETS];
    for (int i = 1; i < STUDIED.length; i++) {
      int[] from = STUDIED[i - 1];
      int[] to = STUDIED[i];
      for (int set = from[1]; set < to[1]; set++) {
        double share = (double) (set - from[1]) / (to[1] - from[1]);
        records[set] = Math.round(spread(from[0], to[0], share));
      }
    }
    return records;
  }

  /** Returns an even spread, or equal numbers per doubling if the size more than doubles. */
  private static double spread(int from, int to, double share) {
    return to > 2 * from && from > 0
        ? from * StrictMath.pow((double) to / from, share)
        : from + share * (to - from);
  }

  private void introduce(Place place, long record) {
    if (place == null || numberOfCode[place.code()] >= 0) {
      return;
    }
    introduce(place.parent(), record);
    if (collections == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * collections);
      codes = Arrays.copyOf(codes, 2 * collections);
    }
    numbers[collections] = record + collections;
    codes[collections] = place.code();
    numberOfCode[place.code()] = record + collections;
    collections++;
  }

  long size() {
    return records + collections;
  }

  int collections() {
    return collections;
  }

  /** Returns the collection with this number, or null if it is that of a record. */
  Place collection(long number) {
    int found = Arrays.binarySearch(numbers, number);
    return found < 0 ? null : Place.of(codes[found]);
  }

  /** Returns the record of an object number, counted without the collections. */
  long record(long number) {
    // For a missing number, the result gives its insertion point: the number of collections before
    // it.
    return number + Arrays.binarySearch(numbers, number) + 1;
  }

  long number(Place collection) {
    return numberOfCode[collection.code()];
  }

  /** Returns the lowest collection that contains the record. */
  Place collectionOf(long record) {
    Place full = placeOf(record);
    return switch (levels) {
      case 1 -> new Place(full.set, -1, -1);
      case 2 -> new Place(full.set, full.year, -1);
      default -> full;
    };
  }

  /** Returns set, year and initial of a record's author, regardless of the levels. */
  Place placeOf(long record) {
    StableRandom random = StableRandom.of(seed, PLACE_STREAM, record);
    // A few universities have most of the theses, and recent years more than earlier ones.
    double share = random.nextOpen();
    int found = Arrays.binarySearch(FIRST_RECORDS, record);
    int set = found >= 0 ? found : (int) ((-found - 1) * share * share);
    int year = YEARS - 1 - (int) (YEARS * (1 - StrictMath.sqrt(random.nextOpen())));
    return new Place(set, year, ThesisText.initial(random));
  }
}

package org.fedometer.driver.request;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.driver.journal.Stride;

/**
 * One driver's part of an ingest that several drivers share without communication: number {@code
 * number} of {@code count} drivers has every {@code count}th object.
 *
 * @param number 1 to {@code count}
 * @param count 1 to {@value #MAX_COUNT}
 */
public record Shard(int number, int count) {

  public static final Shard WHOLE = new Shard(1, 1);

  /** More drivers are useless for one Fedora. */
  public static final int MAX_COUNT = 1000;

  private static final Pattern FORM = Pattern.compile("([0-9]{1,4})/([0-9]{1,4})");

  public Shard {
    if (count < 1 || count > MAX_COUNT || number < 1 || number > count) {
      throw new IllegalArgumentException(
          "shard "
              + number
              + "/"
              + count
              + " does not exist; give one as in 3/8, the second number at most "
              + MAX_COUNT);
    }
  }

  /**
   * @param text as in {@code 3/8}
   * @throws IllegalArgumentException with a message for the user
   */
  public static Shard parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("shard '" + text + "': give one as in 3/8");
    }
    return new Shard(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
  }

  public Stride stride() {
    return new Stride(count, number - 1);
  }

  public boolean isPart() {
    return count > 1;
  }

  public boolean has(long index) {
    return index % count == number - 1;
  }

  /** Returns this driver's first index that is not below {@code index}. */
  public long nextFrom(long index) {
    long ahead = Math.floorMod(number - 1 - index, (long) count);
    return index > Long.MAX_VALUE - ahead ? Long.MAX_VALUE : index + ahead;
  }

  /** Returns the number of this driver's indices from {@code first} to below {@code end}. */
  public long countOf(long first, long end) {
    long from = nextFrom(first);
    return from >= end ? 0 : (end - from - 1) / count + 1;
  }

  @Override
  public String toString() {
    return number + "/" + count;
  }
}

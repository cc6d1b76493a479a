package org.fedometer.store;

import java.security.SecureRandom;
import java.util.regex.Pattern;

/**
 * Creates ULIDs, the identities of runs: 26 characters of Crockford's base 32. The first ten are
 * milliseconds since 1970, so that text order is time order. Stateless, any thread. See <a
 * href="https://github.com/ulid/spec">the specification</a>.
 */
public final class Ulid {
  private static final char[] DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
  private static final Pattern SHAPE = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}");
  private static final int TIME_DIGITS = 10;
  private static final int RANDOM_DIGITS = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Ulid() {}

  public static String next() {
    return of(System.currentTimeMillis());
  }

  public static String of(long epochMillis) {
    if (epochMillis < 0 || epochMillis >>> 48 != 0) {
      throw new IllegalArgumentException("A ULID's time has 48 bits: " + epochMillis);
    }
    char[] text = new char[TIME_DIGITS + RANDOM_DIGITS];
    for (int i = 0; i < TIME_DIGITS; i++) {
      text[i] = DIGITS[(int) (epochMillis >>> 5 * (TIME_DIGITS - 1 - i)) & 31];
    }
    for (int i = TIME_DIGITS; i < text.length; i++) {
      text[i] = DIGITS[RANDOM.nextInt(DIGITS.length)];
    }
    return new String(text);
  }

  public static boolean isUlid(String text) {
    return SHAPE.matcher(text).matches();
  }

  public static long epochMillisOf(String ulid) {
    if (!isUlid(ulid)) {
      throw new IllegalArgumentException("Not a ULID: " + ulid);
    }
    long millis = 0;
    for (int i = 0; i < TIME_DIGITS; i++) {
      millis = millis << 5 | new String(DIGITS).indexOf(ulid.charAt(i));
    }
    return millis;
  }
}

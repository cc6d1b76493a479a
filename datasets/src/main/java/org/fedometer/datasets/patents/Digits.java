package org.fedometer.datasets.patents;

/** Numbers as text, the same in every locale. */
final class Digits {

  private Digits() {}

  /** Returns a number of zero or above with leading zeros. */
  static String padded(long number, int width) {
    String digits = Long.toString(number);
    return digits.length() >= width ? digits : "0".repeat(width - digits.length()) + digits;
  }

  /** Returns a date of eight digits, {@code yyyyMMdd}. */
  static String date(int year, int month, int day) {
    return Integer.toString(year * 10_000 + month * 100 + day);
  }
}

package org.fedometer.driver.request;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Generates the W3C header {@code traceparent}, one per request, which correlates requests with
 * stages inside Fedora. Stateless, thread-safe.
 */
public final class Traceparent {

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private Traceparent() {}

  /** Returns version 00, a random trace and parent identifier (neither all zero), sampled. */
  public static String random() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    char[] text = "00-00000000000000000000000000000000-0000000000000000-01".toCharArray();
    put(text, 3, random.nextLong());
    put(text, 19, nonZero(random));
    put(text, 36, nonZero(random));
    return new String(text);
  }

  private static long nonZero(ThreadLocalRandom random) {
    long value;
    do {
      value = random.nextLong();
    } while (value == 0);
    return value;
  }

  private static void put(char[] text, int from, long value) {
    for (int i = 0; i < 16; i++) {
      text[from + i] = HEX[(int) (value >>> (60 - 4 * i)) & 15];
    }
  }
}

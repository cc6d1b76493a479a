package org.fedometer.wire;

/** Formats a number with its noun for messages. Pure; any thread. */
public final class Counted {
  private Counted() {}

  /**
   * Returns text such as {@code 1 object} and {@code 1,081 objects}.
   *
   * @param noun a singular whose plural adds an s
   */
  public static String of(long count, String noun) {
    return of(count, noun, noun + "s");
  }

  /**
   * Returns text such as {@code 1 flush is} and {@code 2 flushes are}.
   *
   * @param one the words after the number 1
   * @param many the words after all other numbers
   */
  public static String of(long count, String one, String many) {
    // No Formatter: an agent calls this when hardly any memory is left.
    StringBuilder text = new StringBuilder(32).append(count);
    int first = count < 0 ? 1 : 0;
    for (int at = text.length() - 3; at > first; at -= 3) {
      text.insert(at, ',');
    }
    return text.append(' ').append(count == 1 ? one : many).toString();
  }
}

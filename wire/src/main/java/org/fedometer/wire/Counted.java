package org.fedometer.wire;

/** A number with what it counts, as a sentence for people has it. Pure; any thread. */
public final class Counted {
  private Counted() {}

  /**
   * Such as {@code 1 object} and {@code 1,081 objects}.
   *
   * @param noun one whose plural ends in a mere s
   */
  public static String of(long count, String noun) {
    return of(count, noun, noun + "s");
  }

  /**
   * Such as {@code 1 flush is} and {@code 2 flushes are}.
   *
   * @param one what follows the number 1: nouns and verbs
   * @param many what follows all other numbers
   */
  public static String of(long count, String one, String many) {
    // No Formatter: an agent says so where there is hardly any memory left.
    StringBuilder text = new StringBuilder(32).append(count);
    int first = count < 0 ? 1 : 0;
    for (int at = text.length() - 3; at > first; at -= 3) {
      text.insert(at, ',');
    }
    return text.append(' ').append(count == 1 ? one : many).toString();
  }
}

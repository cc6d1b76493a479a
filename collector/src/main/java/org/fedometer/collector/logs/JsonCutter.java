package org.fedometer.collector.logs;

/**
 * Splits JSON objects by their brackets outside of strings.
 *
 * <p>Array syntax may stand between them, with or without an opening bracket. Log4j2's JsonLayout
 * with {@code complete="true"} writes that once at program start; later connections begin with a
 * comma.
 */
final class JsonCutter implements EventCutter {
  private static final String GELF =
      "GELF events without a delimiter cannot be separated: set compressionType=\"OFF\""
          + " includeNullDelimiter=\"true\" at the GelfLayout";

  private boolean inArray;
  private boolean delimiterDue;
  private boolean inText;
  private boolean escaped;
  private int depth;

  /** Reports GELF input: uncompressed events without delimiters are followed by compressed ones. */
  void needsDelimiter() {
    delimiterDue = true;
  }

  @Override
  public int skip(byte[] bytes, int from, int to) throws LogRefusedException {
    for (int i = from; i < to; i++) {
      byte next = bytes[i];
      if (delimiterDue) {
        if (next != 0 && next != '\n' && next != '\r') {
          throw new LogRefusedException(GELF);
        }
        delimiterDue = false;
      }
      if (next == '{') {
        return i;
      }
      boolean between =
          next == ' '
              || next == '\n'
              || next == '\r'
              || next == '\t'
              || next == 0
              || next == ','
              || isBracket(next);
      if (!between) {
        throw new LogRefusedException(
            "the JSON is broken: a byte %d where an event begins or ends".formatted(next & 0xFF));
      }
    }
    return to;
  }

  /**
   * Returns whether it is a valid bracket of the array; a connection may contain only the closing
   * one.
   */
  private boolean isBracket(byte next) {
    boolean opens = next == '[' && !inArray;
    inArray = opens || inArray && next != ']';
    return opens || next == ']';
  }

  @Override
  public int end(byte[] bytes, int from, int to) throws LogRefusedException {
    for (int i = from; i < to; i++) {
      byte next = bytes[i];
      if (inText) {
        if (escaped) {
          escaped = false;
        } else if (next == '\\') {
          escaped = true;
        } else if (next == '"') {
          inText = false;
        }
      } else if (next == 0) {
        throw new LogRefusedException(
            "the JSON has a NUL within an event; if it is UTF-16, set charset=\"UTF-8\" at the"
                + " layout");
      } else if (next == '"') {
        inText = true;
      } else if (next == '{' || next == '[') {
        depth++;
        if (depth > MAX_DEPTH) {
          throw new LogRefusedException("a JSON event is nested deeper than " + MAX_DEPTH);
        }
      } else if (next == '}' || next == ']') {
        depth--;
        if (depth == 0) {
          return i + 1;
        }
      }
    }
    return -1;
  }
}

package org.fedometer.collector.logs;

/** Cuts JSON objects, by their brackets outside of texts. */
final class JsonCutter implements EventCutter {
  private static final String GELF =
      "GELF events that nothing delimits cannot be told apart: set compressionType=\"OFF\""
          + " includeNullDelimiter=\"true\" at the GelfLayout";

  private final boolean arrays;
  private boolean inArray;
  private boolean delimiterDue;
  private boolean inText;
  private boolean escaped;
  private int depth;

  /**
   * @param arrays the objects may be elements of an array
   */
  JsonCutter(boolean arrays) {
    this.arrays = arrays;
  }

  /** What came was GELF: what begins without compression and delimiter goes on compressed. */
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
              || arrays && ofArray(next);
      if (!between) {
        throw new LogRefusedException(
            "the JSON is broken: a byte %d where an event begins or ends".formatted(next & 0xFF));
      }
    }
    return to;
  }

  private boolean ofArray(byte next) {
    if (next == '[' || next == ']') {
      boolean opens = next == '[';
      boolean fits = inArray != opens;
      inArray = opens;
      return fits;
    }
    return next == ',' && inArray;
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

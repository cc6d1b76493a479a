package org.fedometer.datasets;

/**
 * How long a literal is where a triplestore keeps it, and how to cut one to fit.
 *
 * <p>MPTStore keeps N-Triples text in an indexed column: a literal in double quotes, with quotes,
 * backslashes, tabs and line ends escaped by a backslash (two bytes) and every other character
 * outside printable ASCII by its UTF-16 code units in hexadecimal (six bytes each). A limit
 * therefore holds for that form, not for UTF-8, and Fedora does not complain when it is passed: the
 * triples are lost when the buffer is flushed.
 */
public final class StoredLiteral {

  private static final int QUOTES_BYTES = 2;

  private StoredLiteral() {}

  /** Bytes of the stored form, its quotes included. */
  public static int storedBytes(String value) {
    int bytes = QUOTES_BYTES;
    for (int i = 0; i < value.length(); ) {
      int codePoint = value.codePointAt(i);
      bytes += escapedBytes(codePoint);
      i += Character.charCount(codePoint);
    }
    return bytes;
  }

  /**
   * The value itself if its stored form fits, or its longest beginning that does, cut between words
   * where there is a space in its last quarter, with trailing space removed.
   */
  public static String cut(String value, int limitBytes) {
    int bytes = QUOTES_BYTES;
    for (int i = 0; i < value.length(); ) {
      int codePoint = value.codePointAt(i);
      bytes += escapedBytes(codePoint);
      if (bytes > limitBytes) {
        int space = value.lastIndexOf(' ', i);
        return value.substring(0, space > 0 && space >= i - i / 4 ? space : i).stripTrailing();
      }
      i += Character.charCount(codePoint);
    }
    return value;
  }

  /** A character outside the basic plane is escaped as its two surrogates. */
  private static int escapedBytes(int codePoint) {
    return switch (codePoint) {
      case '"', '\\', '\n', '\r', '\t' -> 2;
      default -> {
        if (codePoint > 0xFFFF) {
          yield 12;
        }
        yield codePoint < 0x20 || codePoint > 0x7E ? 6 : 1;
      }
    };
  }
}

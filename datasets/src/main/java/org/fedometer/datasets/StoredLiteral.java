package org.fedometer.datasets;

/**
 * Length of a literal in a triplestore, and a way to cut one to fit.
 *
 * <p>MPTStore stores N-Triples text in an indexed column, with a literal in double quotes. Quotes,
 * backslashes, tabs and line ends are escaped by a backslash (two bytes). Every other character
 * outside printable ASCII becomes its UTF-16 code units in hexadecimal (six bytes each). A limit
 * therefore applies to that form, not to UTF-8. Fedora does not report longer literals: the triples
 * are lost when the buffer is flushed.
 */
public final class StoredLiteral {

  private static final int QUOTES_BYTES = 2;

  private StoredLiteral() {}

  /** Returns the bytes of the stored form, its quotes included. */
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
   * Returns the value itself if its stored form fits, else its longest prefix that does. The cut is
   * between words if the last quarter contains a space; trailing space is removed.
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

  /**
   * Returns the bytes of a character; one outside the basic plane is escaped as its two surrogates.
   */
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

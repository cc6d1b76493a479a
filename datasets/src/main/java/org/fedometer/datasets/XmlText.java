package org.fedometer.datasets;

/** Prepares text for XML 1.0: removes forbidden characters and escapes others as required. */
final class XmlText {

  private XmlText() {}

  private static boolean isLegal(int codePoint) {
    return codePoint >= 0x20 && codePoint <= 0xD7FF
        || codePoint == '\t'
        || codePoint == '\n'
        || codePoint == '\r'
        || codePoint >= 0xE000 && codePoint <= 0xFFFD
        || codePoint >= 0x10000;
  }

  /** Returns the text without the characters that XML 1.0 forbids (controls, lone surrogates). */
  static String legal(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x20 || c > 0xD7FF) {
        return text.codePoints()
            .filter(XmlText::isLegal)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text;
  }

  /**
   * Returns the text as Fedora stores it from inline XML: line ends become one character, and
   * surrounding white space is removed.
   */
  static String asStored(String text) {
    return legal(text).replace("\r\n", "\n").replace('\r', '\n').trim();
  }

  /** Appends the text as content of an element or, since quotes are escaped too, an attribute. */
  static void append(StringBuilder out, String text) {
    String legal = legal(text);
    for (int i = 0; i < legal.length(); i++) {
      char c = legal.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\t' -> out.append("&#9;");
        case '\n' -> out.append("&#10;");
        case '\r' -> out.append("&#13;");
        default -> out.append(c);
      }
    }
  }
}

package org.fedometer.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of an XML document before its root element: XML declaration, comments, processing
 * instructions. It may not appear within another document, and Fedora does not store it.
 */
public final class XmlProlog {

  /** Number of bytes searched for a root element. */
  private static final int MAX_BYTES = 64 * 1024;

  private static final Pattern ENCODING = Pattern.compile("encoding\\s*=\\s*[\"']([^\"']*)[\"']");
  private static final Pattern VERSION = Pattern.compile("version\\s*=\\s*[\"']1\\.0[\"']");

  private final String text;
  private int at;

  private XmlProlog(String text) {
    this.text = text;
  }

  /**
   * Returns the number of bytes to omit so that the rest fits into another UTF-8 document. Reads
   * only the beginning of the content, and does not check that the rest is well-formed.
   *
   * @return empty if this is impossible. It is then not XML by its media type, or has a document
   *     type. Or it is not version 1.0, not UTF-8, or has no root element in the first 64 KiB.
   */
  public static OptionalInt lengthBytes(ContentStream content) throws IOException {
    if (!isXml(content.mediaType())) {
      return OptionalInt.empty();
    }
    byte[] head;
    try (InputStream in = content.open()) {
      head = in.readNBytes(MAX_BYTES);
    }
    return new XmlProlog(new String(head, StandardCharsets.ISO_8859_1)).length();
  }

  private static boolean isXml(String mediaType) {
    String type = mediaType.toLowerCase(Locale.ROOT).replaceAll(";.*", "").strip();
    return type.equals("text/xml") || type.equals("application/xml") || type.endsWith("+xml");
  }

  private OptionalInt length() {
    if (text.startsWith("\u00EF\u00BB\u00BF")) {
      at = 3;
    }
    // A processing instruction's name may also begin this way: <?xml-stylesheet.
    if (text.startsWith("<?xml", at) && isSpace(at + 5) && !isDeclarationOfUtf8()) {
      return OptionalInt.empty();
    }
    while (at < text.length()) {
      if (isSpace(at)) {
        at++;
      } else if (text.startsWith("<!--", at)) {
        at = after("-->", at + 4);
      } else if (text.startsWith("<?", at)) {
        at = after("?>", at + 2);
      } else {
        boolean root = text.charAt(at) == '<' && !text.startsWith("<!", at);
        return root ? OptionalInt.of(at) : OptionalInt.empty();
      }
    }
    return OptionalInt.empty();
  }

  private boolean isSpace(int index) {
    return index < text.length() && " \t\r\n".indexOf(text.charAt(index)) >= 0;
  }

  private boolean isDeclarationOfUtf8() {
    String declaration = text.substring(at, after("?>", at));
    Matcher encoding = ENCODING.matcher(declaration);
    return VERSION.matcher(declaration).find()
        && (!encoding.find() || encoding.group(1).equalsIgnoreCase("UTF-8"));
  }

  private int after(String end, int from) {
    int found = text.indexOf(end, from);
    return found < 0 ? text.length() : found + end.length();
  }
}

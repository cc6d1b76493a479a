package org.fedometer.datasets.foxml;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.fedometer.datasets.DublinCoreValue;
import org.fedometer.datasets.StoredLiteral;

/**
 * Values of a DC datastream as Fedora's {@code DCFields} reads them: by local name, in any
 * namespace and depth. An element's text is the part between the last start tag and its end.
 */
final class DublinCore implements Metadata {

  private final Set<Value> values = new HashSet<>();
  private final Set<String> identifiers = new HashSet<>();
  private StringBuilder text = new StringBuilder();
  private String language;
  private int maxLiteralBytes;

  /** One triple. Triplestores and Fedora compare languages without regard to case. */
  private record Value(String element, String text, String language) {}

  @Override
  public void start(MetadataElement element) {
    text = new StringBuilder();
    language = element.value(MetadataElement.XML_NAMESPACE, "lang");
  }

  @Override
  public void text(String piece) {
    text.append(piece);
  }

  @Override
  public void end(String name) throws UnusableFoxmlException {
    if (!DublinCoreValue.isElement(name)) {
      return;
    }
    if (language != null && language.matches("(?s).*[<&\"].*")) {
      throw new UnusableFoxmlException(
          "has a DC with a language that Fedora does not escape, and fails on: '%s'"
              .formatted(language));
    }
    String value = asStored(text.toString());
    String tag = language == null ? "" : language.toLowerCase(Locale.ROOT);
    values.add(new Value(name, value, tag));
    if (name.equals("identifier")) {
      identifiers.add(value);
    }
    maxLiteralBytes =
        Math.max(
            maxLiteralBytes,
            StoredLiteral.storedBytes(value) + (tag.isEmpty() ? 0 : 1 + tag.length()));
  }

  /**
   * Returns the text after Fedora writes it unchanged and reads it again, which changes line ends.
   */
  static String asStored(String text) {
    return text.replace("\r\n", "\n").replace('\r', '\n').trim();
  }

  @Override
  public void end() {
    // Nothing is required.
  }

  /**
   * Returns the number of triples, including that of the PID, which Fedora adds if no identifier
   * equals it.
   */
  int triples(String pid) {
    return values.size() + (hasIdentifier(pid) ? 0 : 1);
  }

  boolean hasIdentifier(String pid) {
    return identifiers.contains(pid);
  }

  @Override
  public int maxLiteralBytes() {
    return maxLiteralBytes;
  }
}

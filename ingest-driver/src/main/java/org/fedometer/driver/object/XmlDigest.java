package org.fedometer.driver.object;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.fedometer.datasets.ChecksumAlgorithm;
import org.fedometer.datasets.FailureTrackingInputStream;
import org.fedometer.driver.fedora.FedoraXml;

/**
 * Digest of an XML document's information: elements and attributes by namespace and name, and text.
 * Stateless, thread-safe.
 *
 * <p>Fedora 3.8.1 keeps just that of inline XML. It drops comments and processing instructions,
 * reindents separately added datastreams, and loses the form of line ends and of white space in
 * attributes. White space therefore counts as one space, and at the ends of a text as none.
 */
public final class XmlDigest {

  /** Above the limit of any Fedora for XML within an object. */
  private static final int MAX_TEXT_LENGTH = 64_000_000;

  private static final XMLInputFactory FACTORY = FedoraXml.factory(false);

  private XmlDigest() {}

  /**
   * @return lower-case hexadecimal, equal for equivalent documents
   * @throws IOException if it is not well-formed; exceptions of {@code in} are rethrown as they are
   */
  public static String sha256(InputStream in) throws IOException {
    MessageDigest digest = ChecksumAlgorithm.SHA_256.newDigest();
    StringBuilder text = new StringBuilder();
    FailureTrackingInputStream tracked = new FailureTrackingInputStream(in);
    try {
      XMLStreamReader reader = FACTORY.createXMLStreamReader(tracked);
      try {
        while (reader.hasNext()) {
          switch (reader.next()) {
            case XMLStreamConstants.START_ELEMENT -> {
              add(digest, 'T', text);
              add(digest, 'S', reader.getNamespaceURI(), reader.getLocalName());
              addAttributes(digest, reader);
            }
            case XMLStreamConstants.END_ELEMENT -> {
              add(digest, 'T', text);
              add(digest, 'E', "", "");
            }
            case XMLStreamConstants.CHARACTERS,
                XMLStreamConstants.CDATA,
                XMLStreamConstants.SPACE -> {
              text.append(reader.getText());
              if (text.length() > MAX_TEXT_LENGTH) {
                throw new IOException(
                    "A text in it has more than "
                        + MAX_TEXT_LENGTH / 1_000_000
                        + " million characters");
              }
            }
            default -> {}
          }
        }
      } finally {
        reader.close();
      }
    } catch (XMLStreamException e) {
      tracked.rethrow();
      throw new IOException("It is not well-formed XML: " + e.getMessage(), e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void addAttributes(MessageDigest digest, XMLStreamReader reader) {
    Map<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String namespace = reader.getAttributeNamespace(i);
      attributes.put(
          (namespace == null ? "" : namespace) + ' ' + reader.getAttributeLocalName(i),
          normalizedSpace(reader.getAttributeValue(i)));
    }
    attributes.forEach((name, value) -> add(digest, 'A', name, value));
  }

  private static void add(MessageDigest digest, char kind, StringBuilder text) {
    String normalized = normalizedSpace(text);
    text.setLength(0);
    if (!normalized.isEmpty()) {
      add(digest, kind, "", normalized);
    }
  }

  /** Adds parts, each followed by a character that XML excludes. */
  private static void add(MessageDigest digest, char kind, String first, String second) {
    String part = kind + (first == null ? "" : first) + '\0' + second + '\0';
    digest.update(part.getBytes(StandardCharsets.UTF_8));
  }

  /** Collapses XML's white space only: a no-break space is text. */
  private static String normalizedSpace(CharSequence text) {
    StringBuilder normalized = new StringBuilder(text.length());
    boolean space = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        space = true;
      } else {
        if (space && normalized.length() > 0) {
          normalized.append(' ');
        }
        space = false;
        normalized.append(c);
      }
    }
    return normalized.toString();
  }
}

package org.fedometer.datasets.patents;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Identifies files of patents in unsupported formats by their first bytes. Stateless. */
final class ForeignPatent {
  static final int FIRST_BYTES = 2048;

  private ForeignPatent() {}

  /**
   * Returns the type of a file that is not well-formed XML, as a clause to follow its name.
   *
   * @param first its first bytes, at most {@link #FIRST_BYTES}
   */
  static Optional<String> named(byte[] first) {
    String text = new String(first, StandardCharsets.ISO_8859_1);
    if (text.startsWith("PK\003\004") || text.startsWith("PK\005\006")) {
      return Optional.of("is a zip file: unpack it");
    } else if (text.startsWith("\037\u008b")) {
      return Optional.of("is packed with gzip: unpack it");
    } else if (text.startsWith("HHHHHT") || text.stripLeading().startsWith("PATN")) {
      return Optional.of(
          "is in APS, the USPTO's text format from 1976 to 2001, which is not supported:"
              + " convert it, or use patents from 2002 on, which are XML");
    } else if (!text.stripLeading().startsWith("<?xml")
        && (text.contains("<!DOCTYPE PATDOC") || text.stripLeading().startsWith("<PATDOC"))) {
      return Optional.of(
          "is SGML, the USPTO's format of 2001, instead of XML: convert it (for example"
              + " with osx of OpenSP), or use patents from 2002 on");
    }
    return Optional.empty();
  }
}

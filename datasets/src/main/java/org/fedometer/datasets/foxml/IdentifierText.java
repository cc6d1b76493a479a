package org.fedometer.datasets.foxml;

import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;

/** The text of a DC identifier while it is read, to detect the object's PID and its place. */
final class IdentifierText {

  private final long from;
  private final StringBuilder text = new StringBuilder();

  private IdentifierText(long from) {
    this.from = from;
  }

  /**
   * Returns an instance for the start tag at the cursor; null if it is not that of an identifier.
   */
  static IdentifierText startingAt(XMLStreamReader2 xml) {
    return xml.getLocalName().equals("identifier") ? new IdentifierText(endingOffset(xml)) : null;
  }

  /** Returns the offset after the start tag at the cursor. */
  static long endingOffset(XMLStreamReader2 xml) {
    try {
      return xml.getLocationInfo().getEndingCharOffset();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a start tag that was read has an end", e);
    }
  }

  void append(String piece) {
    text.append(piece);
  }

  /** Returns the occurrence for the end tag at the cursor. */
  Optional<FoxmlDocument.PidOccurrence> endingAt(XMLStreamReader2 xml, String pid) {
    return text.toString().trim().equals(pid)
        ? Optional.of(
            new FoxmlDocument.PidOccurrence(
                from, xml.getLocationInfo().getStartingCharOffset(), null, "", ""))
        : Optional.empty();
  }
}

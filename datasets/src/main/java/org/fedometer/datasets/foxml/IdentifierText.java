package org.fedometer.datasets.foxml;

import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;

/** The text of an identifier of DC while it is read: whether it is the object's PID, and where. */
final class IdentifierText {

  private final long from;
  private final StringBuilder text = new StringBuilder();

  private IdentifierText(long from) {
    this.from = from;
  }

  /** For the start tag at the cursor; null if it is none of an identifier. */
  static IdentifierText startingAt(XMLStreamReader2 xml) {
    return xml.getLocalName().equals("identifier") ? new IdentifierText(endingOffset(xml)) : null;
  }

  /** Offset behind the start tag at the cursor. */
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

  /** For the end tag at the cursor. */
  Optional<FoxmlDocument.PidOccurrence> endingAt(XMLStreamReader2 xml, String pid) {
    return text.toString().trim().equals(pid)
        ? Optional.of(
            new FoxmlDocument.PidOccurrence(
                from, xml.getLocationInfo().getStartingCharOffset(), null, "", ""))
        : Optional.empty();
  }
}

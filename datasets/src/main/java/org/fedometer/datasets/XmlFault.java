package org.fedometer.datasets;

import java.nio.charset.CharacterCodingException;
import javax.xml.stream.XMLStreamException;

/** Describes faults of a user's XML file, with advice. Stateless. */
public final class XmlFault {

  private XmlFault() {}

  /** Returns one clause to follow the file's name. */
  public static String of(Throwable e) {
    String message = firstLine(e);
    if (message.startsWith("Maximum ")) {
      return "is too large or too deep to be read: " + message;
    }
    if (message.startsWith("Illegal processing instruction target (\"xml\")")
        || message.contains("multiple root")) {
      return "holds several documents, split the file: " + message;
    }
    if (isCoding(e)) {
      return "has bytes that are invalid in its encoding: " + message;
    }
    return "is not well-formed XML: " + message;
  }

  private static boolean isCoding(Throwable e) {
    return e instanceof XMLStreamException xml
        && xml.getNestedException() instanceof CharacterCodingException;
  }

  private static String firstLine(Throwable e) {
    String message = String.valueOf(e.getMessage()).strip();
    if (e instanceof XMLStreamException located && located.getLocation() != null) {
      int end = message.indexOf('\n');
      return "%s (line %d)"
          .formatted(
              end < 0 ? message : message.substring(0, end), located.getLocation().getLineNumber());
    }
    return message;
  }
}

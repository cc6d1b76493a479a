package org.fedometer.datasets.patents;

import com.ctc.wstx.exc.WstxLazyException;
import com.ctc.wstx.stax.WstxInputFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.fedometer.datasets.SafeXml;
import org.fedometer.datasets.WatchedInput;
import org.fedometer.datasets.XmlFault;

/**
 * Reads the bibliographic data of real patent documents: ST.36 in its US, WIPO and European shapes
 * (us-patent-grant and us-patent-application 4.x and the like), ST.32 (PATDOC 2.x) and PAP 1.5. Any
 * thread may call it.
 *
 * <p>Such files name DTDs that are not there and use their entities. No DTD is read, nothing is
 * fetched, no entity is expanded; an undeclared one becomes the character that it is known for.
 */
final class PatentXmlReader {

  /**
   * In memory, where each element has the text of those inside it. Far above any real one: the
   * longest list of citations seen takes a tenth.
   */
  private static final int MOST_CHARACTERS = 8_000_000;

  /** Elements that may stand before the bibliographic part. */
  private static final int MOST_ELEMENTS_BEFORE = 100;

  private static final WstxInputFactory FACTORY = SafeXml.factory();

  private PatentXmlReader() {}

  /** Says in one clause, fit to follow a file's name, why a document cannot be used. */
  static final class NotAPatentException extends Exception {

    private static final long serialVersionUID = 1L;

    NotAPatentException(String message) {
      super(message);
    }
  }

  /**
   * Reads one document as far as its abstract.
   *
   * @param in from the start; not closed
   * @throws NotAPatentException if it is not well-formed as far as it was read, or no patent
   * @throws IOException if reading fails
   */
  static PatentRecord read(InputStream in) throws IOException, NotAPatentException {
    return read(in, false);
  }

  /** The same, but that all of the document has to be well-formed. */
  static PatentRecord readToTheEnd(InputStream in) throws IOException, NotAPatentException {
    return read(in, true);
  }

  private static PatentRecord read(InputStream in, boolean toTheEnd)
      throws IOException, NotAPatentException {
    byte[] first = in.readNBytes(ForeignPatent.FIRST_BYTES);
    WatchedInput watched =
        new WatchedInput(new SequenceInputStream(new ByteArrayInputStream(first), in));
    try {
      XMLStreamReader reader = FACTORY.createXMLStreamReader(watched);
      try {
        PatentRecord patent = read(reader);
        while (toTheEnd && reader.hasNext()) {
          reader.next();
        }
        return patent;
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | WstxLazyException e) {
      // Other exceptions of a running program would be our own faults.
      watched.rethrow();
      throw new NotAPatentException(
          ForeignPatent.named(first)
              .orElseGet(() -> XmlFault.of(e instanceof WstxLazyException ? e.getCause() : e)));
    }
  }

  private static PatentRecord read(XMLStreamReader reader)
      throws XMLStreamException, NotAPatentException {
    String root = "";
    String language = "";
    XmlNode bibliographic = null;
    XmlNode summary = null;
    XmlNode claim = null;
    BibliographicForm form = null;
    int elements = 0;
    while (reader.hasNext()) {
      int event = reader.next();
      if (event != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      String name = reader.getLocalName();
      if (root.isEmpty()) {
        root = name;
        language = attribute(reader, "lang");
      }
      if (bibliographic == null) {
        form = BibliographicForm.startingWith(name);
        if (form != null) {
          bibliographic = subtree(reader);
        } else if (++elements > MOST_ELEMENTS_BEFORE) {
          break;
        }
      } else if (form.isAbstract(name)) {
        summary = subtree(reader);
        break;
      } else if (form.isClaim(name)) {
        // A design has no abstract: its one claim says what it is.
        claim = subtree(reader);
        break;
      }
    }
    if (bibliographic == null) {
      throw new NotAPatentException(
          "is no patent document that is known: its root element is <"
              + root
              + "> and it has no bibliographic data");
    }
    String text = summary != null ? summary.text() : claim != null ? claim.text() : "";
    PatentRecord patent = form.read(bibliographic, text, language(language));
    if (patent.number().isEmpty()) {
      throw new NotAPatentException("has bibliographic data without a publication number");
    }
    if (patent.title().isEmpty()) {
      throw new NotAPatentException("has bibliographic data without a title");
    }
    return patent;
  }

  private static String language(String given) {
    return given.isEmpty() ? "en" : given.toLowerCase(Locale.ROOT);
  }

  private static String attribute(XMLStreamReader reader, String name) {
    String value = reader.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  /** Reads from a start tag to its end tag. */
  private static XmlNode subtree(XMLStreamReader reader)
      throws XMLStreamException, NotAPatentException {
    XmlNode top = new XmlNode(reader.getLocalName(), attribute(reader, "app-type"));
    Deque<XmlNode> open = new ArrayDeque<>();
    open.push(top);
    int characters = 0;
    while (!open.isEmpty()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          XmlNode child = new XmlNode(reader.getLocalName(), attribute(reader, "app-type"));
          open.peek().add(child);
          open.push(child);
          characters += 16;
        }
        case XMLStreamConstants.END_ELEMENT -> {
          XmlNode done = open.pop();
          if (!open.isEmpty()) {
            open.peek().appendTextOf(done);
            characters += done.length();
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          open.peek().append(reader.getText());
          characters += reader.getTextLength();
        }
        case XMLStreamConstants.ENTITY_REFERENCE -> {
          open.peek().append(PatentEntities.text(reader.getLocalName()));
          characters++;
        }
        default -> {
          // comments and processing instructions say nothing
        }
      }
      if (characters > MOST_CHARACTERS) {
        throw new NotAPatentException(
            "has an element of more than " + MOST_CHARACTERS + " characters");
      }
    }
    return top;
  }
}

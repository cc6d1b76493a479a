package org.fedometer.datasets.patents;

import com.ctc.wstx.exc.WstxLazyException;
import com.ctc.wstx.stax.WstxInputFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.fedometer.datasets.FailureTrackingInputStream;
import org.fedometer.datasets.SafeXml;
import org.fedometer.datasets.XmlFault;

/**
 * Reads the bibliographic data of real patent documents: ST.36 in its US, WIPO, European and
 * Japanese shapes, the European office's exchange format (DOCDB, OPS), ST.32 (PATDOC 2.x) and PAP
 * 1.5. A file is one document: several below one root are refused, as several roots are. Any thread
 * may call it.
 *
 * <p>Such files name DTDs that are not there and use their entities. No DTD is read, nothing is
 * fetched, no entity is expanded; an undeclared one becomes the character that it is known for.
 */
final class PatentXmlReader {

  /**
   * In memory, where each element has the text of those inside it. Far above any real one: the
   * longest list of citations seen takes a tenth.
   */
  private static final int MAX_CHARACTERS = 8_000_000;

  /** Elements that may stand before the bibliographic part. */
  private static final int MAX_ELEMENTS_BEFORE = 100;

  /** Those that say something about an element here. */
  private static final Set<String> ATTRIBUTES =
      Set.of(
          "lang",
          "app-type",
          "data-format",
          "country",
          "doc-number",
          "kind",
          "kind-of-st16",
          "date-publ");

  private static final WstxInputFactory FACTORY = SafeXml.factory();

  private final XMLStreamReader reader;

  /** Elements around the cursor, as long as no bibliographic data was found. */
  private final Deque<XmlNode> around = new ArrayDeque<>();

  /** The names of all elements before the bibliographic data. */
  private final List<String> before = new ArrayList<>();

  private BibliographicForm form;
  private XmlNode root;

  /** What the bibliographic data is in: there may be no other of that name. */
  private XmlNode document;

  private XmlNode bibliographic;
  private final List<XmlNode> summaries = new ArrayList<>();

  /** In memory. */
  private int characters;

  private PatentXmlReader(XMLStreamReader reader) {
    this.reader = reader;
  }

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
    FailureTrackingInputStream tracked =
        new FailureTrackingInputStream(
            new SequenceInputStream(new ByteArrayInputStream(first), in));
    try {
      XMLStreamReader reader = FACTORY.createXMLStreamReader(tracked);
      try {
        return new PatentXmlReader(reader).read(toTheEnd);
      } finally {
        reader.close();
      }
    } catch (XMLStreamException | WstxLazyException e) {
      // Other exceptions of a running program would be our own faults.
      tracked.rethrow();
      throw new NotAPatentException(
          ForeignPatent.named(first)
              .orElseGet(() -> XmlFault.of(e instanceof WstxLazyException ? e.getCause() : e)));
    }
  }

  private PatentRecord read(boolean toTheEnd) throws XMLStreamException, NotAPatentException {
    boolean done = false;
    while (reader.hasNext() && (toTheEnd || !done)) {
      int event = reader.next();
      if (event == XMLStreamConstants.END_ELEMENT) {
        around.poll();
      } else if (event == XMLStreamConstants.START_ELEMENT) {
        if (bibliographic == null) {
          startBefore(reader.getLocalName());
        } else {
          requireOne(reader.getLocalName());
          done = done || isSummaryRead(reader.getLocalName());
        }
      }
    }
    if (bibliographic == null) {
      throw unknown();
    }
    PatentRecord patent = form.read(root, document, bibliographic, summaries);
    if (patent.number().isEmpty()) {
      throw new NotAPatentException("has bibliographic data without a publication number");
    }
    if (patent.title().isEmpty()) {
      throw new NotAPatentException("has bibliographic data without a title");
    }
    return patent;
  }

  private void startBefore(String name) throws XMLStreamException, NotAPatentException {
    if (root == null) {
      root = node();
      requireReadFormat();
    }
    form = BibliographicForm.startingWith(name);
    if (form == null) {
      before.add(name);
      if (before.size() > MAX_ELEMENTS_BEFORE) {
        throw unknown();
      }
      around.push(node());
      return;
    }
    document = around.isEmpty() ? root : around.peek();
    if (Collections.frequency(before, document.name()) > 1) {
      throw several(document.name());
    }
    if (document.name().equals("register-document")) {
      throw new NotAPatentException(
          "is an extract of the European Patent Register, which is not read");
    }
    bibliographic = subtree();
  }

  private void requireReadFormat() throws NotAPatentException {
    String namespace = reader.getNamespaceURI();
    if (namespace == null) {
      return;
    }
    if (namespace.equals("info:fedora/fedora-system:def/foxml#")) {
      throw new NotAPatentException(
          "is FOXML and no patent document: the dataset foxml:DIR reads it");
    }
    if (namespace.contains("/ST96/") || root.name().matches(".*PatentPublication|PatentGrant")) {
      throw new NotAPatentException("is in the format WIPO ST.96, which is not read");
    }
  }

  private void requireOne(String name) throws NotAPatentException {
    if (BibliographicForm.startingWith(name) != null || name.equals(document.name())) {
      throw several(name);
    }
  }

  private NotAPatentException several(String name) {
    return new NotAPatentException(
        "has several documents in one file, split it: there is another <%s> (line %d)"
            .formatted(name, reader.getLocation().getLineNumber()));
  }

  /**
   * Takes abstracts that stand beside each other, or else the first claim: a design has no abstract
   * and its one claim says what it is.
   *
   * @return whether there is nothing more to take
   */
  private boolean isSummaryRead(String name) throws XMLStreamException, NotAPatentException {
    if (form.isAbstract(name)) {
      summaries.add(subtree());
      return false;
    }
    if (summaries.isEmpty() && form.isClaim(name)) {
      summaries.add(subtree());
    }
    return !summaries.isEmpty();
  }

  private NotAPatentException unknown() {
    return new NotAPatentException(
        "is no patent document that is known: its root element is <"
            + root.name()
            + "> and it has no bibliographic data");
  }

  private XmlNode node() {
    Map<String, String> attributes = Map.of();
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String name = reader.getAttributeLocalName(i);
      if (ATTRIBUTES.contains(name)) {
        attributes = attributes.isEmpty() ? new HashMap<>(4) : attributes;
        attributes.put(name, reader.getAttributeValue(i));
      }
    }
    return new XmlNode(reader.getLocalName(), attributes);
  }

  /** Reads from the start tag at the cursor to its end tag. */
  private XmlNode subtree() throws XMLStreamException, NotAPatentException {
    XmlNode top = node();
    Deque<XmlNode> open = new ArrayDeque<>();
    open.push(top);
    while (!open.isEmpty()) {
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          XmlNode child = node();
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
      if (characters > MAX_CHARACTERS) {
        throw new NotAPatentException(
            "has more than " + MAX_CHARACTERS + " characters of bibliographic data");
      }
    }
    return top;
  }
}

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
 * Reads the bibliographic data of real patent documents. Supports ST.36 in its US, WIPO, European
 * and Japanese forms, the European office's exchange format (DOCDB, OPS), ST.32 (PATDOC 2.x) and
 * PAP 1.5. A file is one document: several below one root are refused, as are several roots. Any
 * thread may call it.
 *
 * <p>Such files name missing DTDs and use their entities. No DTD is read, nothing is fetched, no
 * entity is expanded; an undeclared one becomes its usual character.
 */
final class PatentXmlReader {

  /**
   * Limit for memory, where each element contains the text of its descendants. Far above real
   * documents: the longest known list of citations takes a tenth.
   */
  private static final int MAX_CHARACTERS = 8_000_000;

  /** Limit on elements before the bibliographic part. */
  private static final int MAX_ELEMENTS_BEFORE = 100;

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

  /** Elements around the cursor, until bibliographic data is found. */
  private final Deque<XmlNode> around = new ArrayDeque<>();

  /** The names of all elements before the bibliographic data. */
  private final List<String> before = new ArrayList<>();

  private BibliographicForm form;
  private XmlNode root;

  /** Element around the bibliographic data, the only one of its name. */
  private XmlNode document;

  private XmlNode bibliographic;
  private final List<XmlNode> summaries = new ArrayList<>();

  /** Number of characters in memory. */
  private int characters;

  private PatentXmlReader(XMLStreamReader reader) {
    this.reader = reader;
  }

  /** Gives one clause, to follow a file's name, that explains why a document is unusable. */
  static final class NotAPatentException extends Exception {

    private static final long serialVersionUID = 1L;

    NotAPatentException(String message) {
      super(message);
    }
  }

  /**
   * Reads one document as far as its abstract.
   *
   * @param in the document from its start; not closed
   * @throws NotAPatentException if the part read is not well-formed, or is no patent
   */
  static PatentRecord read(InputStream in) throws IOException, NotAPatentException {
    return read(in, false);
  }

  /** Reads the same, but requires the whole document to be well-formed. */
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
      // Other runtime exceptions would be faults of this program.
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
          "is an extract of the European Patent Register, which is not supported");
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
          "is FOXML instead of a patent document: use the dataset foxml:DIR");
    }
    if (namespace.contains("/ST96/") || root.name().matches(".*PatentPublication|PatentGrant")) {
      throw new NotAPatentException("is in the format WIPO ST.96, which is not supported");
    }
  }

  private void requireOne(String name) throws NotAPatentException {
    if (BibliographicForm.startingWith(name) != null || name.equals(document.name())) {
      throw several(name);
    }
  }

  private NotAPatentException several(String name) {
    return new NotAPatentException(
        "holds several documents, split the file: there is another <%s> (line %d)"
            .formatted(name, reader.getLocation().getLineNumber()));
  }

  /**
   * Reads adjacent abstracts, or else the first claim: a design has no abstract, and its only claim
   * describes it.
   *
   * @return whether all have been read
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
        "is not a known patent document: its root element is <"
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
          // comments and processing instructions have no meaning here
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

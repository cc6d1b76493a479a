package org.fedometer.datasets.foxml;

import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.DTDInfo;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * Moves from tag to tag of a FOXML file and refuses content that violates its schema. For one
 * thread.
 */
final class FoxmlCursor {

  static final String FOXML = "info:fedora/fedora-system:def/foxml#";

  private static final String SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

  private final XMLStreamReader2 xml;

  FoxmlCursor(XMLStreamReader2 xml) {
    this.xml = xml;
  }

  /** Moves to the next start or end tag. */
  int next() throws XMLStreamException, UnusableFoxmlException {
    while (true) {
      int event = xml.next();
      switch (event) {
        case XMLStreamConstants.START_ELEMENT,
            XMLStreamConstants.END_ELEMENT,
            XMLStreamConstants.END_DOCUMENT -> {
          return event;
        }
        case XMLStreamConstants.DTD -> {
          if (xml.getDTDInfo() != null && !isBare(xml.getDTDInfo())) {
            throw new UnusableFoxmlException(
                "has a DOCTYPE with declarations, which are not supported: remove it, FOXML"
                    + " needs none");
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (!xml.isWhiteSpace()) {
            throw new UnusableFoxmlException(
                "has text where FOXML allows none (line %d)"
                    .formatted(xml.getLocation().getLineNumber()));
          }
        }
        case XMLStreamConstants.ENTITY_REFERENCE -> throw undeclaredEntity();
        default -> {
          // Comments, processing instructions and white space have no meaning here.
        }
      }
    }
  }

  /** Returns whether it names the root element and declares nothing. */
  private static boolean isBare(DTDInfo type) {
    String subset = type.getDTDInternalSubset();
    return type.getDTDPublicId() == null
        && type.getDTDSystemId() == null
        && (subset == null || subset.isBlank());
  }

  /** Reads an element that may not contain even white space. */
  void readEmptyElement() throws XMLStreamException, UnusableFoxmlException {
    String name = xml.getLocalName();
    int event = xml.next();
    while (event == XMLStreamConstants.COMMENT
        || event == XMLStreamConstants.PROCESSING_INSTRUCTION) {
      event = xml.next();
    }
    if (event != XMLStreamConstants.END_ELEMENT) {
      throw new UnusableFoxmlException(
          "has <%s> that is not empty (line %d)"
              .formatted(name, xml.getLocation().getLineNumber()));
    }
  }

  UnusableFoxmlException undeclaredEntity() {
    return new UnusableFoxmlException(
        "uses the entity &%s;, which is not declared".formatted(xml.getLocalName()));
  }

  UnusableFoxmlException unexpected() {
    return new UnusableFoxmlException(
        "has <%s> where FOXML 1.1 does not allow it (line %d)"
            .formatted(
                xml.isStartElement() || xml.isEndElement() ? xml.getLocalName() : "",
                xml.getLocation().getLineNumber()));
  }

  boolean isFoxml(String name) {
    return xml.getLocalName().equals(name) && namespace().equals(FOXML);
  }

  String namespace() {
    return xml.getNamespaceURI() == null ? "" : xml.getNamespaceURI();
  }

  String attribute(String name) {
    return xml.getAttributeValue("", name);
  }

  String required(String name) throws UnusableFoxmlException {
    String value = attribute(name);
    if (value == null) {
      throw new UnusableFoxmlException(
          "has <%s> without %s (line %d)"
              .formatted(xml.getLocalName(), name, xml.getLocation().getLineNumber()));
    }
    return value;
  }

  void requireOneOf(String attribute, String valueOrNull, Set<String> allowed)
      throws UnusableFoxmlException {
    if (valueOrNull != null && !allowed.contains(valueOrNull)) {
      throw new UnusableFoxmlException(
          "has <%s> with %s '%s' (line %d)"
              .formatted(
                  xml.getLocalName(), attribute, valueOrNull, xml.getLocation().getLineNumber()));
    }
  }

  void requireOnly(Set<String> allowed, boolean foreignToo) throws UnusableFoxmlException {
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String namespace = xml.getAttributeNamespace(i);
      boolean foreign = namespace != null && !namespace.isEmpty();
      boolean known =
          foreign
              ? foreignToo && !namespace.equals(FOXML) || namespace.equals(SCHEMA_INSTANCE)
              : allowed.contains(xml.getAttributeLocalName(i));
      if (!known) {
        throw new UnusableFoxmlException(
            "has <%s> with an attribute %s, which FOXML 1.1 does not allow (line %d)"
                .formatted(
                    xml.getLocalName(),
                    xml.getAttributeLocalName(i),
                    xml.getLocation().getLineNumber()));
      }
    }
  }
}

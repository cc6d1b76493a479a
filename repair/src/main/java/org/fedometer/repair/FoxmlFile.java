package org.fedometer.repair;

import java.io.BufferedInputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Content of an object's file, read to its end. Immutable. */
final class FoxmlFile {

  private static final String FOXML = "info:fedora/fedora-system:def/foxml#";
  private static final XMLInputFactory FACTORY = factory();

  private final String pid;
  private final Map<ContentKey, Long> contents;

  private FoxmlFile(String pid, Map<ContentKey, Long> contents) {
    this.pid = pid;
    this.contents = contents;
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  /** Thrown if the file is not complete XML, or FOXML without an object; gives the reason. */
  static final class BrokenException extends Exception {
    BrokenException(String reason) {
      super(reason);
    }
  }

  /**
   * @throws IOException if it cannot be read at all
   */
  static FoxmlFile read(Path file) throws IOException, BrokenException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      XMLStreamReader xml = FACTORY.createXMLStreamReader(in);
      try {
        return read(xml);
      } finally {
        xml.close();
      }
    } catch (XMLStreamException e) {
      if (e.getNestedException() instanceof IOException && !isOfEncoding(e.getNestedException())) {
        throw (IOException) e.getNestedException();
      }
      throw new BrokenException(e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  /** Returns whether the file has invalid characters, a fault of the file and not of the disk. */
  private static boolean isOfEncoding(Throwable e) {
    return e instanceof CharConversionException
        || e instanceof CharacterCodingException
        || e instanceof UnsupportedEncodingException;
  }

  private static FoxmlFile read(XMLStreamReader xml) throws XMLStreamException, BrokenException {
    xml.nextTag();
    if (!xml.getLocalName().equals("digitalObject") || !FOXML.equals(xml.getNamespaceURI())) {
      while (xml.hasNext()) {
        xml.next();
      }
      return new FoxmlFile(null, Collections.emptyMap());
    }
    String pid = xml.getAttributeValue(null, "PID");
    if (pid == null) {
      throw new BrokenException("it names no PID");
    }
    Map<ContentKey, Long> contents = new LinkedHashMap<>();
    boolean managed = false;
    long size = -1;
    while (xml.next() != XMLStreamConstants.END_DOCUMENT) {
      if (!xml.isStartElement() || !FOXML.equals(xml.getNamespaceURI())) {
        continue;
      }
      switch (xml.getLocalName()) {
        case "datastream":
          managed = "M".equals(xml.getAttributeValue(null, "CONTROL_GROUP"));
          break;
        case "datastreamVersion":
          size = size(xml.getAttributeValue(null, "SIZE"));
          break;
        case "contentLocation":
          ContentKey key = managed ? ContentKey.of(xml.getAttributeValue(null, "REF")) : null;
          if (key != null) {
            contents.put(key, size);
          }
          break;
        default:
          break;
      }
    }
    return new FoxmlFile(pid, contents);
  }

  private static long size(String text) {
    try {
      return text == null ? -1 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Returns whether it is FOXML; Fedora can be configured to store objects in other formats. */
  boolean isFoxml() {
    return pid != null;
  }

  /** Returns the PID; null if it is not FOXML. */
  String pid() {
    return pid;
  }

  /**
   * Returns the managed content that it lists, each with its size in bytes; 0 and less mean
   * unknown.
   */
  Map<ContentKey, Long> contents() {
    return contents;
  }
}

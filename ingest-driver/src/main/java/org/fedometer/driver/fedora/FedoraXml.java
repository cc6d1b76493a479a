package org.fedometer.driver.fedora;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.Consumer;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.fedometer.datasets.FailureTrackingInputStream;

/**
 * Reads Fedora's small XML responses as a stream of elements, without DTDs and external entities.
 * Stateless, thread-safe.
 */
public final class FedoraXml {

  /**
   * A page of a hundred objects with long records has a hundredth of this; a RELS-EXT of this
   * length has half a million statements.
   */
  static final int MAX_BYTES = 64 << 20;

  private static final XMLInputFactory FACTORY = factory(true);

  private FedoraXml() {}

  /**
   * Creates parsers without DTDs and external entities.
   *
   * @param coalescing true to get each text in one piece
   */
  public static XMLInputFactory factory(boolean coalescing) {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, coalescing);
    return factory;
  }

  /** The reader's current element, valid during the call only. */
  public static final class Element {

    private final XMLStreamReader reader;

    private Element(XMLStreamReader reader) {
      this.reader = reader;
    }

    public String name() {
      return reader.getLocalName();
    }

    /** Returns the namespace URI, or an empty string. */
    public String namespace() {
      String namespace = reader.getNamespaceURI();
      return namespace == null ? "" : namespace;
    }

    /** Returns an attribute without namespace, or an empty string. */
    public String attribute(String name) {
      return attribute(null, name);
    }

    /** Returns an attribute, or an empty string. */
    public String attribute(String namespace, String name) {
      String value = reader.getAttributeValue(namespace, name);
      return value == null ? "" : value;
    }

    /** Returns the element's text and moves to its end; it must have no child elements. */
    public String text() {
      try {
        return reader.getElementText();
      } catch (XMLStreamException e) {
        throw new NotXmlException(e);
      }
    }
  }

  private static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException() {
      super("Fedora's response is longer than " + (MAX_BYTES >> 20) + " MiB, the limit");
    }
  }

  /** Limits an endless response. */
  private static final class LimitedInputStream extends FilterInputStream {
    private int left = MAX_BYTES;

    LimitedInputStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      return counted(in.read(), 1);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = in.read(target, offset, length);
      return counted(count, count);
    }

    private int counted(int result, int bytes) throws IOException {
      left -= result < 0 ? 0 : bytes;
      if (left < 0) {
        throw new TooLongException();
      }
      return result;
    }
  }

  private static final class NotXmlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotXmlException(XMLStreamException cause) {
      super(cause);
    }
  }

  /**
   * Passes every element to {@code consumer} in document order.
   *
   * @throws IOException if it is no XML, or longer than {@link #MAX_BYTES}; exceptions of {@code
   *     in} are rethrown as they are
   */
  public static void forEachElement(InputStream in, Consumer<Element> consumer) throws IOException {
    Objects.requireNonNull(consumer, "consumer");
    FailureTrackingInputStream tracked = new FailureTrackingInputStream(new LimitedInputStream(in));
    try {
      XMLStreamReader reader = FACTORY.createXMLStreamReader(tracked);
      try {
        Element element = new Element(reader);
        while (reader.hasNext()) {
          if (reader.next() == XMLStreamConstants.START_ELEMENT) {
            consumer.accept(element);
          }
        }
      } finally {
        reader.close();
      }
    } catch (XMLStreamException e) {
      tracked.rethrow();
      throw broken(e);
    } catch (NotXmlException e) {
      tracked.rethrow();
      throw broken(e.getCause());
    }
  }

  private static IOException broken(Throwable e) {
    return new IOException("Fedora's response cannot be read as XML: " + e.getMessage(), e);
  }
}

package org.fedometer.collector.logs;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.fedometer.wire.record.LogLevel;

/** Reads the elements of Log4j2's XmlLayout, without DTDs and external entities. One thread. */
final class XmlEvents implements LogStream.EventReader {
  private static final byte[] EVENT = "<Event".getBytes(StandardCharsets.US_ASCII);

  /** Rejects malformed input, the default of a new decoder. */
  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();

  private final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
  private XMLStreamReader xml;
  private LogEvent into;

  XmlEvents() {
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
  }

  @Override
  public boolean read(byte[] bytes, int from, int to, LogEvent event) throws LogRefusedException {
    if (!isEvent(bytes, from, to)) {
      return false;
    }
    into = event;
    try {
      xml =
          factory.createXMLStreamReader(
              new StringReader(utf8.decode(ByteBuffer.wrap(bytes, from, to - from)).toString()));
      xml.nextTag();
      event();
      xml.close();
    } catch (CharacterCodingException | XMLStreamException | RuntimeException e) {
      throw new LogRefusedException("the XML is broken or not supported", e);
    } finally {
      xml = null;
    }
    return true;
  }

  private static boolean isEvent(byte[] bytes, int from, int to) {
    for (int i = 0; i < EVENT.length; i++) {
      if (from + i >= to || bytes[from + i] != EVENT[i]) {
        return false;
      }
    }
    return bytes[from + EVENT.length] != 's';
  }

  private void event() throws XMLStreamException {
    String millis = attribute("timeMillis");
    into.epochNanos = Times.ofMillis(number("timeMillis", -1));
    if (into.epochNanos == LogEvent.UNKNOWN && !millis.isEmpty()) {
      into.context.put("timeMillis", millis);
    }
    into.logger = attribute("loggerName");
    into.thread = attribute("thread");
    String name = attribute("level");
    LogLevel level = Levels.ofName(name);
    if (level == null) {
      level = Levels.ofNumber(name);
    }
    if (level != null) {
      into.level = level;
    } else if (!name.isEmpty()) {
      into.context.put("level", name);
    }
    while (nextChild()) {
      switch (xml.getLocalName()) {
        case "Instant" -> {
          instant();
          skip();
        }
        case "Message" -> into.message = text();
        case "ContextMap" -> contextMap();
        case "ContextStack" -> contextStack();
        case "Marker" -> {
          into.context.put("marker", attribute("name"));
          skip();
        }
        case "Thrown" -> into.thrown = exception().toString();
        case "Source" -> skip();
        default -> {
          String child = xml.getLocalName();
          into.context.put(child, text());
        }
      }
    }
    into.noteAssumed(level == null);
  }

  private void instant() {
    long time = Times.of(number("epochSecond", -1), number("nanoOfSecond", 0));
    if (time == LogEvent.UNKNOWN) {
      into.context.put("Instant", attribute("epochSecond") + "." + attribute("nanoOfSecond"));
    } else {
      into.epochNanos = time;
    }
  }

  private void contextMap() throws XMLStreamException {
    while (nextChild()) {
      into.context.put(attribute("key"), attribute("value"));
      skip();
    }
  }

  private void contextStack() throws XMLStreamException {
    StringBuilder stack = new StringBuilder();
    while (nextChild()) {
      stack.append(stack.length() == 0 ? "" : " ").append(text());
    }
    if (stack.length() > 0) {
      into.context.put("contextStack", stack.toString());
    }
  }

  /** Reads an exception. Recursion is as deep as the XML, see {@link EventCutter#MAX_DEPTH}. */
  private StackTrace exception() throws XMLStreamException {
    StackTrace exception = new StackTrace();
    exception.type = attribute("name");
    exception.message = attribute("message");
    exception.commonFrames = (int) number("commonElementCount", 0);
    while (next() != XMLStreamConstants.END_ELEMENT) {
      if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
        switch (xml.getLocalName()) {
          case "Cause" -> exception.cause = exception();
          case "ExtendedStackTrace" -> frames(exception);
          case "Suppressed" -> {
            while (nextChild()) {
              exception.suppressed.add(exception());
            }
          }
          default -> skip();
        }
      }
    }
    return exception;
  }

  /** Reads frames as elements or as one text. */
  private void frames(StackTrace exception) throws XMLStreamException {
    StringBuilder text = new StringBuilder();
    while (next() != XMLStreamConstants.END_ELEMENT) {
      if (xml.getEventType() == XMLStreamConstants.START_ELEMENT) {
        StackTrace.Frame frame = new StackTrace.Frame();
        frame.type = attribute("class");
        frame.method = attribute("method");
        frame.file = attribute("file");
        frame.line = attribute("line");
        frame.exact = !attribute("exact").equals("false");
        if (!attribute("location").isEmpty()) {
          frame.location = attribute("location");
        }
        if (!attribute("version").isEmpty()) {
          frame.version = attribute("version");
        }
        exception.add(frame);
        skip();
      } else if (xml.isCharacters()) {
        text.append(xml.getText());
      }
    }
    if (!text.toString().isBlank()) {
      exception.text = text.toString();
    }
  }

  // ---- XML ----

  /** Moves to the next child element, or to the current element's end. */
  private boolean nextChild() throws XMLStreamException {
    while (true) {
      int type = next();
      if (type == XMLStreamConstants.START_ELEMENT) {
        return true;
      }
      if (type == XMLStreamConstants.END_ELEMENT) {
        return false;
      }
    }
  }

  private int next() throws XMLStreamException {
    int type = xml.next();
    if (type == XMLStreamConstants.ENTITY_REFERENCE) {
      throw new XMLStreamException("an entity that XML does not define");
    }
    if (type == XMLStreamConstants.END_DOCUMENT) {
      throw new XMLStreamException("it ends too early");
    }
    return type;
  }

  /** Returns all characters up to the element's end, including those of nested elements. */
  private String text() throws XMLStreamException {
    StringBuilder text = new StringBuilder();
    int depth = 1;
    while (depth > 0) {
      int type = next();
      if (type == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (type == XMLStreamConstants.END_ELEMENT) {
        depth--;
      } else if (xml.isCharacters()) {
        text.append(xml.getText());
      }
    }
    return text.toString();
  }

  private void skip() throws XMLStreamException {
    text();
  }

  private String attribute(String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  private long number(String name, long otherwise) {
    try {
      return Long.parseLong(attribute(name));
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}

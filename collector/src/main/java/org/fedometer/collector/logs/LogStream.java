package org.fedometer.collector.logs;

import java.util.Arrays;
import org.fedometer.wire.Counted;

/**
 * Splits one connection's bytes into log events, independent of the reads. Keeps only the received
 * part of the current event; texts are decoded once complete. One thread.
 *
 * <pre>{@code
 * stream.read(bytes, 0, count); // passes events to the sink
 * String cutShort = stream.end();
 * }</pre>
 */
public final class LogStream {
  /**
   * Limit of an event; longer ones are refused. Strings of JsonTemplateLayout have 16 KiB each, and
   * stored stack traces are cut to 64 KiB. The limit leaves space for nested ones and white space.
   */
  public static final int MAX_EVENT_BYTES = 1 << 20;

  private static final int FIRST_PART_BYTES = 1024;
  private static final byte[] EMPTY = {};

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final LogFormat format;
  private final EventCutter cutter;
  private final EventReader reader;
  private final LogSink sink;
  private final LogEvent event = new LogEvent();
  private byte[] part = EMPTY;
  private int partBytes;

  /** Number of received bytes of an initial mark; all or none once decided. */
  private int byteOrderMarkBytes;

  private boolean begun;
  private boolean withinEvent;
  private long events;

  interface EventReader {
    /**
     * @param into a cleared event
     * @return false if this is no event for the log
     */
    boolean read(byte[] bytes, int from, int to, LogEvent into) throws LogRefusedException;

    default String remark() {
      return null;
    }
  }

  /**
   * @param agentEvents handles events of Fedometer's agent; null to treat them as any other
   */
  public LogStream(LogFormat format, LogSink sink, AgentEvents agentEvents) {
    this.format = format;
    this.cutter = format.cutter();
    this.sink = sink;
    this.reader =
        switch (format) {
          case JSON, JSON_ARRAY -> new JsonEvents(agentEvents, (JsonCutter) cutter);
          case XML -> new XmlEvents();
          case SYSLOG_LINES, SYSLOG_COUNTED -> new SyslogEvents(format);
          case LINES -> new LineEvents();
        };
  }

  /**
   * Reads received bytes; the caller may reuse the array afterwards.
   *
   * @throws LogRefusedException if the rest is refused; events before the invalid one are passed on
   */
  public void read(byte[] bytes, int from, int to) throws LogRefusedException {
    int at = from;
    while (!begun && at < to) {
      if (bytes[at] == BYTE_ORDER_MARK[byteOrderMarkBytes]) {
        byteOrderMarkBytes++;
        at++;
        begun = byteOrderMarkBytes == BYTE_ORDER_MARK.length;
      } else {
        begun = true;
        // They were text, not a mark.
        readOn(BYTE_ORDER_MARK, 0, byteOrderMarkBytes);
      }
    }
    readOn(bytes, at, to);
  }

  private void readOn(byte[] bytes, int from, int to) throws LogRefusedException {
    if (partBytes == 0) {
      int left = cut(bytes, from, from, to);
      buffer(bytes, left, to);
      return;
    }
    int before = partBytes;
    ensureCapacity(partBytes + to - from);
    System.arraycopy(bytes, from, part, partBytes, to - from);
    partBytes += to - from;
    int left = cut(part, 0, before, partBytes);
    if (left > 0) {
      byte[] all = part;
      int end = partBytes;
      part = EMPTY;
      partBytes = 0;
      buffer(all, left, end);
    }
  }

  /** Returns the bytes of the current, incomplete event. */
  public int partBytes() {
    return partBytes;
  }

  /** Returns the number of complete events, of any recipient, including other markup of XML. */
  public long events() {
    return events;
  }

  /** Returns a sentence on a wrong configuration that the events show; null for none. */
  public String remark() {
    return reader.remark();
  }

  /** Ends the stream; returns a description of a truncated event, or null. */
  public String end() throws LogRefusedException {
    if (partBytes == 0) {
      return null;
    }
    int bytes = partBytes;
    partBytes = 0;
    if (!format.endsWithTheConnection()) {
      part = EMPTY;
      return "an event was cut short after " + Counted.of(bytes, "byte");
    }
    emit(part, 0, bytes);
    part = EMPTY;
    return null;
  }

  static LogRefusedException tooLong() {
    return new LogRefusedException(
        "an event has more than %d bytes, or its end is not marked (set eventEol=\"true\","
                .formatted(MAX_EVENT_BYTES)
            + " newLine=\"true\", %n)");
  }

  /**
   * @param begin start of the current event, if any
   * @param from start of unexamined bytes
   * @return start of the incomplete event
   */
  private int cut(byte[] bytes, int begin, int from, int to) throws LogRefusedException {
    int first = begin;
    int at = from;
    while (at < to) {
      if (!withinEvent) {
        at = cutter.skip(bytes, at, to);
        first = at;
        if (at == to) {
          break;
        }
        withinEvent = true;
      }
      int end = cutter.end(bytes, at, to);
      if ((end < 0 ? to : end) - first > MAX_EVENT_BYTES) {
        throw tooLong();
      }
      if (end < 0) {
        return first;
      }
      withinEvent = false;
      emit(bytes, first, end);
      at = end;
    }
    return withinEvent ? first : to;
  }

  private void emit(byte[] bytes, int from, int to) throws LogRefusedException {
    events++;
    try {
      if (reader.read(bytes, from, to, event)) {
        sink.event(event);
      }
    } finally {
      // Its texts may be long, and the next event may be long in coming.
      event.clear();
    }
  }

  private void buffer(byte[] bytes, int from, int to) {
    ensureCapacity(to - from);
    System.arraycopy(bytes, from, part, 0, to - from);
    partBytes = to - from;
  }

  /** Doubles the capacity, so that single bytes do not cause a copy each. */
  private void ensureCapacity(int bytes) {
    if (bytes > part.length) {
      int twice = Math.max(FIRST_PART_BYTES, 2 * part.length);
      part = Arrays.copyOf(part, Math.max(bytes, Math.min(twice, MAX_EVENT_BYTES + 1)));
    }
  }
}

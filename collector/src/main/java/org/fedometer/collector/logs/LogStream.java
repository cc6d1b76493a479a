package org.fedometer.collector.logs;

import java.util.Arrays;
import org.fedometer.wire.Counted;

/**
 * The bytes of one connection, however they are split into reads, as log events. Keeps no more than
 * the part of an event that has come; texts are decoded when all of their bytes are there. One
 * thread.
 *
 * <pre>{@code
 * stream.read(bytes, 0, count); // hands events to the sink
 * String cutShort = stream.end();
 * }</pre>
 */
public final class LogStream {
  /**
   * A longer event is refused. Texts of JsonTemplateLayout have 16 KiB each, and stack traces are
   * cut to 64 KiB when they are stored; this leaves room for those that nest and for whitespace.
   */
  public static final int MAX_EVENT_BYTES = 1 << 20;

  private static final int FIRST_PART_BYTES = 1024;
  private static final byte[] EMPTY = {};

  /** UTF-8's byte order mark. */
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final LogFormat format;
  private final EventCutter cutter;
  private final EventReader reader;
  private final LogSink sink;
  private final LogEvent event = new LogEvent();
  private byte[] part = EMPTY;
  private int partBytes;

  /** Bytes of a mark at the beginning that have come; all, or none, once that is told. */
  private int byteOrderMarkBytes;

  private boolean begun;
  private boolean withinEvent;
  private long events;

  interface EventReader {
    /**
     * @param into is clear
     * @return false where this is no event for the log
     */
    boolean read(byte[] bytes, int from, int to, LogEvent into) throws LogRefusedException;

    default String remark() {
      return null;
    }
  }

  /** {@code own} takes events of Fedometer's own agent; null to take them as any other. */
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
   * Takes what has come; the caller may use the bytes again afterwards.
   *
   * @throws LogRefusedException nothing more is to be read; events before the bad one are handed on
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
        // They were no mark, but text.
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

  /** Bytes of an event that has not come to its end. */
  public int partBytes() {
    return partBytes;
  }

  /** Events that have come to their end, whoever takes them; XML's other markup counts, too. */
  public long events() {
    return events;
  }

  /** What the events so far have shown to be set up wrongly, a sentence; null for nothing. */
  public String remark() {
    return reader.remark();
  }

  /** Nothing more comes; returns what was cut short, in words, or null. */
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
        "an event has more than %d bytes, or nothing tells where it ends (eventEol=\"true\","
                .formatted(MAX_EVENT_BYTES)
            + " newLine=\"true\", %n)");
  }

  /**
   * @param begin of an event that is under way, if one is
   * @param from where bytes begin that have not been looked at
   * @return where the event begins that has not come to its end
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
      // Its texts may be long, and the next one may be far.
      event.clear();
    }
  }

  private void buffer(byte[] bytes, int from, int to) {
    ensureCapacity(to - from);
    System.arraycopy(bytes, from, part, 0, to - from);
    partBytes = to - from;
  }

  /** Twice as much each time: who sends byte by byte must not have all copied byte by byte. */
  private void ensureCapacity(int bytes) {
    if (bytes > part.length) {
      int twice = Math.max(FIRST_PART_BYTES, 2 * part.length);
      part = Arrays.copyOf(part, Math.max(bytes, Math.min(twice, MAX_EVENT_BYTES + 1)));
    }
  }
}

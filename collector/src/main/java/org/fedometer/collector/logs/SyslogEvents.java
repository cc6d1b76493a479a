package org.fedometer.collector.logs;

import java.util.regex.Pattern;

/**
 * Reads RFC 5424 as Log4j2's Rfc5424Layout writes it.
 *
 * <p>If only a priority is valid, the rest is the message. Text without a priority is a plain line,
 * such as the second line of a message. One thread.
 */
final class SyslogEvents implements LogStream.EventReader {
  private static final int MAX_PRIORITY = 191;
  private static final String FIRST_FRAME = "\n\tat ";
  private static final String NIL = "-";

  /** Start of another event within a line: priority, version, time. */
  private static final Pattern NEXT_EVENT = Pattern.compile("<\\d{1,3}>1 \\d{4}-\\d\\d-\\d\\dT");

  private static final String PRIORITY_END = ">1 ";

  private final boolean counted;
  private final LineEvents lines = new LineEvents();
  private boolean mergedEvents;

  SyslogEvents(LogFormat format) {
    this.counted = format == LogFormat.SYSLOG_COUNTED;
  }

  @Override
  public boolean read(byte[] bytes, int from, int to, LogEvent into) {
    int begin = from;
    while (counted && bytes[begin] != ' ') {
      begin++;
    }
    String text = LineEvents.line(bytes, counted ? begin + 1 : from, to);
    int end = text.indexOf('>');
    int priority = text.startsWith("<") && end > 1 && end < 5 ? number(text, 1, end) : -1;
    if (priority < 0 || priority > MAX_PRIORITY) {
      return lines.read(bytes, counted ? begin + 1 : from, to, into);
    }
    into.level = Levels.ofSyslog(priority);
    new Reading(text, end + 1, into).read();
    into.noteAssumed(false);
    // Hot path: the first check is fast and rarely true.
    mergedEvents =
        mergedEvents
            || into.message.contains(PRIORITY_END) && NEXT_EVENT.matcher(into.message).find();
    return true;
  }

  @Override
  public String remark() {
    return mergedEvents
        ? "a syslog event contains another one because none is terminated; set newLine=\"true\" at"
            + " Rfc5424Layout"
        : null;
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = number * 10 + digit - '0';
    }
    return number;
  }

  private static final class Reading {
    private final String text;
    private final LogEvent into;
    private int at;

    Reading(String text, int at, LogEvent into) {
      this.text = text;
      this.at = at;
      this.into = into;
    }

    void read() {
      if (text.startsWith("1 ", at) && wordsFrom(at + 2) >= 5) {
        at += 2;
        time(word());
        put("host", word());
        put("app", word());
        put("procId", word());
        put("msgId", word());
        structuredData();
      }
      String message = text.substring(Math.min(at, text.length()));
      if (message.startsWith(" ")) {
        message = message.substring(1);
      }
      if (message.startsWith("\uFEFF")) {
        message = message.substring(1);
      }
      message(message);
    }

    private void time(String timestamp) {
      into.epochNanos = Times.of(timestamp);
      if (into.epochNanos == LogEvent.UNKNOWN) {
        put("time", timestamp);
      }
    }

    /** Returns the number of words that end with a space, at most five. */
    private int wordsFrom(int from) {
      int words = 0;
      int space = text.indexOf(' ', from);
      while (space >= 0 && words < 5) {
        words++;
        space = text.indexOf(' ', space + 1);
      }
      return words;
    }

    private String word() {
      int space = text.indexOf(' ', at);
      String word = text.substring(at, space);
      at = space + 1;
      return word;
    }

    private void put(String name, String value) {
      if (!value.equals(NIL)) {
        into.context.put(name, value);
      }
    }

    /** Reads structured data; stops where it is invalid, and the rest is the message. */
    private void structuredData() {
      if (text.startsWith(NIL, at)) {
        at++;
        return;
      }
      while (at < text.length() && text.charAt(at) == '[') {
        int end = element(at + 1);
        if (end < 0) {
          return;
        }
        at = end;
      }
    }

    /** Returns the index after an element; negative if invalid. */
    private int element(int from) {
      int i = from;
      while (i < text.length() && text.charAt(i) != ' ' && text.charAt(i) != ']') {
        i++;
      }
      while (i < text.length() && text.charAt(i) == ' ') {
        int equals = text.indexOf('=', i);
        if (equals < 0 || !text.startsWith("\"", equals + 1)) {
          return -1;
        }
        StringBuilder value = new StringBuilder();
        int end = value(equals + 2, value);
        if (end < 0) {
          return -1;
        }
        parameter(text.substring(i + 1, equals), value.toString());
        i = end;
      }
      return i < text.length() && text.charAt(i) == ']' ? i + 1 : -1;
    }

    /** Returns the index after the value's quotation mark; negative without one. */
    private int value(int from, StringBuilder value) {
      for (int i = from; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '"') {
          return i + 1;
        }
        if (c == '\\' && i + 1 < text.length() && "\"\\]".indexOf(text.charAt(i + 1)) >= 0) {
          i++;
          c = text.charAt(i);
        }
        value.append(c);
      }
      return -1;
    }

    private void parameter(String name, String value) {
      switch (name) {
        case "logger", "loggerName" -> into.logger = value;
        case "thread", "threadName" -> into.thread = value;
        default -> into.context.put(name, value);
      }
    }

    /** Splits the message from a stack trace, which follows on the next line. */
    private void message(String message) {
      int frame = message.indexOf(FIRST_FRAME);
      int line = frame < 0 ? -1 : message.lastIndexOf('\n', frame - 1);
      into.message = line < 0 ? message : message.substring(0, line);
      into.thrown = line < 0 ? "" : message.substring(line + 1);
    }
  }
}

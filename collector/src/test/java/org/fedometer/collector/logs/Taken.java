package org.fedometer.collector.logs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fedometer.wire.record.LogLevel;

/** What a stream makes of bytes that come in pieces. */
record Taken(List<Line> lines, String refusal, String cutShort, int mostPartBytes) {

  /** An event, as it was when it came. */
  record Line(
      long epochNanos,
      LogLevel level,
      String logger,
      String thread,
      String message,
      String thrown,
      String context) {

    static Line of(LogEvent event) {
      return new Line(
          event.epochNanos,
          event.level(),
          event.logger(),
          event.thread(),
          event.message(),
          event.thrown(),
          event.context());
    }
  }

  /** The only event that the bytes hold. */
  static Line line(LogFormat format, String text) {
    Taken taken = of(format, text);
    if (taken.refusal != null || taken.cutShort != null || taken.lines.size() != 1) {
      throw new AssertionError(taken);
    }
    return taken.lines.get(0);
  }

  static Taken of(LogFormat format, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return of(format, bytes, List.of(bytes.length));
  }

  /**
   * @param reads their lengths, the last of which is used again and again
   */
  static Taken of(LogFormat format, byte[] bytes, List<Integer> reads) {
    List<Line> lines = new ArrayList<>();
    LogStream stream = new LogStream(format, event -> lines.add(Line.of(event)), null);
    int most = 0;
    try {
      int at = 0;
      for (int read = 0; at < bytes.length; read++) {
        int length = Math.max(1, reads.get(Math.min(read, reads.size() - 1)));
        int end = Math.min(bytes.length, at + length);
        // Neither the array nor the place in it is the stream's.
        byte[] some = new byte[end - at + 7];
        System.arraycopy(bytes, at, some, 3, end - at);
        stream.read(some, 3, 3 + end - at);
        Arrays.fill(some, (byte) '!');
        most = Math.max(most, stream.partBytes());
        at = end;
      }
      return new Taken(lines, null, stream.end(), most);
    } catch (LogRefusedException e) {
      return new Taken(lines, e.getMessage(), null, most);
    }
  }

  List<String> messages() {
    return lines.stream().map(Line::message).toList();
  }
}

package org.fedometer.collector.logs;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fedometer.wire.record.LogLevel;

/** Result of a stream for bytes that arrive in pieces. */
record ReadResult(List<Line> lines, String refusal, String cutShort, int maxPartBytes) {

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
    ReadResult result = of(format, text);
    if (result.refusal != null || result.cutShort != null || result.lines.size() != 1) {
      throw new AssertionError(result);
    }
    return result.lines.get(0);
  }

  static ReadResult of(LogFormat format, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return of(format, bytes, List.of(bytes.length));
  }

  /**
   * @param reads their lengths, the last of which is used again and again
   */
  static ReadResult of(LogFormat format, byte[] bytes, List<Integer> reads) {
    List<Line> lines = new ArrayList<>();
    LogStream stream = new LogStream(format, event -> lines.add(Line.of(event)), null);
    int max = 0;
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
        max = Math.max(max, stream.partBytes());
        at = end;
      }
      return new ReadResult(lines, null, stream.end(), max);
    } catch (LogRefusedException e) {
      return new ReadResult(lines, e.getMessage(), null, max);
    }
  }

  List<String> messages() {
    return lines.stream().map(Line::message).toList();
  }
}

package org.fedometer.experiments.collect;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.fedometer.wire.record.GcEncoder;

/**
 * Reads a JVM's log of garbage collections, as Java 8 and as later versions write it, and makes
 * frames of its pauses. Stateless.
 */
public final class GcLog {
  /** The JVM moves what fills up aside as {@code gc.log.0} and so on. */
  private static final Pattern NAME = Pattern.compile("gc\\.log(\\.\\d+)?");

  private static final int FRAME_BYTES = 256 * 1024;

  /** Lines between two words on how far it is. */
  private static final int LINES_PER_UPDATE = 100_000;

  private GcLog() {}

  /**
   * A stop of all of Fedora's threads for a collection.
   *
   * @param collector such as {@code G1}
   * @param cause in the JVM's words, or empty
   * @param heapBeforeBytes 0 where the log does not tell it with the pause
   * @param heapAfterBytes 0 where the log does not tell it with the pause
   */
  public record Pause(
      String collector,
      String action,
      String cause,
      long startEpochNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes) {}

  /**
   * What a log says.
   *
   * @param collector such as {@code G1}; null where the log does not tell it
   * @param cut whether the JVM has thrown the log's beginning away
   * @param pauses by start
   * @param notes what is missing among them, a sentence each
   */
  public record Reading(String collector, boolean cut, List<Pause> pauses, List<String> notes) {
    /** Puts the pauses in their order; they may be given in any. */
    public Reading {
      pauses = pauses.stream().sorted(Comparator.comparingLong(Pause::startEpochNanos)).toList();
      notes = List.copyOf(notes);
    }
  }

  /** What the lines of a log are handed to, in order; then asked what they said. */
  interface Lines {
    void accept(String line);

    Reading end();
  }

  /** Hears how much of a log was read, 0 to 1. */
  public interface Progress {
    void read(double fraction);
  }

  /** Takes the payloads of frames of the type GC, in order. */
  interface Target {
    void frame(byte[] payload) throws IOException;
  }

  /** The parts of a stack's log of garbage collections, the oldest first; none if it has none. */
  public static List<Path> parts(Map<String, Path> logs) throws IOException {
    record Part(Path file, FileTime written) {}
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, Path> log : logs.entrySet()) {
      if (NAME.matcher(log.getKey()).matches()) {
        parts.add(new Part(log.getValue(), Files.getLastModifiedTime(log.getValue())));
      }
    }
    return parts.stream().sorted(Comparator.comparing(Part::written)).map(Part::file).toList();
  }

  /**
   * @param parts of the log, the oldest first
   * @param collectorOrNull as an earlier reading told it, for a log that has lost its beginning
   */
  static Reading read(List<Path> parts, String collectorOrNull, Progress progress)
      throws IOException {
    Lines reader = isUnified(parts) ? new UnifiedGcLog(collectorOrNull) : new Java8GcLog(parts);
    long allBytes = 0;
    for (Path part : parts) {
      allBytes += Files.size(part);
    }
    long bytes = 0;
    long lineCount = 0;
    for (Path part : parts) {
      try (BufferedReader lines = Files.newBufferedReader(part, StandardCharsets.ISO_8859_1)) {
        String line;
        while ((line = lines.readLine()) != null) {
          reader.accept(line);
          bytes += line.length() + 1;
          if (++lineCount % LINES_PER_UPDATE == 0) {
            progress.read((double) bytes / allBytes);
          }
        }
      }
    }
    return reader.end();
  }

  /** Since Java 9 each line begins with what it is of, in brackets. */
  private static boolean isUnified(List<Path> parts) throws IOException {
    for (Path part : parts) {
      try (BufferedReader lines = Files.newBufferedReader(part, StandardCharsets.ISO_8859_1)) {
        String first = lines.readLine();
        if (first != null) {
          return first.startsWith("[");
        }
      }
    }
    return true;
  }

  /** The offset is what to add to this host's nanoTime to get nanoseconds since 1970. */
  static void encode(List<Pause> pauses, long epochOffsetNanos, Target target) throws IOException {
    GcEncoder encoder = new GcEncoder();
    for (Pause pause : pauses) {
      encoder.add(
          pause.collector(),
          pause.action(),
          pause.cause(),
          pause.startEpochNanos() - epochOffsetNanos,
          pause.durationNanos(),
          pause.heapBeforeBytes(),
          pause.heapAfterBytes());
      if (encoder.sizeBytes() >= FRAME_BYTES) {
        target.frame(encoder.finish());
      }
    }
    if (encoder.count() > 0) {
      target.frame(encoder.finish());
    }
  }
}

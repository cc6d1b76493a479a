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

/** Parses a JVM's GC log, of Java 8 and later, and encodes frames of its pauses. Stateless. */
public final class GcLog {
  /** The JVM rotates full logs to {@code gc.log.0} and so on. */
  private static final Pattern NAME = Pattern.compile("gc\\.log(\\.\\d+)?");

  private static final int FRAME_BYTES = 256 * 1024;

  /** Lines between progress updates. */
  private static final int LINES_PER_UPDATE = 100_000;

  private GcLog() {}

  /**
   * A pause of all of Fedora's threads for a collection.
   *
   * @param collector such as {@code G1}
   * @param cause the JVM's description, or empty
   * @param heapBeforeBytes 0 if not logged with the pause
   * @param heapAfterBytes 0 if not logged with the pause
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
   * Contents of a log.
   *
   * @param collector such as {@code G1}; null if not logged
   * @param cut true if the JVM has discarded the log's beginning
   * @param pauses by start
   * @param notes what is missing, a sentence each
   */
  public record Reading(String collector, boolean cut, List<Pause> pauses, List<String> notes) {
    /** Sorts the pauses, given in any order. */
    public Reading {
      pauses = pauses.stream().sorted(Comparator.comparingLong(Pause::startEpochNanos)).toList();
      notes = List.copyOf(notes);
    }
  }

  /** Consumer of a log's lines, in order, with a result at the end. */
  interface Lines {
    void accept(String line);

    Reading end();
  }

  /** Gets the fraction of a log that was read, 0 to 1. */
  public interface Progress {
    void read(double fraction);
  }

  /** Accepts the payloads of frames of the type GC, in order. */
  interface Target {
    void frame(byte[] payload) throws IOException;
  }

  /** Returns the parts of a stack's GC log, oldest first; empty without one. */
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
   * @param parts of the log, oldest first
   * @param collectorOrNull collector of an earlier reading, for a log that has lost its beginning
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

  /** Returns whether it is a log since Java 9, whose lines begin with a bracket. */
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

  /**
   * @param epochOffsetNanos added to this host's nanoTime gives nanoseconds since 1970
   */
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

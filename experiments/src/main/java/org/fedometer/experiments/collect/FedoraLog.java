package org.fedometer.experiments.collect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;

/**
 * Parses {@code fedora.log} in the format of Fedora's logback configuration, {@code INFO 2026-11-21
 * 02:51:21.710 [thread] (Logger) message}, and encodes frames. Lines with another beginning belong
 * to the one before. Stateless.
 */
public final class FedoraLog {
  private static final Pattern BEGINNING =
      Pattern.compile(
          "(TRACE|DEBUG|INFO|WARN|ERROR) (\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3})"
              + " \\[(.*?)\\] \\((.*?)\\) (.*)");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

  /** Only the end of a longer log is sent: about 200,000 lines. */
  private static final long MAX_BYTES = 32L << 20;

  /** Number of rolled files that Fedora's logback.xml keeps. */
  private static final int ROLLED = 5;

  /** Time, thread and logger of the first line. */
  private static final int BEGINNING_BYTES = 120;

  private static final int FRAME_BYTES = 256 * 1024;

  private FedoraLog() {}

  /** Accepts the payloads of frames of the type LOGS, in order. */
  interface Target {
    void frame(byte[] payload) throws IOException;
  }

  /** A file of a log from an offset: the beginning of a line, or the cut of a too long log. */
  record Part(Path file, long fromBytes) {}

  /**
   * The unsent part of a log.
   *
   * @param parts oldest first
   * @param gap true if lines right after the sent ones are lost
   */
  public record Unsent(List<Part> parts, boolean gap) {}

  /**
   * Finds the unsent part. Fedora begins a new file at 20 MB, and keeps the last five as {@code
   * .1}, the newest, to {@code .5}.
   *
   * @param log the current file
   * @param sentBeginning {@link #beginning} of the then current file when the log was last sent;
   *     null if never
   * @param sentBytes length of that file then
   */
  public static Unsent unsent(Path log, String sentBeginning, long sentBytes) throws IOException {
    Deque<Part> parts = new ArrayDeque<>();
    long remaining = MAX_BYTES;
    for (int number = 0; number <= ROLLED; number++) {
      Path file = number == 0 ? log : log.resolveSibling(log.getFileName() + "." + number);
      if (!Files.isRegularFile(file)) {
        continue;
      }
      boolean begunBefore = sentBeginning != null && sentBeginning.equals(beginning(file));
      long size = Files.size(file);
      long from = begunBefore && sentBytes <= size ? sentBytes : 0;
      if (size - from > remaining) {
        parts.addFirst(new Part(file, size - remaining));
        return new Unsent(List.copyOf(parts), sentBeginning != null);
      }
      parts.addFirst(new Part(file, from));
      remaining -= size - from;
      if (begunBefore) {
        return new Unsent(List.copyOf(parts), false);
      }
    }
    return new Unsent(List.copyOf(parts), sentBeginning != null);
  }

  /** Returns a line that identifies a file of the log, even after a renaming. */
  public static String beginning(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String first = new String(in.readNBytes(BEGINNING_BYTES), StandardCharsets.UTF_8);
      return first.lines().findFirst().orElse(null);
    }
  }

  /**
   * @param file in Fedora's character set, UTF-8
   * @param zone time zone of its times
   * @param fromBytes start offset, at the beginning of a line; a shorter log is a different one
   * @param epochOffsetNanos added to this host's nanoTime gives nanoseconds since 1970
   */
  static void read(Path file, ZoneId zone, long fromBytes, long epochOffsetNanos, Target target)
      throws IOException {
    long size = Files.size(file);
    long skip = Math.max(fromBytes > size ? 0 : fromBytes, size - MAX_BYTES);
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(skip);
      Reading reading = new Reading(zone, epochOffsetNanos, target);
      // Not a reader of Files, which would end at the first invalid UTF-8.
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      String line;
      while ((line = lines.readLine()) != null) {
        reading.accept(line);
      }
      reading.end();
    }
  }

  private static final class Reading {
    private final ZoneId zone;
    private final long epochOffsetNanos;
    private final Target target;
    private final LogEncoder encoder = new LogEncoder();
    private final StringBuilder further = new StringBuilder();
    private Matcher beginning;
    private long atNanos;

    Reading(ZoneId zone, long epochOffsetNanos, Target target) {
      this.zone = zone;
      this.epochOffsetNanos = epochOffsetNanos;
      this.target = target;
    }

    void accept(String line) throws IOException {
      Matcher matcher = BEGINNING.matcher(line);
      if (matcher.matches() && isTime(matcher.group(2))) {
        add();
        beginning = matcher;
        atNanos = nanosOf(matcher.group(2));
      } else if (beginning != null && further.length() < LogEncoder.MAX_THROWN_BYTES) {
        further.append(further.length() == 0 ? "" : "\n").append(line);
      }
    }

    void end() throws IOException {
      add();
      if (encoder.count() > 0) {
        target.frame(encoder.finish());
      }
    }

    private void add() throws IOException {
      if (beginning == null) {
        return;
      }
      encoder.add(
          atNanos,
          LogLevel.valueOf(beginning.group(1)),
          0,
          beginning.group(4),
          beginning.group(3),
          beginning.group(5),
          further.toString());
      further.setLength(0);
      if (encoder.sizeBytes() >= FRAME_BYTES) {
        target.frame(encoder.finish());
      }
    }

    private static boolean isTime(String text) {
      try {
        LocalDateTime.parse(text, TIME);
        return true;
      } catch (DateTimeParseException e) {
        return false;
      }
    }

    private long nanosOf(String text) {
      long epochMillis = LocalDateTime.parse(text, TIME).atZone(zone).toInstant().toEpochMilli();
      return epochMillis * 1_000_000 - epochOffsetNanos;
    }
  }
}

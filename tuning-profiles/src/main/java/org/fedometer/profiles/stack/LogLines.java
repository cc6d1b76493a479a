package org.fedometer.profiles.stack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the line of a log that tells why a process failed, for the one sentence a user reads. */
final class LogLines {

  private static final Pattern TELLING =
      Pattern.compile(
          "(?i)\\b(error|exception|fatal|panic|unrecognized|invalid|conflicting|cannot|could not"
              + "|unable|failed|denied|no space|not found)\\b|\\w(Error|Exception)\\b");

  /** Lines that a healthy start prints as well. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "module-info\\.class|ClassFormatException|^\\s+at |APR based|did not find a matching");

  private static final int LONGEST = 300;

  private LogLines() {}

  /** Size of a log before something is started that adds to it. */
  static long size(Path log) throws IOException {
    return Files.exists(log) ? Files.size(log) : 0;
  }

  /** The first telling line after a position in the log. */
  static Optional<String> firstTelling(Path log, long fromByte) throws IOException {
    return lines(log, fromByte).stream()
        .filter(line -> TELLING.matcher(line).find() && !HARMLESS.matcher(line).find())
        .map(LogLines::shortened)
        .findFirst();
  }

  /** The innermost cause of the first stack trace after a position in Fedora's own log. */
  static Optional<String> firstCause(Path log, long fromByte) throws IOException {
    String cause = null;
    for (String line : lines(log, fromByte)) {
      if (line.startsWith("Caused by: ")) {
        cause = line.substring("Caused by: ".length());
      } else if (cause != null && line.matches("[A-Z]+ \\d{4}-.*")) {
        break;
      }
    }
    return Optional.ofNullable(cause).map(LogLines::shortened);
  }

  static boolean contains(Path log, long fromByte, String text) throws IOException {
    return lines(log, fromByte).stream().anyMatch(line -> line.contains(text));
  }

  private static List<String> lines(Path log, long fromByte) throws IOException {
    if (!Files.exists(log)) {
      return List.of();
    }
    byte[] bytes = Files.readAllBytes(log);
    // A log that became smaller was rolled over: all of it is new.
    int from = fromByte > bytes.length ? 0 : (int) fromByte;
    return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8).lines().toList();
  }

  private static String shortened(String line) {
    String stripped = line.strip();
    return stripped.length() <= LONGEST ? stripped : stripped.substring(0, LONGEST) + "...";
  }
}

package org.fedometer.profiles.stack.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds the log line that explains a process's failure, for the sentence shown to the user.
 * Stateless.
 */
public final class LogLines {

  private static final Pattern ERROR_LINE =
      Pattern.compile(
          "(?i)\\b(error|exception|fatal|panic|unrecognized|invalid|conflicting|cannot|could not"
              + "|unable|failed|denied|no space|not found)\\b|\\w(Error|Exception)\\b");

  /** Lines that a successful start prints as well. */
  private static final Pattern HARMLESS =
      Pattern.compile(
          "module-info\\.class|ClassFormatException|^\\s+at |APR based|did not find a matching");

  private static final Pattern WARNING = Pattern.compile("\\[Warning]|\\bWARN(ING)?\\b");

  private static final int MAX_LENGTH = 300;

  private LogLines() {}

  /** Returns the size of a log before the start of a program that appends to it. */
  public static long size(Path log) throws IOException {
    return Files.exists(log) ? Files.size(log) : 0;
  }

  /**
   * Returns the first informative line after a position in the log; a warning only if there is no
   * error.
   */
  public static Optional<String> firstError(Path log, long fromByte) throws IOException {
    Predicate<String> informative =
        line -> ERROR_LINE.matcher(line).find() && !HARMLESS.matcher(line).find();
    Optional<String> error =
        first(log, fromByte, informative.and(line -> !WARNING.matcher(line).find()));
    return (error.isPresent() ? error : first(log, fromByte, informative)).map(LogLines::shortened);
  }

  /** Returns the innermost cause of the first stack trace after a position in Fedora's own log. */
  public static Optional<String> firstCause(Path log, long fromByte) throws IOException {
    String cause = null;
    try (BufferedReader lines = open(log, fromByte)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("Caused by: ")) {
          cause = line.substring("Caused by: ".length());
        } else if (cause != null && line.matches("[A-Z]+ \\d{4}-.*")) {
          break;
        }
      }
    }
    return Optional.ofNullable(cause).map(LogLines::shortened);
  }

  /**
   * Returns whether a line after a position in the log contains the text; false if there is no log.
   */
  public static boolean contains(Path log, long fromByte, String text) throws IOException {
    return first(log, fromByte, line -> line.contains(text)).isPresent();
  }

  private static Optional<String> first(Path log, long fromByte, Predicate<String> wanted)
      throws IOException {
    try (BufferedReader lines = open(log, fromByte)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (wanted.test(line)) {
          return Optional.of(line);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Opens a log at a position; does not read the part before it, since a log may have grown for
   * years.
   */
  private static BufferedReader open(Path log, long fromByte) throws IOException {
    if (!Files.exists(log)) {
      return new BufferedReader(Reader.nullReader());
    }
    // A log that became smaller was rotated: all of it is new.
    long from = fromByte > Files.size(log) ? 0 : fromByte;
    InputStream in = Channels.newInputStream(Files.newByteChannel(log).position(from));
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  private static String shortened(String line) {
    String stripped = line.strip();
    return stripped.length() <= MAX_LENGTH ? stripped : stripped.substring(0, MAX_LENGTH) + "...";
  }
}

package org.fedometer.analysis.study;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.store.RunView;

/**
 * Reads a study's file in a run's folder. It may be foreign: its size is limited, and every number
 * is validated. Stateless.
 */
final class StudyFile {
  /** A hundred times Fedometer's largest study. */
  static final int MAX_BYTES = 4 * 1024 * 1024;

  /** More objects than any Fedora has. */
  static final long MAX_OBJECTS = 1_000_000_000_000L;

  /** A century in milliseconds. */
  private static final double MAX_MILLIS = 3.2e12;

  private static final ObjectMapper JSON = new ObjectMapper();

  private StudyFile() {}

  interface Maker<T> {
    /**
     * @throws IOException if the document is invalid, with a short message
     */
    T of(JsonNode document) throws IOException;
  }

  /** Returns empty if the run has no such file; an unreadable one yields the cause. */
  static <T> Optional<StudyResult<T>> read(RunView run, String path, Maker<T> maker) {
    try {
      if (run.files().stream().noneMatch(file -> file.path().equals(path))) {
        return Optional.empty();
      }
      return Optional.of(new StudyResult<>(maker.of(document(run, path)), null));
    } catch (JacksonException e) {
      return Optional.of(unreadable(path, "it is not JSON"));
    } catch (IOException e) {
      return Optional.of(unreadable(path, e.getMessage()));
    }
  }

  private static JsonNode document(RunView run, String path) throws IOException {
    try (InputStream in = run.open(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("it has more than 4 MiB");
      }
      JsonNode document = JSON.readTree(bytes);
      if (document == null || !document.isObject()) {
        throw new IOException("it is not a JSON object");
      }
      return document;
    }
  }

  private static <T> StudyResult<T> unreadable(String path, String why) {
    return new StudyResult<>(null, "%s of the run cannot be read: %s.".formatted(path, why));
  }

  /**
   * Returns an array of at most {@code max} objects.
   *
   * @throws IOException if it is none
   */
  static JsonNode list(JsonNode document, String field, int max) throws IOException {
    JsonNode list = document.path(field);
    if (!list.isArray() || list.isEmpty()) {
      throw new IOException("it has no list “" + field + "”");
    }
    if (list.size() > max) {
      throw new IOException("its list “%s” has more than %d entries".formatted(field, max));
    }
    for (JsonNode entry : list) {
      if (!entry.isObject()) {
        throw new IOException("its list “" + field + "” has an entry that is not an object");
      }
    }
    return list;
  }

  /**
   * @throws IOException if it is no integer in that range
   */
  static long count(JsonNode entry, String field, long min, long max) throws IOException {
    JsonNode value = entry.path(field);
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < min
        || value.asLong() > max) {
      throw new IOException("“%s” is not a number from %d to %d".formatted(field, min, max));
    }
    return value.asLong();
  }

  /**
   * @throws IOException if it is no time
   */
  static double millis(JsonNode entry, String field) throws IOException {
    JsonNode value = entry.path(field);
    if (!value.isNumber() || !(value.asDouble() >= 0) || value.asDouble() > MAX_MILLIS) {
      throw new IOException("“" + field + "” is not a time");
    }
    return value.asDouble();
  }

  /** Returns a text, truncated to {@code max} characters; null if missing. */
  static String text(JsonNode entry, String field, int max) {
    JsonNode value = entry.path(field);
    if (!value.isTextual() || value.asText().isBlank()) {
      return null;
    }
    return Shortened.marked(value.asText(), max);
  }
}

package org.fedometer.cli.agent;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.fedometer.wire.client.AgentOption;

/**
 * Validates options of {@code attach} as agent and collector do, before a collector is started or a
 * JVM touched. Methods throw an {@link IllegalArgumentException} with one sentence; null is an
 * omitted option.
 */
public final class AgentLimits {
  private static final long MEBIBYTE = 1 << 20;
  private static final int MAX_NAME_BYTES = 1024;

  private AgentLimits() {}

  /**
   * @param size as returned by {@link AgentSize}
   */
  public static void checkMemory(String size, boolean withSpool) {
    long min = withSpool ? AgentOption.MIN_MEMORY_WITH_SPOOL_BYTES : AgentOption.MIN_MEMORY_BYTES;
    if (size != null
        && (AgentSize.bytes(size) < min || AgentSize.bytes(size) > AgentOption.MAX_MEMORY_BYTES)) {
      throw new IllegalArgumentException(
          "--memory %s: give %dm to %dm%s, such as 32m"
              .formatted(
                  size,
                  min / MEBIBYTE,
                  AgentOption.MAX_MEMORY_BYTES / MEBIBYTE,
                  withSpool ? " with --spool" : ""));
    }
  }

  /**
   * @param size as returned by {@link AgentSize}
   */
  public static void checkSpoolSize(String size) {
    if (size != null && AgentSize.bytes(size) < AgentOption.MIN_SPOOL_BYTES) {
      throw new IllegalArgumentException(
          "--spool-size %s: a spool has at least %dm; give more, such as 1g"
              .formatted(size, AgentOption.MIN_SPOOL_BYTES / MEBIBYTE));
    }
  }

  static void checkLogRate(Integer linesPerSecond) {
    if (linesPerSecond != null
        && (linesPerSecond < 1 || linesPerSecond > AgentOption.MAX_LOG_RATE)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--log-rate %d: give 1 to %d lines per second, or --log-level off for none",
              linesPerSecond,
              AgentOption.MAX_LOG_RATE));
    }
  }

  /** Rejects a blank name, and one of more than {@value #MAX_NAME_BYTES} bytes in UTF-8. */
  public static void checkSourceName(String name) {
    if (name == null) {
      return;
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (name.isBlank() || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--source-name %s: give a name of 1 to %,d bytes that is not blank, or leave"
                  + " it out for 'fedora'",
              name.isBlank() ? "'" + name + "'" : "of " + bytes + " bytes",
              MAX_NAME_BYTES));
    }
  }
}

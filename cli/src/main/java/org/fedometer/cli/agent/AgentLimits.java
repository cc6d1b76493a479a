package org.fedometer.cli.agent;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.fedometer.wire.client.AgentOption;

/**
 * What the agent and its collector take of the options of {@code attach}, known here so that a
 * value that they would refuse starts no collector and touches no JVM. Each method refuses by an
 * {@link IllegalArgumentException} of one sentence; null is an option that was not given.
 */
public final class AgentLimits {
  private static final long MEBIBYTE = 1 << 20;
  private static final int MAX_NAME_BYTES = 1024;

  private AgentLimits() {}

  /**
   * @param size as {@link AgentSize} reads it
   */
  public static void checkMemory(String size, boolean withSpool) {
    long min = withSpool ? AgentOption.MIN_MEMORY_WITH_SPOOL_BYTES : AgentOption.MIN_MEMORY_BYTES;
    if (size != null
        && (AgentSize.bytes(size) < min || AgentSize.bytes(size) > AgentOption.MAX_MEMORY_BYTES)) {
      throw new IllegalArgumentException(
          "--memory %s: the agent takes %dm to %dm%s; give a size between, such as 32m"
              .formatted(
                  size,
                  min / MEBIBYTE,
                  AgentOption.MAX_MEMORY_BYTES / MEBIBYTE,
                  withSpool ? " where it has a spool" : ""));
    }
  }

  /**
   * @param size as {@link AgentSize} reads it
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
              "--log-rate %d: the agent takes 1 to %d lines a second; for none, --log-level off",
              linesPerSecond,
              AgentOption.MAX_LOG_RATE));
    }
  }

  /** Refuses a name of blanks, and one of more than {@value #MAX_NAME_BYTES} bytes in UTF-8. */
  public static void checkSourceName(String name) {
    if (name == null) {
      return;
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (name.isBlank() || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--source-name %s: a name has 1 to %,d bytes and more than blanks; give one, or leave"
                  + " it out for 'fedora'",
              name.isBlank() ? "'" + name + "'" : "of " + bytes + " bytes",
              MAX_NAME_BYTES));
    }
  }
}

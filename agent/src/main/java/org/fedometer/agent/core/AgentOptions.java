package org.fedometer.agent.core;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * What the agent was told: {@code key=value} pairs separated by commas behind {@code
 * -javaagent:...jar=}, else system properties {@code fedometer.KEY}, else environment variables
 * {@code FEDOMETER_KEY} (upper case, {@code _} for {@code -}). Immutable.
 */
final class AgentOptions {

  private static final String COLLECTOR = "collector";
  private static final String RUN = "run";
  private static final String RUN_NAME = "run-name";
  private static final String SOURCE_NAME = "source-name";
  private static final String RING_SAMPLES = "ring-samples";
  private static final String THREAD_LIMIT = "thread-limit";
  private static final List<String> KEYS =
      Collections.unmodifiableList(
          Arrays.asList(COLLECTOR, RUN, RUN_NAME, SOURCE_NAME, RING_SAMPLES, THREAD_LIMIT));

  /**
   * With the defaults below and the client's queue of 8 MiB, all that the agent holds stays under
   * 32 MiB.
   */
  private static final int DEFAULT_RING_SAMPLES = 2048;

  private static final int DEFAULT_THREAD_LIMIT = 256;

  private final String collectorHost;
  private final int collectorPort;
  private final String runId;
  private final String runName;
  private final String sourceName;
  private final int ringSamples;
  private final int threadLimit;

  private AgentOptions(Map<String, String> values) {
    String collector = values.getOrDefault(COLLECTOR, "");
    int colon = collector.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          collector.isEmpty()
              ? "no collector given; write collector=HOST:PORT, such as collector=127.0.0.1:4711"
              : "collector=" + collector + " is not HOST:PORT");
    }
    this.collectorHost = collector.substring(0, colon);
    this.collectorPort = number(COLLECTOR, collector.substring(colon + 1), 1, 65535);
    this.runId = values.getOrDefault(RUN, "");
    this.runName = values.getOrDefault(RUN_NAME, "");
    this.sourceName = values.getOrDefault(SOURCE_NAME, "fedora");
    this.ringSamples =
        values.containsKey(RING_SAMPLES)
            ? number(RING_SAMPLES, values.get(RING_SAMPLES), 2, 1 << 20)
            : DEFAULT_RING_SAMPLES;
    this.threadLimit =
        values.containsKey(THREAD_LIMIT)
            ? number(THREAD_LIMIT, values.get(THREAD_LIMIT), 1, 1 << 20)
            : DEFAULT_THREAD_LIMIT;
  }

  /**
   * Reads the options from all three places.
   *
   * @param arguments what follows the agent's jar on the command line, or {@code null}
   * @throws IllegalArgumentException with one sentence for the user
   */
  static AgentOptions of(String arguments, Properties properties, Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : KEYS) {
      String variable = "FEDOMETER_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
      String value = properties.getProperty("fedometer." + key, environment.get(variable));
      if (value != null) {
        values.put(key, value.trim());
      }
    }
    for (String argument : (arguments == null ? "" : arguments).split(",")) {
      if (!argument.trim().isEmpty()) {
        putArgument(argument.trim(), values);
      }
    }
    return new AgentOptions(values);
  }

  private static void putArgument(String argument, Map<String, String> values) {
    int equals = argument.indexOf('=');
    String key = equals < 0 ? argument : argument.substring(0, equals);
    if (!KEYS.contains(key)) {
      throw new IllegalArgumentException(
          "unknown option '" + key + "'; known are " + String.join(", ", KEYS));
    }
    if (equals < 0) {
      throw new IllegalArgumentException(
          "option '" + key + "' has no value; write " + key + "=...");
    }
    values.put(key, argument.substring(equals + 1).trim());
  }

  private static int number(String key, String text, int least, int most) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "option '"
            + key
            + "' needs a number from "
            + least
            + " to "
            + most
            + ", not '"
            + text
            + "'");
  }

  String collectorHost() {
    return collectorHost;
  }

  int collectorPort() {
    return collectorPort;
  }

  /** ULID of the run, empty for none. */
  String runId() {
    return runId;
  }

  /** Name of the run's folder, empty for none. */
  String runName() {
    return runName;
  }

  String sourceName() {
    return sourceName;
  }

  int ringSamples() {
    return ringSamples;
  }

  int threadLimit() {
    return threadLimit;
  }
}

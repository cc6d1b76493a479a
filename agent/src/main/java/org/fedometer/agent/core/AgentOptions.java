package org.fedometer.agent.core;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.wire.TlsKey;

/**
 * What the agent was told: the pairs of {@link AgentArguments}, else system properties {@code
 * fedometer.KEY}, else environment variables {@code FEDOMETER_KEY} (upper case, {@code _} for
 * {@code -}). Immutable.
 */
final class AgentOptions {

  private static final String COLLECTOR = "collector";
  private static final String TRANSPORT = "transport";
  private static final String RUN = "run";
  private static final String RUN_NAME = "run-name";
  private static final String SOURCE_NAME = "source-name";
  private static final String TOKEN_FILE = "token-file";
  private static final String TLS = "tls";
  private static final String TLS_CA = "tls-ca";
  private static final String TLS_CERTIFICATE = "tls-certificate";
  private static final String TLS_KEY = "tls-key";
  private static final String MEMORY = "memory";
  private static final String SPOOL = "spool";
  private static final String SPOOL_SIZE = "spool-size";
  private static final String RING_SAMPLES = "ring-samples";
  private static final String THREAD_LIMIT = "thread-limit";
  private static final String TELEMETRY = "telemetry";
  private static final String TELEMETRY_INTERVAL = "telemetry-interval";
  private static final String GC_EVENTS = "gc-events";
  private static final String LOG_LEVEL = "log-level";
  private static final String LOG_RATE = "log-rate";
  private static final String AOP = "aop";

  /** With the name of an own stage behind it. */
  private static final String STAGE_PREFIX = "stage.";

  private static final List<String> KEYS =
      Collections.unmodifiableList(
          Arrays.asList(
              COLLECTOR,
              TRANSPORT,
              RUN,
              RUN_NAME,
              SOURCE_NAME,
              TOKEN_FILE,
              TLS,
              TLS_CA,
              TLS_CERTIFICATE,
              TLS_KEY,
              MEMORY,
              SPOOL,
              SPOOL_SIZE,
              RING_SAMPLES,
              THREAD_LIMIT,
              TELEMETRY,
              TELEMETRY_INTERVAL,
              GC_EVENTS,
              LOG_LEVEL,
              LOG_RATE,
              AOP));

  /** Not among {@link #KEYS}: an argument would show in the list of processes. */
  private static final String TOKEN_VARIABLE = "FEDOMETER_TOKEN";

  private static final long MIB = 1024 * 1024;
  private static final long LEAST_MEMORY_BYTES = 4 * MIB;

  /** A quarter of the memory is the queue, which has to hold two of the largest frames. */
  private static final long LEAST_MEMORY_WITH_SPOOL_BYTES = 16 * MIB;

  private static final long MOST_MEMORY_BYTES = 4096 * MIB;
  private static final long MOST_QUEUE_BYTES = 8 * MIB;

  /**
   * Frames that are being packed, written, read, one round's copies of totals and names, and lines
   * of Fedora's log.
   */
  private static final long BUFFER_BYTES = 3 * MIB / 2 + FedoraLog.LIMIT_BYTES;

  /** What the client may hold besides its queue while it sends on what an earlier JVM left. */
  private static final long SPOOL_BUFFER_BYTES = 4 * MIB;

  private static final long LEAST_SPOOL_BYTES = 4 * MIB;
  private static final long MOST_TOKEN_BYTES = 4096;
  private static final double LEAST_INTERVAL_SECONDS = 0.1;
  private static final double MOST_INTERVAL_SECONDS = 3600;

  private final boolean log4j2;
  private final String collectorHost;
  private final int collectorPort;
  private final String runId;
  private final String runName;
  private final String sourceName;
  private final String token;
  private final boolean tls;
  private final Path tlsCa;
  private final TlsKey tlsKey;
  private final long memoryBytes;
  private final Path spool;
  private final long spoolBytes;
  private final int ringSamples;
  private final int threadLimit;
  private final boolean telemetry;
  private final long telemetryIntervalMillis;
  private final boolean gcEvents;
  private final int logLevel;
  private final int logLinesPerSecond;
  private final Path aop;
  private final Map<String, String> ownStages;

  private AgentOptions(
      Map<String, String> values, Map<String, String> ownStages, String tokenVariable) {
    this.ownStages = Collections.unmodifiableMap(ownStages);
    this.aop = path(AOP, values);
    this.log4j2 = isLog4j2(values);
    String collector = values.getOrDefault(COLLECTOR, "");
    int colon = collector.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          collector.isEmpty()
              ? "no collector given; write collector=HOST:PORT, such as collector=127.0.0.1:4711"
              : "collector=" + collector + " is not HOST:PORT");
    }
    this.collectorHost = withoutBrackets(collector.substring(0, colon));
    this.collectorPort = (int) number(COLLECTOR, collector.substring(colon + 1), 1, 65535);
    this.runId = values.getOrDefault(RUN, "");
    this.runName = values.getOrDefault(RUN_NAME, "");
    this.sourceName = values.getOrDefault(SOURCE_NAME, "fedora");
    this.tlsCa = path(TLS_CA, values);
    this.tls = flag(TLS, values.getOrDefault(TLS, tlsCa == null ? "false" : "true"));
    if (tlsCa != null && !tls) {
      throw new IllegalArgumentException("tls=false and tls-ca contradict each other");
    }
    this.tlsKey = tlsKey(path(TLS_CERTIFICATE, values), path(TLS_KEY, values), tls);
    Path tokenFile = path(TOKEN_FILE, values);
    if (log4j2 && tokenFile != null) {
      throw new IllegalArgumentException(
          "transport=log4j2 has no place for a token; leave token-file out, and let the receiver ask"
              + " for none");
    }
    this.token = log4j2 ? "" : tokenFile == null ? tokenVariable : tokenIn(tokenFile);
    this.spool = path(SPOOL, values);
    this.spoolBytes =
        size(SPOOL_SIZE, values.getOrDefault(SPOOL_SIZE, "1g"), LEAST_SPOOL_BYTES, Long.MAX_VALUE);
    this.memoryBytes =
        size(
            MEMORY,
            values.getOrDefault(MEMORY, "32m"),
            spool == null ? LEAST_MEMORY_BYTES : LEAST_MEMORY_WITH_SPOOL_BYTES,
            MOST_MEMORY_BYTES);
    this.ringSamples =
        (int) number(RING_SAMPLES, values.getOrDefault(RING_SAMPLES, "2048"), 2, 1 << 20);
    if (Integer.bitCount(ringSamples) != 1) {
      throw new IllegalArgumentException(
          "ring-samples=" + ringSamples + " is no power of two; give one such as 2048");
    }
    long threads =
        (memoryBytes - queueBytes() - bufferBytes()) / Recording.bytesPerThread(ringSamples);
    if (threads < 1) {
      throw new IllegalArgumentException(
          "ring-samples="
              + ringSamples
              + " takes "
              + Recording.bytesPerThread(ringSamples)
              + " bytes a thread, which memory="
              + values.getOrDefault(MEMORY, "32m")
              + " has not; give a larger memory or smaller rings");
    }
    this.threadLimit =
        (int)
            Math.min(
                threads,
                number(THREAD_LIMIT, values.getOrDefault(THREAD_LIMIT, "1048576"), 1, 1 << 20));
    this.telemetry = isOn(TELEMETRY, values.getOrDefault(TELEMETRY, "on"));
    this.telemetryIntervalMillis =
        millis(TELEMETRY_INTERVAL, values.getOrDefault(TELEMETRY_INTERVAL, "1"));
    this.gcEvents = isOn(GC_EVENTS, values.getOrDefault(GC_EVENTS, "on"));
    this.logLevel = level(LOG_LEVEL, values.getOrDefault(LOG_LEVEL, "warn"));
    this.logLinesPerSecond =
        (int) number(LOG_RATE, values.getOrDefault(LOG_RATE, "100"), 1, 100_000);
  }

  /**
   * Reads the options from all three places.
   *
   * @throws IllegalArgumentException with one sentence for the user
   */
  static AgentOptions of(
      Map<String, String> arguments, Properties properties, Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : KEYS) {
      String variable = "FEDOMETER_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
      String value = properties.getProperty("fedometer." + key, environment.get(variable));
      if (value != null && !value.trim().isEmpty()) {
        values.put(key, value.trim());
      }
    }
    Map<String, String> stages = new LinkedHashMap<>();
    for (String property : new TreeSet<>(properties.stringPropertyNames())) {
      if (property.startsWith("fedometer." + STAGE_PREFIX)) {
        stages.put(
            property.substring(("fedometer." + STAGE_PREFIX).length()),
            properties.getProperty(property));
      }
    }
    if (bringStages(arguments)) {
      stages.clear();
      values.remove(AOP);
    }
    if (arguments.containsKey(COLLECTOR)) {
      // Whoever names the peer says how to talk to it.
      values.remove(TRANSPORT);
    }
    for (Map.Entry<String, String> argument : arguments.entrySet()) {
      if (argument.getKey().startsWith(STAGE_PREFIX)) {
        stages.put(argument.getKey().substring(STAGE_PREFIX.length()), argument.getValue());
        continue;
      }
      if (!KEYS.contains(argument.getKey())) {
        throw new IllegalArgumentException(
            "unknown option '"
                + argument.getKey()
                + "'; known are "
                + String.join(", ", KEYS)
                + ", "
                + STAGE_PREFIX
                + "NAME");
      }
      values.put(argument.getKey(), argument.getValue());
    }
    if (isLog4j2(values) && !arguments.containsKey(TOKEN_FILE)) {
      // Meant for a collector, as the variable with the token itself is.
      values.remove(TOKEN_FILE);
    }
    return new AgentOptions(values, stages, environment.getOrDefault(TOKEN_VARIABLE, "").trim());
  }

  /** They are one thing, wherever they stand: a command's replace those of Fedora's start. */
  private static boolean bringStages(Map<String, String> arguments) {
    for (String key : arguments.keySet()) {
      if (key.equals(AOP) || key.startsWith(STAGE_PREFIX)) {
        return true;
      }
    }
    return false;
  }

  /** An IPv6 address is written in brackets. */
  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static Path path(String key, Map<String, String> values) {
    String text = values.get(key);
    try {
      return text == null ? null : Paths.get(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("option '" + key + "' is not a path: " + text);
    }
  }

  private static TlsKey tlsKey(Path certificate, Path key, boolean tls) {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          TLS_CERTIFICATE + " and " + TLS_KEY + " belong together: give both, or none");
    }
    if (certificate != null && !tls) {
      throw new IllegalArgumentException(
          TLS_CERTIFICATE + " is shown by TLS only: give tls-ca or tls=true as well");
    }
    return certificate == null ? null : TlsKey.ofPemFiles(certificate, key);
  }

  private static boolean flag(String key, String text) {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new IllegalArgumentException("option '" + key + "' is true or false, not '" + text + "'");
  }

  private static boolean isLog4j2(Map<String, String> values) {
    String text = values.getOrDefault(TRANSPORT, "fedometer");
    if (text.equals("fedometer") || text.equals("log4j2")) {
      return text.equals("log4j2");
    }
    throw new IllegalArgumentException(
        "option '" + TRANSPORT + "' is fedometer or log4j2, not '" + text + "'");
  }

  private static boolean isOn(String key, String text) {
    if (text.equals("on") || text.equals("off")) {
      return text.equals("on");
    }
    throw new IllegalArgumentException("option '" + key + "' is on or off, not '" + text + "'");
  }

  private static int level(String key, String text) {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "trace":
        return FedoraLog.TRACE;
      case "debug":
        return FedoraLog.DEBUG;
      case "info":
        return FedoraLog.INFO;
      case "warn":
        return FedoraLog.WARN;
      case "error":
        return FedoraLog.ERROR;
      case "off":
        return FedoraLog.OFF;
      default:
        throw new IllegalArgumentException(
            "option '" + key + "' is trace, debug, info, warn, error or off, not '" + text + "'");
    }
  }

  /** Of seconds, which may have a fraction. */
  private static long millis(String key, String text) {
    try {
      double seconds = Double.parseDouble(text);
      if (seconds >= LEAST_INTERVAL_SECONDS && seconds <= MOST_INTERVAL_SECONDS) {
        return Math.round(seconds * 1000);
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "option '" + key + "' needs 0.1 to 3600 seconds, not '" + text + "'");
  }

  private static String tokenIn(Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new IllegalArgumentException("the token file " + file + " is no file");
      }
      if (Files.size(file) > MOST_TOKEN_BYTES) {
        throw new IllegalArgumentException(
            "the token file " + file + " has more than " + MOST_TOKEN_BYTES + " bytes");
      }
      String token = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
      if (token.isEmpty()) {
        throw new IllegalArgumentException("the token file " + file + " is empty");
      }
      return token;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the token file cannot be read by the user that Fedora runs as: " + e);
    }
  }

  /** Bytes, with k, m or g for powers of 1,024. */
  private static long size(String key, String text, long least, long most) {
    String digits = text.toLowerCase(Locale.ROOT);
    long unit = 1;
    int suffix = digits.isEmpty() ? -1 : "kmg".indexOf(digits.charAt(digits.length() - 1));
    if (suffix >= 0) {
      unit = 1L << 10 * (suffix + 1);
      digits = digits.substring(0, digits.length() - 1);
    }
    try {
      long bytes = Math.multiplyExact(Long.parseLong(digits), unit);
      if (bytes >= least && bytes <= most) {
        return bytes;
      }
    } catch (NumberFormatException | ArithmeticException notASize) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "option '"
            + key
            + "' needs a size of at least "
            + least / MIB
            + "m"
            + (most == Long.MAX_VALUE ? "" : " and at most " + most / MIB + "m")
            + ", such as 32m, not '"
            + text
            + "'");
  }

  private static long number(String key, String text, long least, long most) {
    try {
      long value = Long.parseLong(text);
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

  /** Whether a Log4j2 receiver is sent to, and no collector. */
  boolean log4j2() {
    return log4j2;
  }

  String collectorHost() {
    return collectorHost;
  }

  int collectorPort() {
    return collectorPort;
  }

  /** HOST:PORT. */
  String collector() {
    return collectorHost + ":" + collectorPort;
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

  /** The collector's secret, empty for none; a Log4j2 receiver is not told it. */
  String token() {
    return token;
  }

  boolean tls() {
    return tls;
  }

  /** Certificates to trust, {@code null} for those that the JVM trusts. */
  Path tlsCaOrNull() {
    return tlsCa;
  }

  /** What is shown to a collector that asks for it; null for nothing. */
  TlsKey tlsKeyOrNull() {
    return tlsKey;
  }

  /** What rings, queue and buffers may hold together. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** The queue's part of the memory. */
  long queueBytes() {
    return Math.min(MOST_QUEUE_BYTES, memoryBytes / 4);
  }

  /** The buffers' part of the memory. */
  long bufferBytes() {
    return BUFFER_BYTES + (spool == null ? 0 : SPOOL_BUFFER_BYTES);
  }

  /** Folder for frames of a long outage, {@code null} for none. */
  Path spoolOrNull() {
    return spool;
  }

  long spoolBytes() {
    return spoolBytes;
  }

  int ringSamples() {
    return ringSamples;
  }

  int threadLimit() {
    return threadLimit;
  }

  /** Whether the JVM is to be read. */
  boolean telemetry() {
    return telemetry;
  }

  long telemetryIntervalMillis() {
    return telemetryIntervalMillis;
  }

  /** Whether each pause for a garbage collection is to be told. */
  boolean gcEvents() {
    return gcEvents;
  }

  /** Lines of Fedora's log below this are not sent. */
  int logLevel() {
    return logLevel;
  }

  int logLinesPerSecond() {
    return logLinesPerSecond;
  }

  /** The user's {@code aop.xml}, {@code null} for none. */
  Path aopOrNull() {
    return aop;
  }

  /** Pointcuts of the user's stages by their names, not checked. */
  Map<String, String> ownStages() {
    return ownStages;
  }
}

package org.fedometer.agent.core;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import org.fedometer.aspects.recorder.FedoraLog;
import org.fedometer.aspects.recorder.Recording;
import org.fedometer.wire.client.AgentOption;
import org.fedometer.wire.tls.TlsKey;

/**
 * The agent's options: the pairs of {@link AgentArguments}, else system properties {@code
 * fedometer.KEY}, else environment variables {@code FEDOMETER_KEY} (upper case, {@code _} for
 * {@code -}). Immutable.
 */
final class AgentOptions {

  /** Not an option: an argument would appear in the list of processes. */
  private static final String TOKEN_VARIABLE = "FEDOMETER_TOKEN";

  private static final long MIB = 1024 * 1024;
  private static final long MAX_QUEUE_BYTES = 8 * MIB;

  /**
   * Frames being packed, written and read, one round's copies of totals and names, and lines of
   * Fedora's log.
   */
  private static final long BUFFER_BYTES = 3 * MIB / 2 + FedoraLog.LIMIT_BYTES;

  /** The client's memory besides its queue while it forwards an earlier JVM's spool. */
  private static final long SPOOL_BUFFER_BYTES = 4 * MIB;

  /** True for a Log4j2 receiver instead of a collector. */
  final boolean log4j2;

  final String collectorHost;
  final int collectorPort;

  /** ULID of the run, empty for none. */
  final String runId;

  /** Name of the run's folder, empty for none. */
  final String runName;

  final String sourceName;

  /** The collector's secret, empty for none; never sent to a Log4j2 receiver. */
  final String token;

  final boolean tls;

  /** Trusted certificates, {@code null} for those that the JVM trusts. */
  final Path tlsCaOrNull;

  /** The agent's certificate for a collector that requests one; null for none. */
  final TlsKey tlsKeyOrNull;

  /** Limit of rings, queue and buffers together. */
  final long memoryBytes;

  /** Folder for frames of a long outage, {@code null} for none. */
  final Path spoolOrNull;

  final long spoolBytes;
  final int ringSamples;
  final int threadLimit;
  final boolean telemetry;
  final long telemetryIntervalMillis;
  final boolean gcEvents;

  /** Lines of Fedora's log below this level are not sent. */
  final int logLevel;

  final int logLinesPerSecond;
  final Path aopOrNull;

  /** Pointcuts of custom stages by name, not checked. */
  final Map<String, String> customStages;

  private AgentOptions(
      OptionValues values, Map<String, String> customStages, String tokenVariable) {
    this.customStages = Collections.unmodifiableMap(customStages);
    this.aopOrNull = values.pathOrNull(AgentOption.AOP);
    this.log4j2 = values.isLog4j2();
    String collector = values.text(AgentOption.COLLECTOR);
    int colon = collector.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          collector.isEmpty()
              ? "the collector is missing; write collector=HOST:PORT, as collector=127.0.0.1:4711"
              : "collector=" + collector + " is not HOST:PORT");
    }
    this.collectorHost = withoutBrackets(collector.substring(0, colon));
    this.collectorPort =
        (int) OptionValues.number(AgentOption.COLLECTOR, collector.substring(colon + 1), 1, 65535);
    this.runId = values.text(AgentOption.RUN);
    this.runName = values.text(AgentOption.RUN_NAME);
    this.sourceName = values.text(AgentOption.SOURCE_NAME);
    this.tlsCaOrNull = values.pathOrNull(AgentOption.TLS_CA);
    this.tls = values.isGiven(AgentOption.TLS) ? values.isOn(AgentOption.TLS) : tlsCaOrNull != null;
    if (tlsCaOrNull != null && !tls) {
      throw new IllegalArgumentException("tls=off and tls-ca contradict each other");
    }
    this.tlsKeyOrNull =
        tlsKey(
            values.pathOrNull(AgentOption.TLS_CERTIFICATE),
            values.pathOrNull(AgentOption.TLS_KEY),
            tls);
    Path tokenFile = values.pathOrNull(AgentOption.TOKEN_FILE);
    if (log4j2 && tokenFile != null) {
      throw new IllegalArgumentException(
          "transport=log4j2 cannot send a token; omit token-file, and use a receiver that requires"
              + " none");
    }
    this.token = log4j2 ? "" : tokenFile == null ? tokenVariable : OptionValues.tokenIn(tokenFile);
    this.spoolOrNull = values.pathOrNull(AgentOption.SPOOL);
    this.spoolBytes =
        values.size(AgentOption.SPOOL_SIZE, AgentOption.MIN_SPOOL_BYTES, Long.MAX_VALUE);
    this.memoryBytes =
        values.size(
            AgentOption.MEMORY,
            spoolOrNull == null
                ? AgentOption.MIN_MEMORY_BYTES
                : AgentOption.MIN_MEMORY_WITH_SPOOL_BYTES,
            AgentOption.MAX_MEMORY_BYTES);
    this.ringSamples = (int) values.number(AgentOption.RING_SAMPLES, 2, 1 << 20);
    if (Integer.bitCount(ringSamples) != 1) {
      throw new IllegalArgumentException(
          "ring-samples=" + ringSamples + " is not a power of two; give, for example, 2048");
    }
    long threads =
        (memoryBytes - queueBytes() - bufferBytes()) / Recording.bytesPerThread(ringSamples);
    if (threads < 1) {
      throw new IllegalArgumentException(
          "ring-samples="
              + ringSamples
              + " needs "
              + Recording.bytesPerThread(ringSamples)
              + " bytes a thread, more than memory="
              + values.text(AgentOption.MEMORY)
              + " leaves; give a larger memory or smaller rings");
    }
    this.threadLimit = (int) Math.min(threads, values.number(AgentOption.THREAD_LIMIT, 1, 1 << 20));
    this.telemetry = values.isOn(AgentOption.TELEMETRY);
    this.telemetryIntervalMillis = values.millis(AgentOption.TELEMETRY_INTERVAL);
    this.gcEvents = values.isOn(AgentOption.GC_EVENTS);
    this.logLevel = values.logLevel(AgentOption.LOG_LEVEL);
    this.logLinesPerSecond = (int) values.number(AgentOption.LOG_RATE, 1, AgentOption.MAX_LOG_RATE);
  }

  /**
   * @throws IllegalArgumentException with one sentence for the user
   */
  static AgentOptions of(
      Map<String, String> arguments, Properties properties, Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : AgentOption.NAMES) {
      String variable = "FEDOMETER_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
      String value = properties.getProperty("fedometer." + key, environment.get(variable));
      if (value != null && !value.trim().isEmpty()) {
        values.put(key, value.trim());
      }
    }
    Map<String, String> stages = new LinkedHashMap<>();
    for (String property : new TreeSet<>(properties.stringPropertyNames())) {
      if (property.startsWith("fedometer." + AgentOption.STAGE_PREFIX)) {
        stages.put(
            property.substring(("fedometer." + AgentOption.STAGE_PREFIX).length()),
            properties.getProperty(property));
      }
    }
    if (containStages(arguments)) {
      stages.clear();
      values.remove(AgentOption.AOP);
    }
    if (arguments.containsKey(AgentOption.COLLECTOR)) {
      // An argument that names the peer also determines the transport.
      values.remove(AgentOption.TRANSPORT);
    }
    for (Map.Entry<String, String> argument : arguments.entrySet()) {
      if (argument.getKey().startsWith(AgentOption.STAGE_PREFIX)) {
        stages.put(
            argument.getKey().substring(AgentOption.STAGE_PREFIX.length()), argument.getValue());
        continue;
      }
      if (!AgentOption.NAMES.contains(argument.getKey())) {
        throw new IllegalArgumentException(
            "unknown option '"
                + argument.getKey()
                + "'; known are "
                + String.join(", ", AgentOption.NAMES)
                + ", "
                + AgentOption.STAGE_PREFIX
                + "NAME");
      }
      values.put(argument.getKey(), argument.getValue());
    }
    if (new OptionValues(values).isLog4j2() && !arguments.containsKey(AgentOption.TOKEN_FILE)) {
      // It is meant for a collector, like the variable with the token itself.
      values.remove(AgentOption.TOKEN_FILE);
    }
    return new AgentOptions(
        new OptionValues(values), stages, environment.getOrDefault(TOKEN_VARIABLE, "").trim());
  }

  /**
   * Custom stages are one unit, whatever their source: a command's replace those of Fedora's start.
   */
  private static boolean containStages(Map<String, String> arguments) {
    for (String key : arguments.keySet()) {
      if (key.equals(AgentOption.AOP) || key.startsWith(AgentOption.STAGE_PREFIX)) {
        return true;
      }
    }
    return false;
  }

  /** Removes the brackets of an IPv6 address. */
  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static TlsKey tlsKey(Path certificate, Path key, boolean tls) {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          AgentOption.TLS_CERTIFICATE
              + " and "
              + AgentOption.TLS_KEY
              + " belong together; give both or none");
    }
    if (certificate != null && !tls) {
      throw new IllegalArgumentException(
          AgentOption.TLS_CERTIFICATE + " needs TLS: give tls-ca=FILE or tls=on as well");
    }
    return certificate == null ? null : TlsKey.ofPemFiles(certificate, key);
  }

  /** Returns HOST:PORT. */
  String collector() {
    return collectorHost + ":" + collectorPort;
  }

  long queueBytes() {
    return Math.min(MAX_QUEUE_BYTES, memoryBytes / 4);
  }

  long bufferBytes() {
    return BUFFER_BYTES + (spoolOrNull == null ? 0 : SPOOL_BUFFER_BYTES);
  }
}

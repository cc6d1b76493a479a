package org.fedometer.wire.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The agent's options by name, with their limits. Agent and tool share them: a tool writes and
 * validates what the agent reads.
 */
public final class AgentOption {

  /** Value of {@link #TRANSPORT} for a collector. */
  public static final String TO_COLLECTOR = "fedometer";

  /** Value of {@link #TRANSPORT} for a Log4j2 receiver. */
  public static final String TO_LOG4J2 = "log4j2";

  private static final Map<String, String> DEFAULTS = new LinkedHashMap<>();

  public static final String COLLECTOR = option("collector", "");
  public static final String TRANSPORT = option("transport", TO_COLLECTOR);
  public static final String RUN = option("run", "");
  public static final String RUN_NAME = option("run-name", "");
  public static final String SOURCE_NAME = option("source-name", "fedora");
  public static final String TOKEN_FILE = option("token-file", "");
  public static final String TLS = option("tls", "");
  public static final String TLS_CA = option("tls-ca", "");
  public static final String TLS_CERTIFICATE = option("tls-certificate", "");
  public static final String TLS_KEY = option("tls-key", "");
  public static final String MEMORY = option("memory", "32m");
  public static final String SPOOL = option("spool", "");
  public static final String SPOOL_SIZE = option("spool-size", "1g");
  public static final String RING_SAMPLES = option("ring-samples", "2048");
  public static final String THREAD_LIMIT = option("thread-limit", "1048576");
  public static final String TELEMETRY = option("telemetry", "on");
  public static final String TELEMETRY_INTERVAL = option("telemetry-interval", "1");
  public static final String GC_EVENTS = option("gc-events", "on");
  public static final String LOG_LEVEL = option("log-level", "warn");
  public static final String LOG_RATE = option("log-rate", "100");
  public static final String AOP = option("aop", "");

  /** All of the above, in that order. */
  public static final List<String> NAMES =
      Collections.unmodifiableList(new ArrayList<>(DEFAULTS.keySet()));

  public static final String STAGE_PREFIX = "stage.";

  /** Extra member of a command: its name, {@code attach} if absent. */
  public static final String COMMAND = "command";

  /** Extra member of a command: PORT/NONCE of the tool that waits for a reply. */
  public static final String REPLY = "reply";

  /**
   * Extra member of a command: SHA-256 of the options, if they are too long for the command; the
   * agent reads them from the tool.
   */
  public static final String OPTIONS_DIGEST = "options";

  public static final long MIN_MEMORY_BYTES = 4L * 1024 * 1024;

  /** A quarter of the memory is the queue, and the longest frame must fit either half of it. */
  public static final long MIN_MEMORY_WITH_SPOOL_BYTES =
      4 * ClientOptions.MIN_QUEUED_BYTES_WITH_SPOOL;

  public static final long MAX_MEMORY_BYTES = 4096L * 1024 * 1024;
  public static final long MIN_SPOOL_BYTES = ClientOptions.MIN_SPOOLED_BYTES;

  /** Lines of Fedora's log per second. */
  public static final int MAX_LOG_RATE = 100_000;

  private AgentOption() {}

  private static String option(String name, String defaultValue) {
    DEFAULTS.put(name, defaultValue);
    return name;
  }

  /**
   * @param name one of {@link #NAMES}
   * @return the default; empty if there is none, or other options decide
   */
  public static String defaultOf(String name) {
    return DEFAULTS.get(name);
  }
}

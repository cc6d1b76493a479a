package org.fedometer.wire.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The agent's options by their names, and their limits: the agent reads what a tool writes, and a
 * tool refuses what the agent would.
 */
public final class AgentOption {

  public static final String COLLECTOR = "collector";
  public static final String TRANSPORT = "transport";
  public static final String RUN = "run";
  public static final String RUN_NAME = "run-name";
  public static final String SOURCE_NAME = "source-name";
  public static final String TOKEN_FILE = "token-file";
  public static final String TLS = "tls";
  public static final String TLS_CA = "tls-ca";
  public static final String TLS_CERTIFICATE = "tls-certificate";
  public static final String TLS_KEY = "tls-key";
  public static final String MEMORY = "memory";
  public static final String SPOOL = "spool";
  public static final String SPOOL_SIZE = "spool-size";
  public static final String RING_SAMPLES = "ring-samples";
  public static final String THREAD_LIMIT = "thread-limit";
  public static final String TELEMETRY = "telemetry";
  public static final String TELEMETRY_INTERVAL = "telemetry-interval";
  public static final String GC_EVENTS = "gc-events";
  public static final String LOG_LEVEL = "log-level";
  public static final String LOG_RATE = "log-rate";
  public static final String AOP = "aop";

  /** All of the above, in that order. */
  public static final List<String> NAMES =
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

  /** With the name of an own stage behind it. */
  public static final String STAGE_PREFIX = "stage.";

  /** What a command comes with besides: its name, {@code attach} where there is none. */
  public static final String COMMAND = "command";

  /** What a command comes with besides: PORT/NONCE of the tool that waits for an answer. */
  public static final String REPLY = "reply";

  /**
   * What a command comes with besides: SHA-256 of what the tool says when it is asked, where there
   * is no room for it.
   */
  public static final String ANNOUNCED = "options";

  /** Value of {@link #TRANSPORT} where a collector is sent to. */
  public static final String TO_COLLECTOR = "fedometer";

  /** Value of {@link #TRANSPORT} where a Log4j2 receiver is sent to. */
  public static final String TO_LOG4J2 = "log4j2";

  public static final long LEAST_MEMORY_BYTES = 4L * 1024 * 1024;

  /** A quarter of the memory is the queue, and the longest frame has to fit either half of that. */
  public static final long LEAST_MEMORY_WITH_SPOOL_BYTES =
      4 * ClientOptions.LEAST_QUEUED_BYTES_WITH_SPOOL;

  public static final long MOST_MEMORY_BYTES = 4096L * 1024 * 1024;
  public static final long LEAST_SPOOL_BYTES = ClientOptions.LEAST_SPOOLED_BYTES;

  /** Lines of Fedora's log in a second. */
  public static final int MOST_LOG_RATE = 100_000;

  private AgentOption() {}
}

package org.fedometer.wire.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.fedometer.wire.Frame;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.tls.TlsTrust;

/**
 * Destination and identity of a {@link CollectorClient}. Immutable; created by {@link #builder}.
 */
public final class ClientOptions {
  /** Half of it reads back, half of it waits to be written: either must hold the longest frame. */
  static final long MIN_QUEUED_BYTES_WITH_SPOOL = 2 * Frame.MAX_BYTES;

  static final long MIN_SPOOLED_BYTES = 2 * Frame.MAX_BYTES;

  private final String host;
  private final int port;
  private final UUID source;
  private final String sourceKind;
  private final String sourceName;
  private final String runId;
  private final String runName;
  private final String token;
  private final TlsTrust tls;
  private final Map<String, String> attributes;
  private final long maxQueuedBytes;
  private final int connectTimeoutMillis;
  private final int silenceTimeoutMillis;
  private final int clockIntervalMillis;
  private final Path spoolFolder;
  private final long maxSpooledBytes;
  private final OneWayProtocol oneWay;

  private ClientOptions(Builder builder) {
    this.host = builder.host;
    this.port = builder.port;
    this.source = builder.source;
    this.sourceKind = builder.sourceKind;
    this.sourceName = builder.sourceName;
    this.runId = builder.runId;
    this.runName = builder.runName;
    this.token = builder.token;
    this.tls = builder.tls;
    this.attributes = new LinkedHashMap<>(builder.attributes);
    this.maxQueuedBytes = builder.maxQueuedBytes;
    this.connectTimeoutMillis = builder.connectTimeoutMillis;
    this.silenceTimeoutMillis = builder.silenceTimeoutMillis;
    this.clockIntervalMillis = builder.clockIntervalMillis;
    this.spoolFolder = builder.spoolFolder;
    this.maxSpooledBytes = builder.maxSpooledBytes;
    this.oneWay = builder.oneWay;
  }

  /**
   * Creates a missing spool folder and fails if it is not writable, so that a spool never fails
   * only when it is needed.
   */
  public static void checkSpoolFolder(Path folder) throws IOException {
    PrivateFiles.createFoldersUnsynced(folder);
    Files.delete(Files.createTempFile(folder, "spool", ".probe"));
  }

  /**
   * @param host name or address of the collector's host, resolved again for each connection
   * @param port 1 to 65535
   */
  public static Builder builder(String host, int port) {
    return new Builder(host, port);
  }

  public String host() {
    return host;
  }

  public int port() {
    return port;
  }

  public UUID source() {
    return source;
  }

  /**
   * Returns the memory for frames that are queued or unacknowledged, including those for a spool.
   */
  long maxQueuedBytes() {
    return maxQueuedBytes;
  }

  /** Returns null for a plain connection. */
  TlsTrust tlsOrNull() {
    return tls;
  }

  int connectTimeoutMillis() {
    return connectTimeoutMillis;
  }

  int silenceTimeoutMillis() {
    return silenceTimeoutMillis;
  }

  int clockIntervalMillis() {
    return clockIntervalMillis;
  }

  /** Returns null without a spool. */
  Path spoolFolderOrNull() {
    return spoolFolder;
  }

  long maxSpooledBytes() {
    return maxSpooledBytes;
  }

  /** Returns null with a collector. */
  OneWayProtocol oneWayOrNull() {
    return oneWay;
  }

  /** Returns an empty text if unknown. */
  String bootId() {
    return attributes.getOrDefault(Hello.BOOT_ID, "");
  }

  Hello hello(long firstAvailableSequence) {
    return hello(firstAvailableSequence, token);
  }

  /** Returns the HELLO that may be stored on disk. */
  public Hello helloWithoutToken() {
    return hello(1, "");
  }

  private Hello hello(long firstAvailableSequence, String token) {
    return Hello.builder(source, sourceKind)
        .firstAvailableSequence(firstAvailableSequence)
        .sourceName(sourceName)
        .runId(runId)
        .runName(runName)
        .token(token)
        .attributes(attributes)
        .nanos(System.nanoTime())
        .build();
  }

  /** Collects options; every setter returns this builder. Not thread-safe. */
  public static final class Builder {
    private static final long MIN_QUEUED_BYTES = 64 * 1024;

    private final String host;
    private final int port;
    private UUID source = UUID.randomUUID();
    private String sourceKind = Hello.AGENT;
    private String sourceName = "";
    private String runId = "";
    private String runName = "";
    private String token = "";
    private TlsTrust tls;
    private final Map<String, String> attributes = new LinkedHashMap<>();
    private long maxQueuedBytes = 8 * 1024 * 1024;
    private int connectTimeoutMillis = 3_000;
    private int silenceTimeoutMillis = 15_000;
    private int clockIntervalMillis = 60_000;
    private Path spoolFolder;
    private long maxSpooledBytes;
    private OneWayProtocol oneWay;

    private Builder(String host, int port) {
      if (host.isEmpty() || port < 1 || port > 65535) {
        throw new IllegalArgumentException(
            "A collector must be HOST:PORT with a port from 1 to 65535, not \""
                + host
                + ":"
                + port
                + "\"");
      }
      this.host = host;
      this.port = port;
    }

    /** Identity of this process; default: random. */
    public Builder source(UUID value) {
      this.source = value;
      return this;
    }

    /** One of the kinds in {@link Hello}; default: {@link Hello#AGENT}. */
    public Builder sourceKind(String value) {
      this.sourceKind = value;
      return this;
    }

    /** Display name, such as {@code fedora}; default: empty. */
    public Builder sourceName(String value) {
      this.sourceName = value;
      return this;
    }

    /** ULID of the run; default: empty, outside any run. */
    public Builder runId(String value) {
      this.runId = value;
      return this;
    }

    /** Name of the run's folder; default: empty. */
    public Builder runName(String value) {
      this.runName = value;
      return this;
    }

    /** Secret shared with the collector; null or empty (default) for none. */
    public Builder tokenOrNull(String value) {
      this.token = value == null ? "" : value;
      return this;
    }

    /** Connects by TLS to a trusted collector; null (default) for a plain connection. */
    public Builder tls(TlsTrust value) {
      this.tls = value;
      return this;
    }

    /**
     * Protocol of a receiver that is no collector; null (default) for a collector. The silence
     * timeout then limits how long a write may make no progress.
     */
    public Builder oneWay(OneWayProtocol value) {
      this.oneWay = value;
      return this;
    }

    /**
     * Adds an attribute of the source, at most 32. {@link Hello#BOOT_ID} identifies the current
     * boot of its host: a collector with the same one has the same clock.
     */
    public Builder attribute(String name, String value) {
      attributes.put(name, value);
      return this;
    }

    /** Memory for frames that are queued or unacknowledged; default 8 MiB, at least 64 KiB. */
    public Builder maxQueuedBytes(long value) {
      if (value < MIN_QUEUED_BYTES) {
        throw new IllegalArgumentException(
            "The client needs at least " + MIN_QUEUED_BYTES + " bytes, not " + value);
      }
      this.maxQueuedBytes = value;
      return this;
    }

    /** Timeout of one connection attempt; default 3,000. */
    Builder connectTimeoutMillis(int value) {
      this.connectTimeoutMillis = positive("connect timeout", value);
      return this;
    }

    /**
     * Timeout after which a collector that is silent while frames are unacknowledged is
     * reconnected; default 15,000.
     */
    public Builder silenceTimeoutMillis(int value) {
      this.silenceTimeoutMillis = positive("silence timeout", value);
      return this;
    }

    /** Minimum interval between clock request bursts; default 60,000. */
    Builder clockIntervalMillis(int value) {
      this.clockIntervalMillis = positive("clock interval", value);
      return this;
    }

    /**
     * Spools frames to files when memory is full because the collector is away for long. Default:
     * off, since writing files disturbs the measurement. With a spool, {@link #maxQueuedBytes} is
     * at least 4 MiB.
     *
     * <p>Frames that are unacknowledged when the client is closed stay in the folder. The next
     * client with the folder forwards them to its own collector under their original source.
     * Several processes may share the folder. It contains measured data, so other users should not
     * have read access.
     *
     * @param folder created if missing
     * @param maxBytes limit of all files of the client, including claimed ones, at least 4 MiB
     */
    public Builder spool(Path folder, long maxBytes) {
      if (folder == null) {
        throw new IllegalArgumentException(
            "A spool needs a folder; omit spool() for a client without one");
      }
      if (maxBytes < MIN_SPOOLED_BYTES) {
        throw new IllegalArgumentException(
            "A spool needs at least " + MIN_SPOOLED_BYTES + " bytes, not " + maxBytes);
      }
      this.spoolFolder = folder;
      this.maxSpooledBytes = maxBytes;
      return this;
    }

    /**
     * @throws IllegalArgumentException one sentence: a text or the whole HELLO is too long, or
     *     memory is too small for a spool
     */
    public ClientOptions build() {
      if (spoolFolder != null && maxQueuedBytes < MIN_QUEUED_BYTES_WITH_SPOOL) {
        throw new IllegalArgumentException(
            "A client with a spool needs at least "
                + MIN_QUEUED_BYTES_WITH_SPOOL
                + " bytes of memory, not "
                + maxQueuedBytes);
      }
      ClientOptions options = new ClientOptions(this);
      // The highest sequence needs the most bytes.
      int helloBytes = options.hello(Long.MAX_VALUE).encode().length + Frame.OVERHEAD_BYTES;
      if (helloBytes > Hello.MAX_FRAME_BYTES) {
        throw new IllegalArgumentException(
            "The source's HELLO with its "
                + attributes.size()
                + " attributes has "
                + helloBytes
                + " bytes, at most "
                + Hello.MAX_FRAME_BYTES
                + " are allowed: give fewer or shorter attributes");
      }
      return options;
    }

    private static int positive(String what, int millis) {
      if (millis < 1) {
        throw new IllegalArgumentException("The " + what + " must be at least 1 ms, not " + millis);
      }
      return millis;
    }
  }
}

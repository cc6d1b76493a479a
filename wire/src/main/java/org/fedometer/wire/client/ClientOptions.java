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

/** Where a {@link CollectorClient} sends to, and as whom. Immutable; made by {@link #builder}. */
public final class ClientOptions {
  /** Half of it reads back, half of it waits to be written: either holds the longest frame. */
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
   * Makes a folder for a spool if it is not there, and fails if files cannot be made in it: a spool
   * that fails when it is needed would be none.
   */
  public static void checkSpoolFolder(Path folder) throws IOException {
    PrivateFiles.createFoldersUnsynced(folder);
    Files.delete(Files.createTempFile(folder, "spool", ".probe"));
  }

  /**
   * @param host name or address of the collector's host, looked up again at each connection
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

  /** Memory for frames that are queued or not yet acknowledged, those for a spool included. */
  long maxQueuedBytes() {
    return maxQueuedBytes;
  }

  /** Null for a plain connection. */
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

  /** Null without a spool. */
  Path spoolFolderOrNull() {
    return spoolFolder;
  }

  long maxSpooledBytes() {
    return maxSpooledBytes;
  }

  /** Null where a collector is spoken to. */
  OneWayProtocol oneWayOrNull() {
    return oneWay;
  }

  /** Empty if unknown. */
  String bootId() {
    return attributes.getOrDefault(Hello.BOOT_ID, "");
  }

  Hello hello(long firstAvailableSequence) {
    return hello(firstAvailableSequence, token);
  }

  /** As it may lie on disk. */
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
            "A collector is HOST:PORT with a port from 1 to 65535, not \""
                + host
                + ":"
                + port
                + "\"");
      }
      this.host = host;
      this.port = port;
    }

    /** Identity of this process; default: a random one. */
    public Builder source(UUID value) {
      this.source = value;
      return this;
    }

    /** One of the kinds that {@link Hello} names; default: {@link Hello#AGENT}. */
    public Builder sourceKind(String value) {
      this.sourceKind = value;
      return this;
    }

    /** For people, such as {@code fedora}; default: empty. */
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

    /** Shared secret with the collector; null or empty (default) for none. */
    public Builder tokenOrNull(String value) {
      this.token = value == null ? "" : value;
      return this;
    }

    /** Connects by TLS to a collector that is trusted; null (default) for a plain connection. */
    public Builder tls(TlsTrust value) {
      this.tls = value;
      return this;
    }

    /**
     * Speaks to a receiver that is no collector; null (default) for a collector. The silence
     * timeout is then how long the receiver may take nothing of what is being written.
     */
    public Builder oneWay(OneWayProtocol value) {
      this.oneWay = value;
      return this;
    }

    /**
     * Something more that is known of the source, at most 32 of them. {@link Hello#BOOT_ID}
     * identifies the present boot of its host: a collector with the same one has the same clock.
     */
    public Builder attribute(String name, String value) {
      attributes.put(name, value);
      return this;
    }

    /**
     * Memory for frames that are queued or not yet acknowledged; default 8 MiB, at least 64 KiB.
     */
    public Builder maxQueuedBytes(long value) {
      if (value < MIN_QUEUED_BYTES) {
        throw new IllegalArgumentException(
            "The client needs at least " + MIN_QUEUED_BYTES + " bytes, not " + value);
      }
      this.maxQueuedBytes = value;
      return this;
    }

    /** How long one attempt to connect may take; default 3,000. */
    Builder connectTimeoutMillis(int value) {
      this.connectTimeoutMillis = positive("connect timeout", value);
      return this;
    }

    /**
     * How long the collector may be silent while frames are unacknowledged before the connection is
     * given up and made anew; default 15,000.
     */
    public Builder silenceTimeoutMillis(int value) {
      this.silenceTimeoutMillis = positive("silence timeout", value);
      return this;
    }

    /** How often the collector is asked for its time at most; default 60,000. */
    Builder clockIntervalMillis(int value) {
      this.clockIntervalMillis = positive("clock interval", value);
      return this;
    }

    /**
     * Lets frames go to files while the memory is full, which is when the collector is away for
     * long; default: off, as writing files disturbs what is measured. With it {@link
     * #maxQueuedBytes} is at least 4 MiB.
     *
     * <p>What the client has not had acknowledged when it is closed stays in the folder. The next
     * client with the folder sends it on to its own collector, as the source that it came from. The
     * folder may serve several processes at a time; it holds what was measured, so it should be no
     * one else's to read.
     *
     * @param folder made if it is not there
     * @param maxBytes of all files that the client writes or takes over, at least 4 MiB
     */
    public Builder spool(Path folder, long maxBytes) {
      if (folder == null) {
        throw new IllegalArgumentException(
            "A spool needs a folder; leave spool() out for a client without one");
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
     * @throws IllegalArgumentException one sentence: a text is too long, or all together are, or
     *     there is too little memory for a spool
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
      // The highest sequence takes most room.
      int helloBytes = options.hello(Long.MAX_VALUE).encode().length + Frame.OVERHEAD_BYTES;
      if (helloBytes > Hello.MAX_FRAME_BYTES) {
        throw new IllegalArgumentException(
            "The source's introduction with its "
                + attributes.size()
                + " attributes takes "
                + helloBytes
                + " bytes, at most "
                + Hello.MAX_FRAME_BYTES
                + " are allowed: give fewer or shorter attributes");
      }
      return options;
    }

    private static int positive(String what, int millis) {
      if (millis < 1) {
        throw new IllegalArgumentException("A " + what + " is at least 1 ms, not " + millis);
      }
      return millis;
    }
  }
}

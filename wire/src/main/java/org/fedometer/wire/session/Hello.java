package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/** A source's introduction, the first frame of every connection. Immutable. */
public final class Hello {
  /** The protocol version that this code implements. */
  public static final int PROTOCOL_VERSION = 1;

  /** Kind of a source that times a Fedora from inside. */
  public static final String AGENT = "agent";

  /** Kind of a source that puts load on a Fedora. */
  public static final String DRIVER = "driver";

  /** Kind of a source that sends measurements of other tools. */
  public static final String IMPORT = "import";

  /** Kind of a source that sends a log file line by line. */
  public static final String LOG = "log";

  /** Kind that the collector assigns to a host whose Log4j2 appenders send logs to it. */
  public static final String LOG_HOST = "log4j2";

  /** Kind of a source that only checks for a collector; it belongs to no run. */
  public static final String PROBE = "probe";

  /** Kind of a source that sends queries ({@link QueryRequest}); it belongs to no run. */
  public static final String READER = "reader";

  /** Attribute that identifies the boot of the source's host, see {@code HostBoot}. */
  public static final String BOOT_ID = "bootId";

  /** Attribute that names the clock of the source's nanoseconds, if not nanoTime. */
  public static final String CLOCK = "clock";

  /** Value of {@link #CLOCK}: nanoseconds since 1970, UTC. */
  public static final String EPOCH = "epoch";

  /** The longest HELLO frame that a collector accepts. */
  public static final int MAX_FRAME_BYTES = 64 * 1024;

  private static final int MAGIC = 0x46444D57; // "FDMW"
  private static final int MAX_TEXT_BYTES = 1024;
  private static final int MAX_ATTRIBUTES = 32;

  private final int minProtocolVersion;
  private final int maxProtocolVersion;
  private final UUID source;
  private final long firstAvailableSequence;
  private final String sourceKind;
  private final String sourceName;
  private final String runId;
  private final String runName;
  private final String token;
  private final Map<String, String> attributes;
  private final long nanos;

  private Hello(Builder builder) {
    if (builder.attributes.size() > MAX_ATTRIBUTES) {
      throw new IllegalArgumentException(
          "HELLO has " + builder.attributes.size() + " attributes, more than " + MAX_ATTRIBUTES);
    }
    this.minProtocolVersion = builder.minProtocolVersion;
    this.maxProtocolVersion = builder.maxProtocolVersion;
    this.source = builder.source;
    this.firstAvailableSequence = builder.firstAvailableSequence;
    this.sourceKind = builder.sourceKind;
    this.sourceName = builder.sourceName;
    this.runId = builder.runId;
    this.runName = builder.runName;
    this.token = builder.token;
    this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(builder.attributes));
    this.nanos = builder.nanos;
  }

  /**
   * Starts a HELLO with this code's protocol version, all frames available, and no run; all else is
   * empty or 0.
   *
   * @param source identity of the sending process, new at each start
   * @param sourceKind {@link #AGENT}, {@link #DRIVER}, {@link #IMPORT}, {@link #LOG}, {@link
   *     #LOG_HOST}, {@link #PROBE}, {@link #READER}, or a custom kind
   */
  public static Builder builder(UUID source, String sourceKind) {
    return new Builder(source, sourceKind);
  }

  public int minProtocolVersion() {
    return minProtocolVersion;
  }

  public int maxProtocolVersion() {
    return maxProtocolVersion;
  }

  public UUID source() {
    return source;
  }

  public long firstAvailableSequence() {
    return firstAvailableSequence;
  }

  public String sourceKind() {
    return sourceKind;
  }

  public String sourceName() {
    return sourceName;
  }

  public String runId() {
    return runId;
  }

  public String runName() {
    return runName;
  }

  public String token() {
    return token;
  }

  public Map<String, String> attributes() {
    return attributes;
  }

  /** Returns {@code System.nanoTime()} of the source at sending. */
  public long nanos() {
    return nanos;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.fixed32(MAGIC);
    out.fixed8(minProtocolVersion);
    out.fixed8(maxProtocolVersion);
    out.uuid(source);
    out.varint(firstAvailableSequence);
    out.string("The source's kind", sourceKind, MAX_TEXT_BYTES);
    out.string("The source's name", sourceName, MAX_TEXT_BYTES);
    out.string("The run's ULID", runId, MAX_TEXT_BYTES);
    out.string("The run's name", runName, MAX_TEXT_BYTES);
    out.string("The token", token, MAX_TEXT_BYTES);
    out.varint(attributes.size());
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      out.string("An attribute's name", attribute.getKey(), MAX_TEXT_BYTES);
      out.string("An attribute's value", attribute.getValue(), MAX_TEXT_BYTES);
    }
    out.fixed64(nanos);
    return out.toByteArray();
  }

  /** Ignores fields that later versions append. */
  public static Hello decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    if (in.fixed32() != MAGIC) {
      throw new MalformedFrameException("The frame is not a Fedometer HELLO");
    }
    int min = in.fixed8();
    int max = in.fixed8();
    UUID source = in.uuid();
    long firstAvailable = in.varint();
    if (firstAvailable < 1) {
      throw new MalformedFrameException("The first available sequence must be at least 1");
    }
    String kind = in.string("The source's kind", MAX_TEXT_BYTES);
    String name = in.string("The source's name", MAX_TEXT_BYTES);
    String runId = in.string("The run's ULID", MAX_TEXT_BYTES);
    String runName = in.string("The run's name", MAX_TEXT_BYTES);
    String token = in.string("The token", MAX_TEXT_BYTES);
    int count = in.count("attributes", 2);
    if (count > MAX_ATTRIBUTES) {
      throw new MalformedFrameException(
          "HELLO has " + count + " attributes, more than " + MAX_ATTRIBUTES);
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String key = in.string("An attribute's name", MAX_TEXT_BYTES);
      attributes.put(key, in.string("An attribute's value", MAX_TEXT_BYTES));
    }
    return builder(source, kind)
        .protocolVersions(min, max)
        .firstAvailableSequence(firstAvailable)
        .sourceName(name)
        .runId(runId)
        .runName(runName)
        .token(token)
        .attributes(attributes)
        .nanos(in.fixed64())
        .build();
  }

  /** Collects the fields of a HELLO. One thread at a time. */
  public static final class Builder {
    private final UUID source;
    private final String sourceKind;
    private int minProtocolVersion = PROTOCOL_VERSION;
    private int maxProtocolVersion = PROTOCOL_VERSION;
    private long firstAvailableSequence = 1;
    private String sourceName = "";
    private String runId = "";
    private String runName = "";
    private String token = "";
    private Map<String, String> attributes = Collections.emptyMap();
    private long nanos;

    private Builder(UUID source, String sourceKind) {
      this.source = source;
      this.sourceKind = sourceKind;
    }

    public Builder protocolVersions(int oldest, int newest) {
      minProtocolVersion = oldest;
      maxProtocolVersion = newest;
      return this;
    }

    /**
     * The lowest sequence that the source can still send; this or another collector has
     * acknowledged all below.
     */
    public Builder firstAvailableSequence(long value) {
      firstAvailableSequence = value;
      return this;
    }

    /** Display name. */
    public Builder sourceName(String value) {
      sourceName = value;
      return this;
    }

    /** The run's ULID. */
    public Builder runId(String value) {
      runId = value;
      return this;
    }

    /** The run's folder. */
    public Builder runName(String value) {
      runName = value;
      return this;
    }

    /** The secret that the collector requires. */
    public Builder token(String value) {
      token = value;
      return this;
    }

    /** Further facts about the source, such as its boot identity; copied by {@link #build}. */
    public Builder attributes(Map<String, String> value) {
      attributes = value;
      return this;
    }

    /** {@code System.nanoTime()} of the source at sending. */
    public Builder nanos(long value) {
      nanos = value;
      return this;
    }

    /**
     * @throws IllegalArgumentException for more than 32 attributes
     */
    public Hello build() {
      return new Hello(this);
    }
  }
}

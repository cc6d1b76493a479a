package org.fedometer.wire.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/** The collector's reply to a {@link Hello} that it accepts. Immutable. */
public final class Welcome {
  private static final int MAX_TEXT_BYTES = 16 * 1024;

  private final int protocolVersion;
  private final long lastDurableSequence;
  private final String storeDirectory;
  private final String hostName;
  private final String runFolder;
  private final String runId;

  /**
   * @param protocolVersion the version chosen for this connection
   * @param lastDurableSequence the source's newest frame on the collector's disk, 0 if none
   * @param storeDirectory absolute, as the collector sees it
   * @param hostName of the collector's host
   * @param runFolder name of the run's folder in the store, empty for a probe
   * @param runId the run's ULID, empty for a probe
   */
  public Welcome(
      int protocolVersion,
      long lastDurableSequence,
      String storeDirectory,
      String hostName,
      String runFolder,
      String runId) {
    this.protocolVersion = protocolVersion;
    this.lastDurableSequence = lastDurableSequence;
    this.storeDirectory = storeDirectory;
    this.hostName = hostName;
    this.runFolder = runFolder;
    this.runId = runId;
  }

  /**
   * Decodes a collector's reply to HELLO that is no rejection.
   *
   * @throws IOException one sentence about "it", the collector: this is no WELCOME, or has an
   *     unsupported protocol version
   */
  public static Welcome of(Frame response) throws IOException {
    if (response.type() != FrameType.WELCOME) {
      throw new IOException("it answers HELLO with a frame of type " + response.typeCode());
    }
    Welcome welcome;
    try {
      welcome = decode(ByteBuffer.wrap(response.payload()));
    } catch (MalformedFrameException e) {
      throw new IOException("its WELCOME cannot be read: " + e.getMessage(), e);
    }
    if (welcome.protocolVersion != Hello.PROTOCOL_VERSION) {
      throw new IOException(
          "it speaks protocol version "
              + welcome.protocolVersion
              + ", this side speaks "
              + Hello.PROTOCOL_VERSION);
    }
    return welcome;
  }

  public int protocolVersion() {
    return protocolVersion;
  }

  public long lastDurableSequence() {
    return lastDurableSequence;
  }

  public String storeDirectory() {
    return storeDirectory;
  }

  public String hostName() {
    return hostName;
  }

  public String runFolder() {
    return runFolder;
  }

  public String runId() {
    return runId;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.fixed8(protocolVersion);
    out.varint(lastDurableSequence);
    out.string("The store's directory", storeDirectory, MAX_TEXT_BYTES);
    out.string("The host's name", hostName, MAX_TEXT_BYTES);
    out.string("The run's folder", runFolder, MAX_TEXT_BYTES);
    out.string("The run's ULID", runId, MAX_TEXT_BYTES);
    return out.toByteArray();
  }

  /** Ignores fields that later versions append. */
  public static Welcome decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    return new Welcome(
        in.fixed8(),
        in.varint(),
        in.string("The store's directory", MAX_TEXT_BYTES),
        in.string("The host's name", MAX_TEXT_BYTES),
        in.string("The run's folder", MAX_TEXT_BYTES),
        in.string("The run's ULID", MAX_TEXT_BYTES));
  }
}

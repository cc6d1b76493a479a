package org.fedometer.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * One frame: the unit of sending, storing and acknowledging. Immutable as long as nobody writes to
 * the payload array, which is not copied.
 *
 * <p>On the wire, big-endian: length (4 bytes, counts all that follows it), type (1), sequence (8),
 * payload, CRC-32 (4, over everything before it, the length included).
 */
public final class Frame {
  /** Bytes of a frame besides its payload. */
  public static final int OVERHEAD_BYTES = 4 + 1 + 8 + 4;

  /** The longest frame, length field included. */
  public static final int MAX_BYTES = 2 * 1024 * 1024;

  public static final int MAX_PAYLOAD_BYTES = MAX_BYTES - OVERHEAD_BYTES;

  static final int HEADER_BYTES = 4 + 1 + 8;

  private final byte typeCode;
  private final long sequence;
  private final byte[] payload;

  /**
   * @param typeCode a {@link FrameType#code()}, or one that this version does not know
   * @param sequence 0 for session frames, otherwise 1 and up
   * @param payload at most {@link #MAX_PAYLOAD_BYTES}; not copied
   */
  public Frame(byte typeCode, long sequence, byte[] payload) {
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "A payload of " + payload.length + " bytes, at most " + MAX_PAYLOAD_BYTES + " fit");
    }
    if (sequence < 0) {
      throw new IllegalArgumentException("A sequence is not negative: " + sequence);
    }
    this.typeCode = typeCode;
    this.sequence = sequence;
    this.payload = payload;
  }

  /** A frame of the session, which has no sequence and is not stored. */
  public static Frame session(FrameType type, byte[] payload) {
    return new Frame(type.code(), 0, payload);
  }

  /** Also one that this version does not know, see {@link #type()}. */
  public byte typeCode() {
    return typeCode;
  }

  /** Null where this version does not know the type. */
  public FrameType type() {
    return FrameType.ofCode(typeCode);
  }

  public long sequence() {
    return sequence;
  }

  /** Not a copy. */
  public byte[] payload() {
    return payload;
  }

  /** Bytes on the wire. */
  public int sizeBytes() {
    return payload.length + OVERHEAD_BYTES;
  }

  /** As on the wire; an array of its own. */
  public byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes());
    putHeader(bytes);
    bytes.put(payload);
    CRC32 crc = new CRC32();
    crc.update(bytes.array(), 0, bytes.position());
    bytes.putInt((int) crc.getValue());
    return bytes.array();
  }

  /** As on the wire, in three writes: the stream had better be buffered. */
  public void writeTo(OutputStream out) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    putHeader(header);
    CRC32 crc = new CRC32();
    crc.update(header.array());
    crc.update(payload);
    out.write(header.array());
    out.write(payload);
    out.write(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  private void putHeader(ByteBuffer target) {
    target.putInt(sizeBytes() - 4).put(typeCode).putLong(sequence);
  }

  /**
   * How many bytes the frame has whose length field is given, that field included.
   *
   * @param lengthField the frame's first four bytes
   * @param maxBytes what the receiver allows, at most {@link #MAX_BYTES}
   */
  public static int checkedSizeBytes(int lengthField, int maxBytes) throws MalformedFrameException {
    if (lengthField < OVERHEAD_BYTES - 4 || lengthField > maxBytes - 4) {
      throw new MalformedFrameException(
          "A frame's length lies between "
              + (OVERHEAD_BYTES - 4)
              + " and "
              + (maxBytes - 4)
              + ", not "
              + Integer.toUnsignedString(lengthField));
    }
    return lengthField + 4;
  }

  /** Reads the whole frame that the buffer holds from its position to its limit, and checks it. */
  public static Frame parse(ByteBuffer bytes) throws MalformedFrameException {
    if (bytes.remaining() < OVERHEAD_BYTES) {
      throw new MalformedFrameException(
          "A frame is cut short: " + Counted.of(bytes.remaining(), "byte"));
    }
    if (checkedSizeBytes(bytes.getInt(bytes.position()), MAX_BYTES) != bytes.remaining()) {
      throw new MalformedFrameException("A frame's length is not the length it says");
    }
    ByteBuffer covered = bytes.duplicate();
    covered.limit(covered.limit() - 4);
    CRC32 crc = new CRC32();
    crc.update(covered);
    if ((int) crc.getValue() != bytes.getInt(bytes.limit() - 4)) {
      throw new MalformedFrameException("A frame's CRC-32 does not fit its bytes");
    }
    ByteBuffer content = bytes.duplicate();
    content.getInt();
    byte typeCode = content.get();
    long sequence = content.getLong();
    if (sequence < 0) {
      throw new MalformedFrameException("A frame's sequence is negative");
    }
    byte[] payload = new byte[content.remaining() - 4];
    content.get(payload);
    return new Frame(typeCode, sequence, payload);
  }
}

package org.fedometer.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * A frame: the unit of sending, storing and acknowledging. Immutable unless the payload array,
 * which is not copied, is modified.
 *
 * <p>Wire format, big-endian: length (4 bytes, counts all that follows it), type (1), sequence (8),
 * payload, CRC-32 (4, over everything before it, including the length).
 */
public final class Frame {
  /** Bytes of a frame besides its payload. */
  public static final int OVERHEAD_BYTES = 4 + 1 + 8 + 4;

  /** Limit of a frame, including the length field. */
  public static final int MAX_BYTES = 2 * 1024 * 1024;

  public static final int MAX_PAYLOAD_BYTES = MAX_BYTES - OVERHEAD_BYTES;

  static final int HEADER_BYTES = 4 + 1 + 8;

  private final byte typeCode;
  private final long sequence;
  private final byte[] payload;

  /**
   * @param typeCode a {@link FrameType#code()}, or a code unknown to this version
   * @param sequence 0 for session frames, otherwise 1 and up
   * @param payload at most {@link #MAX_PAYLOAD_BYTES}; not copied
   */
  public Frame(byte typeCode, long sequence, byte[] payload) {
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "A payload has "
              + payload.length
              + " bytes, more than the limit of "
              + MAX_PAYLOAD_BYTES);
    }
    if (sequence < 0) {
      throw new IllegalArgumentException("A sequence must not be negative: " + sequence);
    }
    this.typeCode = typeCode;
    this.sequence = sequence;
    this.payload = payload;
  }

  /** Creates a session frame, which has no sequence and is not stored. */
  public static Frame session(FrameType type, byte[] payload) {
    return new Frame(type.code(), 0, payload);
  }

  /** Returns the code, which this version may not know; see {@link #type()}. */
  public byte typeCode() {
    return typeCode;
  }

  /** Returns the type, or null if this version does not know it. */
  public FrameType type() {
    return FrameType.ofCode(typeCode);
  }

  public long sequence() {
    return sequence;
  }

  /** Returns the payload itself, not a copy. */
  public byte[] payload() {
    return payload;
  }

  /** Returns the number of bytes on the wire. */
  public int sizeBytes() {
    return payload.length + OVERHEAD_BYTES;
  }

  /** Returns the wire format in a new array. */
  public byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes());
    putHeader(bytes);
    bytes.put(payload);
    CRC32 crc = new CRC32();
    crc.update(bytes.array(), 0, bytes.position());
    bytes.putInt((int) crc.getValue());
    return bytes.array();
  }

  /** Writes the wire format in three writes; prefer a buffered stream. */
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
   * Returns the size of a frame in bytes, including the length field.
   *
   * @param lengthField the frame's first four bytes
   * @param maxBytes the receiver's limit, at most {@link #MAX_BYTES}
   * @throws MalformedFrameException if the length is too small or above the limit
   */
  public static int checkedSizeBytes(int lengthField, int maxBytes) throws MalformedFrameException {
    if (lengthField < OVERHEAD_BYTES - 4 || lengthField > maxBytes - 4) {
      throw new MalformedFrameException(
          "A frame's length must be between "
              + (OVERHEAD_BYTES - 4)
              + " and "
              + (maxBytes - 4)
              + ", not "
              + Integer.toUnsignedString(lengthField));
    }
    return lengthField + 4;
  }

  /** Reads and validates the one frame between the buffer's position and its limit. */
  public static Frame parse(ByteBuffer bytes) throws MalformedFrameException {
    if (bytes.remaining() < OVERHEAD_BYTES) {
      throw new MalformedFrameException(
          "A frame is incomplete: " + Counted.of(bytes.remaining(), "byte"));
    }
    if (checkedSizeBytes(bytes.getInt(bytes.position()), MAX_BYTES) != bytes.remaining()) {
      throw new MalformedFrameException("A frame's length differs from its length field");
    }
    ByteBuffer covered = bytes.duplicate();
    covered.limit(covered.limit() - 4);
    CRC32 crc = new CRC32();
    crc.update(covered);
    if ((int) crc.getValue() != bytes.getInt(bytes.limit() - 4)) {
      throw new MalformedFrameException("A frame's CRC-32 does not match its bytes");
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

package org.fedometer.store.segment;

/** Constants of the segment format; {@code docs/store-and-query.md} has the layout. */
final class SegmentFormat {
  /** "FDMSEG" and a version of two bytes. */
  static final long MAGIC = 0x46444D5345470001L;

  static final int MAGIC_BYTES = 8;

  static final byte RUN = 1;
  static final byte SOURCE = 2;
  static final byte FRAME = 3;
  static final byte DOCUMENT = 4;

  /** Length, kind, source index; the CRC-32 follows the body. */
  static final int RECORD_HEADER_BYTES = 4 + 1 + 4;

  static final int KIND_AT = 4;
  static final int SOURCE_AT = KIND_AT + 1;

  static final int RECORD_OVERHEAD_BYTES = RECORD_HEADER_BYTES + 4;

  /** Type and sequence of a frame, at the start of its record's body. */
  static final int FRAME_HEADER_BYTES = 1 + 8;

  static final int SEQUENCE_AT = 1;

  /** Offset within the document's file, before its frame. */
  static final int DOCUMENT_OFFSET_BYTES = 8;

  /** A wire frame with an offset fits. */
  static final int MAX_RECORD_BYTES = 2 * 1024 * 1024 + 64;

  private SegmentFormat() {}

  /**
   * @param length its length field, without the field itself
   * @param available bytes from its start to the end of the file
   */
  static boolean isPossible(int length, long available) {
    return length >= RECORD_OVERHEAD_BYTES - 4
        && length <= MAX_RECORD_BYTES
        && length <= available - 4;
  }
}

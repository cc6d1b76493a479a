package org.fedometer.store.parquet;

import java.nio.charset.StandardCharsets;

/**
 * Thrift's compact protocol, as far as Parquet's headers and footers need it. Fields of a structure
 * are written in ascending order. One thread.
 */
final class ThriftWriter {
  static final int I32 = 5;
  static final int BINARY = 8;
  static final int STRUCT = 12;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int I8 = 3;
  private static final int I64 = 6;
  private static final int LIST = 9;
  private static final int MAX_DEPTH = 16;

  private final ByteSink out;
  private final int[] lastFields = new int[MAX_DEPTH];
  private int depth;

  /** Starts with the fields of the outermost structure. */
  ThriftWriter(ByteSink out) {
    this.out = out;
  }

  void flag(int field, boolean value) {
    header(field, value ? TRUE : FALSE);
  }

  void i8(int field, int value) {
    header(field, I8);
    out.put8(value);
  }

  void i32(int field, int value) {
    header(field, I32);
    out.zigzag(value);
  }

  void i64(int field, long value) {
    header(field, I64);
    out.zigzag(value);
  }

  void text(int field, String value) {
    binary(field, value.getBytes(StandardCharsets.UTF_8));
  }

  void binary(int field, byte[] value) {
    header(field, BINARY);
    element(value);
  }

  /** Starts a structure, which {@link #end} ends. */
  void struct(int field) {
    header(field, STRUCT);
    element();
  }

  /** Starts a list; its elements follow. */
  void list(int field, int elementType, int count) {
    header(field, LIST);
    if (count < 15) {
      out.put8(count << 4 | elementType);
    } else {
      out.put8(0xF0 | elementType);
      out.varint(count);
    }
  }

  /** Starts a structure as an element of a list, which {@link #end} ends. */
  void element() {
    lastFields[++depth] = 0;
  }

  void element(int value) {
    out.zigzag(value);
  }

  void element(byte[] value) {
    out.varint(value.length);
    out.put(value);
  }

  void element(String value) {
    element(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Ends the innermost structure; finally the outermost one. */
  void end() {
    out.put8(0);
    depth--;
  }

  private void header(int field, int type) {
    int step = field - lastFields[depth];
    if (step < 1 || step > 15) {
      throw new IllegalStateException("Field " + field + " after " + lastFields[depth]);
    }
    out.put8(step << 4 | type);
    lastFields[depth] = field;
  }
}

package org.fedometer.wire.spool;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.session.Hello;

/**
 * Format of a spool file. 8 bytes "FDMSPL", 0, 1; 8 bytes time of day in milliseconds since 1970;
 * then frames as on the wire. The first frame is the source's HELLO at that time, without a token.
 * Stateless; on a client's spool thread.
 */
final class SpoolFile {
  private static final long MAGIC = 0x46444D53504C0001L;
  private static final int BUFFER_BYTES = 64 * 1024;

  private SpoolFile() {}

  /** Head of a file: its creation time and the source's HELLO at that time. */
  static final class Head {
    final long epochMillis;
    final Hello hello;

    Head(long epochMillis, Hello hello) {
      this.epochMillis = epochMillis;
      this.hello = hello;
    }
  }

  /** Writes a whole file in place of an existing one. */
  static void write(Path file, Hello introduction, List<Frame> frames) throws IOException {
    PrivateFiles.createFile(file);
    try (OutputStream out =
        new BufferedOutputStream(new FileOutputStream(file.toFile()), BUFFER_BYTES)) {
      out.write(head(introduction));
      for (Frame frame : frames) {
        frame.writeTo(out);
      }
    }
  }

  /** Returns the head of a file that starts now. */
  static byte[] head(Hello introduction) {
    byte[] hello = Frame.session(FrameType.HELLO, introduction.encode()).toBytes();
    return ByteBuffer.allocate(16 + hello.length)
        .putLong(MAGIC)
        .putLong(System.currentTimeMillis())
        .put(hello)
        .array();
  }

  static int headBytes(Hello introduction) {
    return introduction.encode().length + Frame.OVERHEAD_BYTES + 16;
  }

  /** Opens a file; read its head first. */
  static DataInputStream open(Path file) throws IOException {
    return new DataInputStream(
        new BufferedInputStream(new FileInputStream(file.toFile()), BUFFER_BYTES));
  }

  /**
   * @throws MalformedFrameException if the head is invalid
   */
  static Head readHead(DataInputStream in) throws IOException {
    if (in.readLong() != MAGIC) {
      throw new MalformedFrameException("It is not a spool file of this version of Fedometer");
    }
    long epochMillis = in.readLong();
    Frame first = readFrame(in);
    if (first.type() != FrameType.HELLO) {
      throw new MalformedFrameException("It does not begin with a HELLO");
    }
    return new Head(epochMillis, Hello.decode(ByteBuffer.wrap(first.payload())));
  }

  /**
   * @throws java.io.EOFException if the file ends before the frame does
   * @throws MalformedFrameException if the frame is damaged
   */
  static Frame readFrame(DataInputStream in) throws IOException {
    int lengthField = in.readInt();
    byte[] bytes = new byte[Frame.checkedSizeBytes(lengthField, Frame.MAX_BYTES)];
    ByteBuffer.wrap(bytes).putInt(lengthField);
    in.readFully(bytes, 4, bytes.length - 4);
    return Frame.parse(ByteBuffer.wrap(bytes));
  }
}

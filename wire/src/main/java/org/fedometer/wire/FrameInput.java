package org.fedometer.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into frames for one reading thread. A read that times out loses nothing:
 * what has arrived stays for the next call.
 */
public final class FrameInput {
  /** How an HTTP server's answer begins, in ASCII. No frame is that long. */
  private static final int HTTP = 0x48545450;

  private final InputStream in;
  private final int maxFrameBytes;
  private byte[] buffer = new byte[4096];
  private int start;
  private int end;
  private long arrivedNanos;
  private boolean headerSeen;
  private long headerNanos;

  /** Refuses frames longer than {@code maxFrameBytes}. */
  public FrameInput(InputStream in, int maxFrameBytes) {
    this.in = in;
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * The next frame; waits as long as the stream does.
   *
   * @throws EOFException when the stream ends
   * @throws MalformedFrameException when the bytes are no frame; the stream is of no use afterwards
   * @throws java.net.SocketTimeoutException as the stream throws it; call again to go on
   */
  public Frame read() throws IOException {
    while (true) {
      int available = end - start;
      if (available >= Frame.HEADER_BYTES && !headerSeen) {
        headerSeen = true;
        headerNanos = arrivedNanos;
      }
      int needed = Frame.OVERHEAD_BYTES;
      if (available >= 4) {
        needed = sizeBytes(ByteBuffer.wrap(buffer).getInt(start));
        if (available >= needed) {
          Frame frame = Frame.parse(ByteBuffer.wrap(buffer, start, needed));
          start += needed;
          headerSeen = false;
          return frame;
        }
      }
      ensureCapacity(needed);
      int count = in.read(buffer, end, buffer.length - end);
      arrivedNanos = System.nanoTime();
      if (count < 0) {
        throw new EOFException(
            available == 0 ? "The peer closed the connection" : "The stream ends inside a frame");
      }
      end += count;
    }
  }

  private int sizeBytes(int lengthField) throws MalformedFrameException {
    if (lengthField == HTTP) {
      throw new MalformedFrameException(
          "an HTTP server is there, which may be a collector's --http; give the port of its"
              + " --listen");
    }
    return Frame.checkedSizeBytes(lengthField, maxFrameBytes);
  }

  /** {@code System.nanoTime()} when the header of the frame that was read last had arrived. */
  public long headerNanos() {
    return headerNanos;
  }

  /** Grows by doubling as bytes arrive, so that a length alone reserves no memory. */
  private void ensureCapacity(int needed) {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(Math.max(needed, 4096), buffer.length * 2));
    }
  }
}

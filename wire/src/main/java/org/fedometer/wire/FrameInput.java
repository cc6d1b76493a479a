package org.fedometer.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts a byte stream into frames for one reading thread. A read that times out loses nothing: bytes
 * received so far stay for the next call.
 */
public final class FrameInput {
  /** The first four bytes of an HTTP response, in ASCII. No frame is that long. */
  private static final int HTTP = 0x48545450;

  private final InputStream in;
  private final int maxFrameBytes;
  private byte[] buffer = new byte[4096];
  private int start;
  private int end;
  private long arrivedNanos;
  private boolean headerSeen;
  private long headerNanos;

  /**
   * @param maxFrameBytes limit of a frame; a longer one is malformed
   */
  public FrameInput(InputStream in, int maxFrameBytes) {
    this.in = in;
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * Returns the next frame; blocks as long as the stream does.
   *
   * @throws EOFException if the stream ends
   * @throws MalformedFrameException if the bytes are no frame; the stream is unusable afterwards
   * @throws java.net.SocketTimeoutException if the stream throws it; call again to continue
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
          "an HTTP server answers, perhaps a collector's --http; give the port of its"
              + " --listen");
    }
    return Frame.checkedSizeBytes(lengthField, maxFrameBytes);
  }

  /** Returns {@code System.nanoTime()} when the header of the last frame read had arrived. */
  public long headerNanos() {
    return headerNanos;
  }

  /** Doubles the buffer as bytes arrive, so that a length alone reserves no memory. */
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

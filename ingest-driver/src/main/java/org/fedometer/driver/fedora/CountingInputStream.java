package org.fedometer.driver.fedora;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes read from a stream. Not thread-safe. */
public final class CountingInputStream extends FilterInputStream {

  private long bytes;

  /**
   * @param in stream, counted from its current position; closed with this one
   */
  public CountingInputStream(InputStream in) {
    super(in);
  }

  /** Returns the bytes read or skipped so far. */
  public long bytes() {
    return bytes;
  }

  @Override
  public int read() throws IOException {
    int b = in.read();
    bytes += b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int n = in.read(buffer, offset, length);
    bytes += Math.max(0, n);
    return n;
  }

  @Override
  public long skip(long n) throws IOException {
    long skipped = in.skip(n);
    bytes += skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}

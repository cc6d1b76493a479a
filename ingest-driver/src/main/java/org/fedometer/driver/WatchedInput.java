package org.fedometer.driver;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Keeps what reading an answer failed with, which a parser would call a fault of what it parses.
 * For one thread.
 */
final class WatchedInput extends FilterInputStream {

  private IOException failure;

  WatchedInput(InputStream in) {
    super(in);
  }

  /** What the stream has thrown, or null. */
  IOException failure() {
    return failure;
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    try {
      return in.read(target, offset, length);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}

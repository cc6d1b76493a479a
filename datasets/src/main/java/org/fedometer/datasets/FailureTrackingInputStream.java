package org.fedometer.datasets;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a parser reads from, so that afterwards a stream that failed is told from a document that is
 * broken: a parser calls both a fault of the document, or of itself. Closing it closes what it
 * reads. For one thread.
 *
 * <pre>{@code
 * WatchedInput watched = new WatchedInput(in);
 * try {
 *   parse(watched);
 * } catch (XMLStreamException e) {
 *   watched.rethrow();
 *   throw new NotWellFormedException(e);
 * }
 * }</pre>
 */
public final class FailureTrackingInputStream extends FilterInputStream {

  /** The latest; null if there was none. */
  private IOException failure;

  public FailureTrackingInputStream(InputStream in) {
    super(in);
  }

  /**
   * Does nothing if every read went well.
   *
   * @throws IOException what the latest read that failed has thrown, the same object
   */
  public void rethrow() throws IOException {
    if (failure != null) {
      throw failure;
    }
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

package org.fedometer.datasets;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Input of a parser that distinguishes failed streams from broken documents. A parser reports both
 * as a fault of the document, or of itself. Closing it closes the underlying stream. For one
 * thread.
 *
 * <pre>{@code
 * FailureTrackingInputStream tracked = new FailureTrackingInputStream(in);
 * try {
 *   parse(tracked);
 * } catch (XMLStreamException e) {
 *   tracked.rethrow();
 *   throw new NotWellFormedException(e);
 * }
 * }</pre>
 */
public final class FailureTrackingInputStream extends FilterInputStream {

  /** The latest failure; null if there was none. */
  private IOException failure;

  public FailureTrackingInputStream(InputStream in) {
    super(in);
  }

  /**
   * Does nothing if every read succeeded.
   *
   * @throws IOException the exception of the latest failed read, the same object
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

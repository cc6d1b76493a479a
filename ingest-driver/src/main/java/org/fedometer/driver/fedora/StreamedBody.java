package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.fedometer.datasets.ContentStream;

/**
 * The body of a request, written directly to the socket. Distinguishes a failing source from a
 * broken connection. Not thread-safe.
 */
final class StreamedBody extends AbstractHttpEntity {

  private final HttpPost request;
  private final Source source;
  private final long lengthBytes;
  private Throwable failure;

  /** Writes a body, the same bytes each time. */
  @FunctionalInterface
  interface Source {
    void writeTo(OutputStream out) throws IOException;
  }

  /**
   * @param lengthBytes length, or -1 if unknown
   */
  StreamedBody(HttpPost request, Source source, String contentType, long lengthBytes) {
    super(contentType, null, lengthBytes < 0);
    this.request = request;
    this.source = source;
    this.lengthBytes = lengthBytes;
  }

  static StreamedBody file(HttpPost request, ContentStream content) {
    MultipartFile file = MultipartFile.of(content);
    return new StreamedBody(request, file::writeTo, file.contentType(), file.sizeBytes());
  }

  /** Returns the source's exception, or null. */
  Throwable failure() {
    return failure;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FailureTrackingOutputStream tracked = new FailureTrackingOutputStream(out);
    try {
      source.writeTo(tracked);
    } catch (IOException | RuntimeException e) {
      if (!tracked.broken) {
        failure = e;
        // Otherwise the library would end the body as if complete; from an empty one, Fedora would
        // make an empty object.
        request.cancel();
      }
      throw e instanceof IOException io ? io : new IOException(e);
    } catch (Error e) {
      request.cancel(); // for the same reason; it ends the run
      throw e;
    }
  }

  @Override
  public boolean isStreaming() {
    return false;
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public long getContentLength() {
    return lengthBytes;
  }

  @Override
  public InputStream getContent() {
    throw new UnsupportedOperationException("written, not read");
  }

  @Override
  public void close() {}

  private static final class FailureTrackingOutputStream extends OutputStream {

    private final OutputStream out;
    private boolean broken;

    FailureTrackingOutputStream(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      broken = true;
      out.write(b);
      broken = false;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      broken = true;
      out.write(bytes, offset, length);
      broken = false;
    }

    /** The library flushes once, at the end; early flushes cause small packets. */
    @Override
    public void flush() {}
  }
}

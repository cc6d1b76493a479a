package org.fedometer.datasets.content;

import java.io.InputStream;
import java.util.function.Supplier;
import org.fedometer.datasets.ContentStream;

/**
 * A content stream whose size is drawn first and whose bytes are assembled only at opening.
 *
 * @param segments the supplier of the bytes, {@code sizeBytes} of them and the same at each call
 */
public record GeneratedContent(
    String id, String label, String mediaType, long sizeBytes, Supplier<Segments> segments)
    implements ContentStream {

  @Override
  public InputStream open() {
    Segments made = segments.get();
    if (made.sizeBytes() != sizeBytes) {
      throw new IllegalStateException(
          "%s came out with %d bytes instead of %d".formatted(id, made.sizeBytes(), sizeBytes));
    }
    return made.open();
  }
}

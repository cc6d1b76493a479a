package org.fedometer.store.segment;

import java.io.IOException;
import java.nio.file.Path;

/** Reads segments from front to back, one record in memory at a time. Stateless, any thread. */
public final class SegmentReader {
  private SegmentReader() {}

  /**
   * @param validBytes where the last whole record ends
   * @param tornBytes what lies behind it: an append that a crash cut short, or damage
   */
  public record Extent(long validBytes, long tornBytes) {}

  /**
   * Shows the visitor every whole record up to the first that is cut short or damaged.
   *
   * @throws MalformedFrameException the file is no segment, or one of a newer version
   */
  public static Extent read(Path file, SegmentVisitor visitor) throws IOException {
    try (SegmentCursor cursor = SegmentCursor.open(file)) {
      while (cursor.next(visitor)) {
        // Each call shows one record.
      }
      return cursor.extent();
    }
  }
}

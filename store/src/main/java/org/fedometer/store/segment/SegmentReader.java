package org.fedometer.store.segment;

import java.io.IOException;
import java.nio.file.Path;

/** Reads segments sequentially, one record in memory at a time. Stateless, any thread. */
public final class SegmentReader {
  private SegmentReader() {}

  /**
   * @param validBytes end of the last intact record
   * @param tornBytes bytes behind it: an append interrupted by a crash, or damage
   */
  public record Extent(long validBytes, long tornBytes) {}

  /**
   * Passes every intact record to the visitor, up to the first truncated or damaged one.
   *
   * @throws MalformedFrameException if the file is no segment, or one of a newer version
   */
  public static Extent read(Path file, SegmentVisitor visitor) throws IOException {
    try (SegmentCursor cursor = SegmentCursor.open(file)) {
      while (cursor.next(visitor)) {
        // Each call reads one record.
      }
      return cursor.extent();
    }
  }
}

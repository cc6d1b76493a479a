package org.fedometer.store.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Tells a Parquet file from the beginning of one, for those who are about to delete what its rows
 * come from. Stateless, any thread.
 */
public final class ParquetEnd {
  private ParquetEnd() {}

  /** Whether it ends as one does: of a file that came by copying only the beginning may be here. */
  public static boolean isComplete(Path file) throws IOException {
    try (SeekableByteChannel content = Files.newByteChannel(file)) {
      long sizeBytes = content.size();
      if (sizeBytes < 3L * ParquetWriter.MAGIC.length) {
        return false;
      }
      content.position(sizeBytes - ParquetWriter.MAGIC.length);
      ByteBuffer end = ByteBuffer.allocate(ParquetWriter.MAGIC.length);
      while (end.hasRemaining()) {
        if (content.read(end) < 0) {
          return false;
        }
      }
      return Arrays.equals(end.array(), ParquetWriter.MAGIC);
    }
  }
}

package org.fedometer.store.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Detects truncated Parquet files, to be called before the source of their rows is deleted.
 * Stateless, any thread.
 */
public final class ParquetEnd {
  private ParquetEnd() {}

  /** Returns whether it has a valid end, which a partly copied file lacks. */
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

package org.fedometer.store.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * Reusable memory for writing Parquet files: zstd's and the buffers, a few megabytes. One file at a
 * time, on one thread.
 */
public final class PageCompressor implements Closeable {
  /** Higher levels cost more and save less than 1 % of samples. */
  private static final int LEVEL = 1;

  private static final int USUAL_PAGE_BYTES = ParquetWriter.MAX_ROWS * Long.BYTES + 64;

  private final ZstdCompressCtx zstd = new ZstdCompressCtx();
  private final ByteSink page = new ByteSink(USUAL_PAGE_BYTES);
  private final ByteSink header = new ByteSink(256);
  private final DeltaEncoding delta = new DeltaEncoding();

  // Off-heap, since zstd would block the garbage collector.
  private ByteBuffer plain = ByteBuffer.allocateDirect(USUAL_PAGE_BYTES);
  private ByteBuffer compressed = ByteBuffer.allocateDirect(boundOf(USUAL_PAGE_BYTES));

  public PageCompressor() {
    zstd.setLevel(LEVEL);
  }

  ByteSink page() {
    return page;
  }

  /** Returns the buffer for page headers and the footer. */
  ByteSink header() {
    return header;
  }

  DeltaEncoding delta() {
    return delta;
  }

  /** Returns the compressed page, valid until the next call. */
  ByteBuffer compressedPage() {
    int size = page.size();
    if (plain.capacity() < size) {
      plain = ByteBuffer.allocateDirect(size);
    }
    if (compressed.capacity() < boundOf(size)) {
      compressed = ByteBuffer.allocateDirect(boundOf(size));
    }
    plain.clear();
    plain.put(page.asBuffer());
    plain.clear();
    compressed.clear();
    int length =
        zstd.compressDirectByteBuffer(compressed, 0, compressed.capacity(), plain, 0, size);
    return compressed.limit(length);
  }

  private static int boundOf(int size) {
    return Math.toIntExact(Zstd.compressBound(size));
  }

  @Override
  public void close() {
    zstd.close();
  }
}

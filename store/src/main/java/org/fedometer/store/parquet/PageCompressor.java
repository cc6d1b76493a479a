package org.fedometer.store.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * What writing Parquet takes and what is worth keeping from file to file: zstd's memory and the
 * buffers, a few megabytes. For one file at a time, on one thread.
 */
public final class PageCompressor implements Closeable {
  /** Higher ones cost more and save less than one byte in a hundred of samples. */
  private static final int LEVEL = 1;

  private static final int USUAL_PAGE_BYTES = ParquetWriter.MAX_ROWS * Long.BYTES + 64;

  private final ZstdCompressCtx zstd = new ZstdCompressCtx();
  private final ByteSink page = new ByteSink(USUAL_PAGE_BYTES);
  private final ByteSink header = new ByteSink(256);
  private final DeltaEncoding delta = new DeltaEncoding();

  // Outside of the heap, since zstd would keep the garbage collector waiting.
  private ByteBuffer plain = ByteBuffer.allocateDirect(USUAL_PAGE_BYTES);
  private ByteBuffer compressed = ByteBuffer.allocateDirect(boundOf(USUAL_PAGE_BYTES));

  public PageCompressor() {
    zstd.setLevel(LEVEL);
  }

  ByteSink page() {
    return page;
  }

  /** For what goes before a page. */
  ByteSink header() {
    return header;
  }

  DeltaEncoding delta() {
    return delta;
  }

  /** The page, compressed; until the next call. */
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

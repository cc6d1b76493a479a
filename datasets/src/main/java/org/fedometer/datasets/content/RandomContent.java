package org.fedometer.datasets.content;

import java.io.InputStream;
import java.util.Objects;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.random.StableRandom;

/**
 * Random bytes generated while reading: files that are all different and incompressible. Memory
 * does not grow with the size.
 *
 * @param sizeBytes zero or more
 * @param seed the seed; equal seeds make equal bytes
 */
public record RandomContent(String id, String label, long sizeBytes, long seed)
    implements ContentStream {

  private static final int STREAM = 200;

  public RandomContent {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("a file has no " + sizeBytes + " bytes");
    }
  }

  @Override
  public String mediaType() {
    return "application/octet-stream";
  }

  @Override
  public InputStream open() {
    return new RandomInputStream(StableRandom.of(seed, STREAM, sizeBytes), sizeBytes);
  }

  private static final class RandomInputStream extends InputStream {

    private final StableRandom random;
    private long left;
    private long word;
    private int bytesInWord;

    RandomInputStream(StableRandom random, long sizeBytes) {
      this.random = random;
      this.left = sizeBytes;
    }

    @Override
    public int read() {
      if (left == 0) {
        return -1;
      }
      left--;
      return nextByte() & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, target.length);
      if (length == 0) {
        return 0;
      }
      if (left == 0) {
        return -1;
      }
      int count = (int) Math.min(length, left);
      for (int i = offset; i < offset + count; i++) {
        target[i] = nextByte();
      }
      left -= count;
      return count;
    }

    private byte nextByte() {
      if (bytesInWord == 0) {
        word = random.nextLong();
        bytesInWord = Long.BYTES;
      }
      byte next = (byte) word;
      word >>>= Byte.SIZE;
      bytesInWord--;
      return next;
    }
  }
}

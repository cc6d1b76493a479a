package org.fedometer.datasets.content;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A file composed of slices of shared pools without copies, so that a generated file of megabytes
 * takes kilobytes. Filled by one thread, then opened by one.
 */
public final class Segments {

  private record Slice(byte[] bytes, int offset, int length) {}

  private final List<Slice> slices = new ArrayList<>();
  private long sizeBytes;

  /** Appends a slice; the bytes must not change afterwards. */
  public Segments add(byte[] bytes, int offset, int length) {
    if (length > 0) {
      slices.add(new Slice(bytes, offset, length));
      sizeBytes += length;
    }
    return this;
  }

  /** Appends all bytes; they must not change afterwards. */
  public Segments add(byte[] bytes) {
    return add(bytes, 0, bytes.length);
  }

  public Segments add(String ascii) {
    return add(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  public Segments addAll(Segments other) {
    slices.addAll(other.slices);
    sizeBytes += other.sizeBytes;
    return this;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  public InputStream open() {
    return new SliceInputStream(slices);
  }

  private static final class SliceInputStream extends InputStream {

    private final List<Slice> slices;
    private int slice;
    private int position;

    SliceInputStream(List<Slice> slices) {
      this.slices = slices;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int done = 0;
      while (done < length && slice < slices.size()) {
        Slice current = slices.get(slice);
        int count = Math.min(length - done, current.length - position);
        System.arraycopy(current.bytes, current.offset + position, target, offset + done, count);
        done += count;
        position += count;
        if (position == current.length) {
          slice++;
          position = 0;
        }
      }
      return done > 0 || length == 0 ? done : -1;
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
      long done = 0;
      for (; slice < slices.size(); slice++) {
        Slice current = slices.get(slice);
        out.write(current.bytes, current.offset + position, current.length - position);
        done += current.length - position;
        position = 0;
      }
      return done;
    }
  }
}

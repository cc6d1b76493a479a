package org.fedometer.experiments.imported;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.fedometer.datasets.ChecksumAlgorithm;

/**
 * A file of measurements that can be read repeatedly, plain or unpacked from gzip. Input that is
 * readable only once, such as standard input, is copied to a temporary file, deleted on close. Not
 * thread-safe, except {@link #bytesRead}.
 */
public final class MeasuredFile implements AutoCloseable {
  private static final int BUFFER_BYTES = 256 * 1024;
  private static final int FIRST_BYTES = 6;

  private final String name;
  private final Path file;
  private final boolean isCopy;
  private volatile long bytesRead;

  private MeasuredFile(String name, Path file, boolean isCopy) {
    this.name = name;
    this.file = file;
    this.isCopy = isCopy;
  }

  /**
   * @throws IOException if the file is missing, or is a folder
   */
  public static MeasuredFile of(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    if (Files.isRegularFile(file)) {
      return new MeasuredFile(name, file, false);
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder; give one file of measurements");
    }
    try (InputStream pipe = Files.newInputStream(file)) {
      return copyOf(pipe, name);
    }
  }

  /**
   * @param in read to its end
   */
  public static MeasuredFile copyOf(InputStream in, String name) throws IOException {
    Path copy = Files.createTempFile("fedometer-import-", ".tmp"); // readable only by this user
    // Into the existing file: a new one would have default permissions.
    try (OutputStream out = Files.newOutputStream(copy)) {
      in.transferTo(out);
      return new MeasuredFile(name, copy, true);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(copy);
      throw e;
    }
  }

  /** Returns the name without folders. */
  public String name() {
    return name;
  }

  /** Returns the path of the file, or of its copy. */
  Path path() {
    return file;
  }

  public long sizeBytes() throws IOException {
    return Files.size(file);
  }

  /** Returns the progress of the current reading. Thread-safe. */
  public long bytesRead() {
    return bytesRead;
  }

  interface Reading {
    void read(InputStream content) throws IOException;
  }

  /**
   * @return SHA-256 of the file on disk, in hexadecimal digits
   * @throws UnreadableMeasurementsException if its compression is not supported
   */
  String read(Reading reading) throws IOException {
    MessageDigest sha256 = ChecksumAlgorithm.SHA_256.newDigest();
    bytesRead = 0;
    try (InputStream raw = Files.newInputStream(file);
        InputStream counted = new DigestInputStream(new Counted(raw), sha256);
        BufferedInputStream in = new BufferedInputStream(counted, BUFFER_BYTES)) {
      reading.read(unpacked(in));
      in.transferTo(OutputStream.nullOutputStream()); // data after the end of a gzip file
    } catch (EOFException | ZipException e) {
      throw new UnreadableMeasurementsException(
          "it is not a complete gzip file: "
              + (e.getMessage() == null ? "it ends within its header" : e.getMessage())
              + "; fetch or pack it again");
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static InputStream unpacked(BufferedInputStream in) throws IOException {
    in.mark(FIRST_BYTES);
    byte[] first = in.readNBytes(FIRST_BYTES);
    in.reset();
    if (begins(first, 0x1F, 0x8B)) {
      return new GZIPInputStream(in, BUFFER_BYTES);
    }
    String packed =
        begins(first, 'P', 'K', 3, 4)
            ? "a zip file"
            : begins(first, 0x28, 0xB5, 0x2F, 0xFD)
                ? "a zstd file"
                : begins(first, 0xFD, '7', 'z', 'X', 'Z')
                    ? "an xz file"
                    : begins(first, 'B', 'Z', 'h') ? "a bzip2 file" : "";
    if (!packed.isEmpty()) {
      throw new UnreadableMeasurementsException(
          "it is " + packed + ": unpack it, or pack it with gzip");
    }
    return in;
  }

  private static boolean begins(byte[] bytes, int... with) {
    for (int i = 0; i < with.length; i++) {
      if (i >= bytes.length || (bytes[i] & 0xFF) != with[i]) {
        return false;
      }
    }
    return true;
  }

  private final class Counted extends FilterInputStream {
    private Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int c = super.read();
      count(c < 0 ? 0 : 1);
      return c;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      count(Math.max(0, count));
      return count;
    }

    private void count(int bytes) {
      // Written by the reading thread only.
      long sum = bytesRead + bytes;
      bytesRead = sum;
    }
  }

  @Override
  public void close() throws IOException {
    if (isCopy) {
      Files.deleteIfExists(file);
    }
  }
}

package org.fedometer.collector.log;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * An append-only file that is rotated when it exceeds a size: {@code log} becomes {@code log.1},
 * that {@code log.2}, and the oldest is deleted. Other processes may truncate it. Any thread.
 */
public final class RotatingFile extends OutputStream {
  private final Path file;
  private final long maxBytes;
  private final int maxOldFiles;
  private FileOutputStream out;
  private boolean atLineEnd = true;

  /**
   * Opens or creates the file.
   *
   * @param maxBytes size at which it is rotated
   * @param maxOldFiles number of rotated files to keep
   */
  public RotatingFile(Path file, long maxBytes, int maxOldFiles) throws IOException {
    if (maxBytes < 1 || maxOldFiles < 1) {
      throw new IllegalArgumentException(
          "Limits are positive: %d bytes, %d files".formatted(maxBytes, maxOldFiles));
    }
    this.file = file.toAbsolutePath();
    this.maxBytes = maxBytes;
    this.maxOldFiles = maxOldFiles;
    this.out = open();
  }

  private FileOutputStream open() throws IOException {
    PrivateFiles.createFile(file);
    return new FileOutputStream(file.toFile(), true);
  }

  @Override
  public synchronized void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return;
    }
    if (atLineEnd && out.getChannel().size() >= maxBytes) {
      rotate();
    }
    out.write(bytes, offset, length);
    atLineEnd = bytes[offset + length - 1] == '\n';
  }

  /**
   * Rotates the file. If it cannot be renamed, it keeps growing, which is better than no log. If
   * another process has moved it, a new one starts and rotated files stay.
   */
  private void rotate() throws IOException {
    try {
      if (Files.exists(file)) {
        shift();
      }
    } catch (IOException e) {
      return;
    }
    FileOutputStream fresh = open();
    out.close();
    out = fresh;
  }

  private void shift() throws IOException {
    for (int i = maxOldFiles; i > 1; i--) {
      if (Files.exists(numbered(i - 1))) {
        Files.move(numbered(i - 1), numbered(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.move(file, numbered(1), StandardCopyOption.REPLACE_EXISTING);
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}

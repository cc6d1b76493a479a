package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.fedometer.profiles.UserFolders;
import org.fedometer.wire.disk.PrivateFiles;

/**
 * SHA-256 of files, in hexadecimal digits. Results are cached for the user: a file of unchanged
 * size, times and inode is not read again. Each run records some 300 MB of jars. Any thread, any
 * number of processes.
 */
public final class FileChecksums {
  private static final Duration CLOCK_TICK = Duration.ofSeconds(3);
  private static final int MAX_ENTRY_BYTES = 1000;
  private static final Pattern CHECKSUM = Pattern.compile("[0-9a-f]{64}");

  private final Path cache;
  private final Duration settled;

  /**
   * @param cache the cache folder; may be missing, and an unusable folder costs only time
   * @param settled the minimum age of a file's last change; a younger file is not cached, since it
   *     may change again with the same times
   */
  FileChecksums(Path cache, Duration settled) {
    this.cache = cache;
    this.settled = settled;
  }

  public static FileChecksums ofUser() {
    return new FileChecksums(UserFolders.cache().resolve("checksums"), CLOCK_TICK);
  }

  public String sha256(Path file) throws IOException {
    Path real = file.toRealPath();
    Instant now = Instant.now();
    FileState state = FileState.at(real);
    Path entry = cache.resolve(sha256(real.toString().getBytes(StandardCharsets.UTF_8)));
    String known = remembered(entry);
    String begin = state + " ";
    if (known.startsWith(begin) && CHECKSUM.matcher(known.substring(begin.length())).matches()) {
      return known.substring(begin.length());
    }
    String checksum = read(real);
    if (state.changed().isBefore(now.minus(settled)) && state.equals(FileState.at(real))) {
      remember(entry, begin + checksum);
    }
    return checksum;
  }

  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(newDigest().digest(bytes));
  }

  /** Returns the cached entry; empty if no file there can be one. */
  private static String remembered(Path entry) {
    try {
      return Files.isRegularFile(entry) && Files.size(entry) <= MAX_ENTRY_BYTES
          ? Files.readString(entry)
          : "";
    } catch (IOException e) {
      return "";
    }
  }

  private void remember(Path entry, String line) {
    try {
      PrivateFiles.createFolders(cache);
      Files.writeString(entry, line);
    } catch (IOException e) {
      // It is read again the next time.
    }
  }

  private static String read(Path file) throws IOException {
    MessageDigest digest = newDigest();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * State of a file without its content.
   *
   * @param changed the time at which content, name or permissions last changed, which users cannot
   *     set. If the file system does not report it, the end of time, so that the file is never
   *     cached.
   * @param modified the modification time, the same in all archives of a reproducible build
   */
  private record FileState(Instant changed, long size, Instant modified, String inode) {
    static FileState at(Path file) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
      return new FileState(
          unix ? ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant() : Instant.MAX,
          attributes.size(),
          attributes.lastModifiedTime().toInstant(),
          String.valueOf(attributes.fileKey()));
    }
  }
}

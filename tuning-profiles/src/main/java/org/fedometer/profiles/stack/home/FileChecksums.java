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
 * SHA-256 of files, in hexadecimal digits. What was read once is remembered in the user's cache: a
 * file whose size, times and inode are the same is not read again. Each run notes some 300 MB of
 * jars. Any thread, any number of processes.
 */
public final class FileChecksums {
  private static final Duration CLOCK_TICK = Duration.ofSeconds(3);
  private static final int MAX_ENTRY_BYTES = 1000;
  private static final Pattern CHECKSUM = Pattern.compile("[0-9a-f]{64}");

  private final Path cache;
  private final Duration settled;

  /**
   * @param cache where to remember; need not exist, and a folder that cannot be used costs time
   *     only
   * @param settled a file that changed later than this long ago is not remembered: it may change
   *     once more with the same times
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

  /** Empty where there is nothing that could be an entry. */
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
   * How a file looks from outside.
   *
   * @param changed when its content, name or permissions last changed, which nobody can set; the
   *     end of time where the file system does not say, so that the file is never remembered
   * @param modified the same in all archives of a reproducible build
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

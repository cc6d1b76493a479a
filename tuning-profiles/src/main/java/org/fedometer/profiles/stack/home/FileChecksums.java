package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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
 * file of the same name, size, time of modification and inode is not read again. Each run notes
 * some 300 MB of jars. Any thread, any number of processes.
 */
public final class FileChecksums {
  /** A younger file may change once more and keep its time of modification. */
  private static final Duration SETTLED = Duration.ofSeconds(3);

  private static final Pattern CHECKSUM = Pattern.compile("[0-9a-f]{64}");

  private final Path cache;

  /**
   * @param cache where to remember; need not exist, and a folder that cannot be used costs time
   *     only
   */
  FileChecksums(Path cache) {
    this.cache = cache;
  }

  public static FileChecksums ofUser() {
    return new FileChecksums(UserFolders.cache().resolve("checksums"));
  }

  public String sha256(Path file) throws IOException {
    Path real = file.toRealPath();
    BasicFileAttributes before = Files.readAttributes(real, BasicFileAttributes.class);
    String look = "%d %s %s ".formatted(before.size(), before.lastModifiedTime(), before.fileKey());
    Path entry = cache.resolve(sha256(real.toString().getBytes(StandardCharsets.UTF_8)));
    String known = remembered(entry);
    if (known.startsWith(look) && CHECKSUM.matcher(known.substring(look.length())).matches()) {
      return known.substring(look.length());
    }
    String checksum = read(real);
    if (before.lastModifiedTime().toInstant().isBefore(Instant.now().minus(SETTLED))) {
      remember(entry, look + checksum);
    }
    return checksum;
  }

  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(newDigest().digest(bytes));
  }

  private static String remembered(Path entry) {
    try {
      return Files.readString(entry);
    } catch (IOException e) {
      return "";
    }
  }

  /** Half of a line, as of a process that was killed, is no checksum. */
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
}

package org.fedometer.profiles.stack.home;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One file that a stack is made of.
 *
 * @param part what it is of the stack: {@code installer}, {@code library}, {@code database}, {@code
 *     driver}
 * @param coordinates Maven coordinates
 * @param file name of the file
 * @param sha256 of its content, in hexadecimal digits
 */
public record StackArtifact(String part, String coordinates, String file, String sha256) {

  /** Reads the whole file, for its checksum. */
  public static StackArtifact of(String part, String coordinates, Path file) throws IOException {
    return new StackArtifact(part, coordinates, file.getFileName().toString(), sha256(file));
  }

  /** SHA-256 of a file's content, in hexadecimal digits. */
  public static String sha256(Path file) throws IOException {
    MessageDigest digest = newDigest();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** SHA-256 of bytes, in hexadecimal digits. */
  public static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(newDigest().digest(bytes));
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}

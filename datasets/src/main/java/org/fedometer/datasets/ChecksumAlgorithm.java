package org.fedometer.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Checksums that Fedora 3 can store for a datastream and every Java can compute. Fedora also knows
 * HAVAL, TIGER and WHIRLPOOL by name, but no Java includes them.
 */
public enum ChecksumAlgorithm {
  MD5("MD5"),
  SHA_1("SHA-1"),
  SHA_256("SHA-256"),
  SHA_384("SHA-384"),
  SHA_512("SHA-512");

  private final String fedoraName;

  ChecksumAlgorithm(String fedoraName) {
    this.fedoraName = fedoraName;
  }

  /** Returns Fedora's name, which is also Java's name. */
  public String fedoraName() {
    return fedoraName;
  }

  /** Returns Fedora's names of all, in the order of their strength. */
  public static List<String> fedoraNames() {
    return Arrays.stream(values()).map(ChecksumAlgorithm::fedoraName).toList();
  }

  /** Returns the algorithm with Fedora's name; empty if there is none, or no Java includes it. */
  public static Optional<ChecksumAlgorithm> named(String fedoraName) {
    return Arrays.stream(values()).filter(one -> one.fedoraName.equals(fedoraName)).findFirst();
  }

  public MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance(fedoraName);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no " + fedoraName + ".", e);
    }
  }

  /**
   * Reads the content to its end and returns its digest in lower-case hexadecimal, as Fedora
   * compares it.
   */
  public String digestOf(ContentStream content) throws IOException {
    MessageDigest digest = newDigest();
    byte[] buffer = new byte[16 * 1024];
    try (InputStream in = content.open()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}

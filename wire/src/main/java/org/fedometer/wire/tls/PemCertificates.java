package org.fedometer.wire.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the X.509 certificates of a PEM file in order; skips all else, such as a key. Any thread.
 */
public final class PemCertificates {
  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----");

  /** Bundles of all public authorities have about 200 KiB. */
  private static final long MAX_FILE_BYTES = 4L * 1024 * 1024;

  private PemCertificates() {}

  /**
   * @return at least one
   * @throws IOException one sentence for the user, with the file's name
   */
  static List<X509Certificate> read(Path file) throws IOException {
    return parse(file, contentOf(file));
  }

  /**
   * Returns the file's bytes, for example to detect changes.
   *
   * @throws IOException one sentence for the user, with the file's name
   */
  public static byte[] contentOf(Path file) throws IOException {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new IOException("it is not a regular file");
      }
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new IOException(
            "it has more than 4 MiB, the limit for a file of certificates or keys");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " cannot be read: it does not exist", e);
    } catch (AccessDeniedException e) {
      throw new IOException(file + " cannot be read by this user", e);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Parses bytes as {@link #read} does; {@code file} appears in errors. */
  public static List<X509Certificate> parse(Path file, byte[] content) throws IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    // Latin-1 maps every byte to a character; Base64 decoding detects invalid ones.
    Matcher block = CERTIFICATE.matcher(new String(content, StandardCharsets.ISO_8859_1));
    while (block.find()) {
      certificates.add(certificate(file, certificates.size() + 1, block.group(1)));
    }
    if (certificates.isEmpty()) {
      throw new IOException(
          file
              + " holds no certificate: give a PEM file, which has lines"
              + " -----BEGIN CERTIFICATE-----");
    }
    return certificates;
  }

  /** Returns the certificates in PEM format. */
  public static String text(List<X509Certificate> certificates) throws IOException {
    StringBuilder text = new StringBuilder();
    Base64.Encoder base64 = Base64.getMimeEncoder(64, new byte[] {'\n'});
    for (X509Certificate certificate : certificates) {
      try {
        text.append("-----BEGIN CERTIFICATE-----\n")
            .append(base64.encodeToString(certificate.getEncoded()))
            .append("\n-----END CERTIFICATE-----\n");
      } catch (CertificateEncodingException e) {
        throw new IOException("A certificate cannot be written: " + e.getMessage(), e);
      }
    }
    return text.toString();
  }

  private static X509Certificate certificate(Path file, int number, String base64)
      throws IOException {
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(base64);
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException | IllegalArgumentException e) {
      throw new IOException(
          "Certificate " + number + " in " + file + " is damaged: " + e.getMessage(), e);
    }
  }
}

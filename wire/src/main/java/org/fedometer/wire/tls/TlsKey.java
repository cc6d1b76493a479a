package org.fedometer.wire.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Files with a certificate and its private key, by which one end of a TLS connection proves its
 * identity: always the collector, and the client if the collector requests it. They are read again
 * for each connection, so that replacing them renews the certificate. Immutable; any thread.
 */
public final class TlsKey {
  private final Path file;

  /** Null for a keystore. */
  private final Path pemKey;

  /** Password file of a keystore; null if {@link #password} is given. */
  private final Path passwordFile;

  /** Password of a keystore; null if it is in a file. */
  private final String password;

  private TlsKey(Path file, Path pemKey, Path passwordFile, String password) {
    this.file = file.toAbsolutePath().normalize();
    this.pemKey = pemKey == null ? null : pemKey.toAbsolutePath().normalize();
    this.passwordFile = passwordFile == null ? null : passwordFile.toAbsolutePath().normalize();
    this.password = password;
  }

  /**
   * @param certificate the own certificate first, then its issuers, if any
   * @param key of the first certificate, as PKCS#8, not encrypted
   */
  public static TlsKey ofPemFiles(Path certificate, Path key) {
    return new TlsKey(certificate, key, null, null);
  }

  /**
   * Returns the key of a PKCS#12 file with one key and its certificates.
   *
   * @param passwordFile has the file's password in its first line
   */
  public static TlsKey ofKeystore(Path keystore, Path passwordFile) {
    return new TlsKey(keystore, null, passwordFile, null);
  }

  /** Returns a key as {@link #ofKeystore(Path, Path)} does, with the password itself. */
  public static TlsKey ofKeystore(Path keystore, String password) {
    return new TlsKey(keystore, null, null, password);
  }

  /** Returns the absolute path of the file with the certificate. */
  public Path file() {
    return file;
  }

  /**
   * Returns the absolute path of the PEM file with the key; null for a keystore, which holds both.
   */
  public Path pemKeyOrNull() {
    return pemKey;
  }

  /** The content of the files when they were read. Immutable. */
  public static final class KeyMaterial {
    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final byte[] content;
    private final byte[] secondContent;

    private KeyMaterial(
        List<X509Certificate> chain, PrivateKey key, byte[] content, byte[] secondContent) {
      this.chain = Collections.unmodifiableList(chain);
      this.key = key;
      this.content = content;
      this.secondContent = secondContent;
    }

    /** Returns the own certificate, then its issuers as far as present. */
    public List<X509Certificate> chain() {
      return chain;
    }

    public PrivateKey key() {
      return key;
    }
  }

  /**
   * Reads the files.
   *
   * @param before the previous content, or null; returned if the files are unchanged
   * @throws IOException one sentence for the user: a file cannot be read or has the wrong form, its
   *     password is wrong, or certificate and key do not belong together
   */
  public KeyMaterial read(KeyMaterial before) throws IOException {
    byte[] content = PemCertificates.contentOf(file);
    Path second = pemKey != null ? pemKey : passwordFile;
    byte[] secondContent = second == null ? new byte[0] : PemCertificates.contentOf(second);
    if (before != null
        && Arrays.equals(content, before.content)
        && Arrays.equals(secondContent, before.secondContent)) {
      return before;
    }
    if (pemKey == null) {
      return fromKeystore(content, secondContent);
    }
    List<X509Certificate> chain = PemCertificates.parse(file, content);
    PrivateKey key = PemKey.parse(pemKey, secondContent, chain.get(0).getPublicKey(), file);
    return new KeyMaterial(chain, key, content, secondContent);
  }

  private KeyMaterial fromKeystore(byte[] content, byte[] passwordLine) throws IOException {
    char[] secret = password == null ? firstLine(passwordLine) : password.toCharArray();
    KeyStore keystore = keystore(content, secret);
    try {
      List<String> keys = new ArrayList<>();
      for (String alias : Collections.list(keystore.aliases())) {
        if (keystore.isKeyEntry(alias)) {
          keys.add(alias);
        }
      }
      if (keys.size() != 1) {
        throw new IOException(
            file
                + (keys.isEmpty() ? " holds no private key" : " holds " + keys.size() + " keys")
                + ": give a PKCS#12 file with one key and its certificates");
      }
      PrivateKey key = (PrivateKey) keystore.getKey(keys.get(0), secret);
      Certificate[] certificates = keystore.getCertificateChain(keys.get(0));
      if (certificates == null) {
        throw new IOException(
            file + " holds a key without its certificate: give a PKCS#12 file with both");
      }
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate : certificates) {
        chain.add((X509Certificate) certificate);
      }
      if (!PemKey.belongTogether(key, chain.get(0).getPublicKey())) {
        throw new IOException("The key in " + file + " does not belong to its certificate");
      }
      return new KeyMaterial(chain, key, content, passwordLine);
    } catch (GeneralSecurityException | ClassCastException e) {
      throw new IOException(file + " cannot be used: " + e.getMessage(), e);
    }
  }

  private KeyStore keystore(byte[] content, char[] secret) throws IOException {
    try {
      KeyStore keystore = KeyStore.getInstance("PKCS12");
      keystore.load(new ByteArrayInputStream(content), secret);
      return keystore;
    } catch (IOException | GeneralSecurityException e) {
      throw new IOException(
          e.getCause() instanceof UnrecoverableKeyException
              ? "The password of "
                  + file
                  + (passwordFile == null ? "" : ", in " + passwordFile + ",")
                  + " is wrong"
              : file
                  + " is not a PKCS#12 file, or is damaged: 'openssl pkcs12 -export -in"
                  + " CERTIFICATES -inkey KEY -out FILE' creates one",
          e);
    }
  }

  private static char[] firstLine(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    return (end < 0 ? text : text.substring(0, end)).trim().toCharArray();
  }
}

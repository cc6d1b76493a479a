package org.fedometer.wire.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the private key that belongs to a certificate. Any thread. */
final class PemKey {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----([^-]*)-----END");

  private PemKey() {}

  /**
   * Parses a key file.
   *
   * @param file named in errors
   * @param owner public key of the certificate
   * @param certificate its file, named in errors
   * @throws IOException one sentence: the file has no such key, or the key does not belong to the
   *     certificate
   */
  static PrivateKey parse(Path file, byte[] content, PublicKey owner, Path certificate)
      throws IOException {
    Matcher block = KEY.matcher(new String(content, StandardCharsets.ISO_8859_1));
    if (!block.find()) {
      throw new IOException(
          file
              + " holds no private key: give a PEM file, which has a line"
              + " -----BEGIN PRIVATE KEY-----");
    }
    String kind = block.group(1).trim();
    if (!kind.isEmpty()) {
      throw new IOException(
          "The key in "
              + file
              + (kind.equals("ENCRYPTED")
                  ? " is encrypted"
                  : " has the form \"" + kind + " PRIVATE KEY\", not PKCS#8")
              + ": convert it by 'openssl pkcs8 -topk8 -nocrypt -in "
              + file
              + " -out NEW', and let only this user read NEW");
    }
    PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(base64(file, block.group(2)));
    PrivateKey key;
    try {
      key = KeyFactory.getInstance(owner.getAlgorithm()).generatePrivate(encoded);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "The key in "
              + file
              + " is damaged, or is not an "
              + owner.getAlgorithm()
              + " key as the certificate in "
              + certificate
              + " requires",
          e);
    }
    if (!belongTogether(key, owner)) {
      throw new IOException(
          "The key in "
              + file
              + " does not belong to the first certificate in "
              + certificate
              + "; give the key of that certificate");
    }
    return key;
  }

  private static byte[] base64(Path file, String text) throws IOException {
    try {
      return Base64.getMimeDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IOException("The key in " + file + " is damaged: " + e.getMessage(), e);
    }
  }

  /**
   * Returns whether the key's signatures verify with the owner.
   *
   * @throws IOException one sentence: keys of this kind are not supported
   */
  static boolean belongTogether(PrivateKey key, PublicKey owner) throws IOException {
    byte[] any = new byte[32];
    new SecureRandom().nextBytes(any);
    try {
      Signature signing = Signature.getInstance(algorithm(owner));
      signing.initSign(key);
      signing.update(any);
      byte[] signature = signing.sign();
      Signature verifying = Signature.getInstance(algorithm(owner));
      verifying.initVerify(owner);
      verifying.update(any);
      return verifying.verify(signature);
    } catch (GeneralSecurityException e) {
      throw new IOException(owner.getAlgorithm() + " keys are not supported; use EC or RSA", e);
    }
  }

  private static String algorithm(PublicKey owner) {
    switch (owner.getAlgorithm()) {
      case "RSA":
        return "SHA256withRSA";
      case "EC":
        return "SHA256withECDSA";
      default:
        return owner.getAlgorithm();
    }
  }
}

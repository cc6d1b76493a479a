package org.fedometer.collector.receive;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import org.fedometer.wire.PemCertificates;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A collector's certificate and key. Each connection begins with what the files hold then, so that
 * a certificate is renewed by replacing them; where they are no longer of use, what they held
 * before goes on. Made by the thread that starts the collector, then used on the event loop alone,
 * which reads two files of a few kilobytes for each handshake.
 */
public final class TlsIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(TlsIdentity.class);

  private final TlsFiles files;
  private byte[] certificateBytes = new byte[0];
  private byte[] keyBytes = new byte[0];
  private SslContext context;
  private Instant validUntil;

  /** What was said last of files that are of no use, or empty. */
  private String trouble = "";

  private TlsIdentity(TlsFiles files) {
    this.files = files;
  }

  /**
   * Reads the files.
   *
   * @throws IOException one sentence: one of them cannot be read or has the wrong form, they do not
   *     belong together, or the certificate has expired
   */
  public static TlsIdentity of(TlsFiles files) throws IOException {
    TlsIdentity identity = new TlsIdentity(files);
    identity.refresh();
    return identity;
  }

  /** For one connection. */
  SslHandler newHandler(ByteBufAllocator allocator) {
    String found = troubleAfterRefresh();
    if (!found.equals(trouble)) {
      trouble = found;
      if (!found.isEmpty()) {
        LOG.warn("{}", found);
      }
    }
    return context.newHandler(allocator);
  }

  private String troubleAfterRefresh() {
    try {
      refresh();
    } catch (IOException e) {
      return e.getMessage() + "; the certificate from before stays in use";
    }
    return Instant.now().isBefore(validUntil)
        ? ""
        : "The certificate in "
            + files.certificate()
            + " expired on "
            + validUntil
            + "; clients refuse it until the files are replaced";
  }

  private void refresh() throws IOException {
    byte[] certificate = PemCertificates.contentOf(files.certificate());
    byte[] key = PemCertificates.contentOf(files.key());
    if (Arrays.equals(certificate, certificateBytes) && Arrays.equals(key, keyBytes)) {
      return;
    }
    List<X509Certificate> chain = PemCertificates.parse(files.certificate(), certificate);
    X509Certificate own = chain.get(0);
    PrivateKey privateKey = PemKey.parse(files.key(), key, own.getPublicKey(), files.certificate());
    refuseUnusable(chain);
    context = newContext(chain, privateKey);
    certificateBytes = certificate;
    keyBytes = key;
    validUntil = own.getNotAfter().toInstant();
    LOG.info(
        "TLS connections get the certificate in {}, valid until {}",
        files.certificate(),
        validUntil);
  }

  private void refuseUnusable(List<X509Certificate> chain) throws IOException {
    try {
      chain.get(0).checkValidity();
    } catch (CertificateExpiredException e) {
      throw new IOException(
          "The certificate in "
              + files.certificate()
              + " expired on "
              + chain.get(0).getNotAfter().toInstant()
              + "; have a new one made",
          e);
    } catch (CertificateNotYetValidException e) {
      LOG.warn(
          "The certificate in {} is not valid before {}",
          files.certificate(),
          chain.get(0).getNotBefore().toInstant());
    }
    for (int i = 1; i < chain.size(); i++) {
      if (!chain
          .get(i - 1)
          .getIssuerX500Principal()
          .equals(chain.get(i).getSubjectX500Principal())) {
        throw new IOException(
            "Certificate "
                + (i + 1)
                + " in "
                + files.certificate()
                + " is not of the one that issued certificate "
                + i
                + "; put the collector's own first, then each one's issuer");
      }
    }
  }

  private SslContext newContext(List<X509Certificate> chain, PrivateKey key) throws IOException {
    try {
      return SslContextBuilder.forServer(key, chain)
          .sslProvider(SslProvider.JDK)
          .protocols("TLSv1.3", "TLSv1.2")
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IOException(
          "The certificate in " + files.certificate() + " cannot be used: " + e.getMessage(), e);
    }
  }
}

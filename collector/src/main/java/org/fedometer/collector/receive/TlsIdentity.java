package org.fedometer.collector.receive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.disk.PrivateFiles;
import org.fedometer.wire.tls.PemCertificates;
import org.fedometer.wire.tls.TlsKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A collector's certificate and key, and the CAs of its clients' certificates.
 *
 * <p>Each connection uses the files' current content, so replacing them renews a certificate. If
 * they become unusable, the previous content stays in use. Any thread: event loops of sources and
 * HTTP share it and read a few kilobytes per handshake.
 */
public final class TlsIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(TlsIdentity.class);

  /**
   * A resumed session skips the certificate check, so an expired certificate works this much
   * longer.
   */
  private static final int RESUMABLE_SECONDS = 300;

  private final TlsFiles files;
  private TlsKey.KeyMaterial held;
  private byte[] authorityBytes = new byte[0];
  private SslContext context;

  /** Path of the certificate's copy for local clients; null for none. */
  private Path copy;

  private Instant validUntil;

  /** The last logged failure of unusable files, or empty. */
  private String lastFailure = "";

  private TlsIdentity(TlsFiles files) {
    this.files = files;
  }

  /**
   * @throws IOException if a file is unreadable or malformed, they do not match, or the certificate
   *     has expired; the message is one sentence
   */
  public static TlsIdentity of(TlsFiles files) throws IOException {
    TlsIdentity identity = new TlsIdentity(files);
    identity.refresh();
    return identity;
  }

  /**
   * Writes the certificate to a PEM file, now and on each change, for clients that cannot read its
   * keystore.
   */
  public synchronized void keepCopyIn(Path pemFile) throws IOException {
    copy = pemFile;
    writeCopy();
  }

  private void writeCopy() throws IOException {
    if (copy != null) {
      PrivateFiles.replace(copy, PemCertificates.text(held.chain()).getBytes(US_ASCII));
    }
  }

  synchronized SslHandler newHandler(ByteBufAllocator allocator) {
    String found = refreshFailure();
    if (!found.equals(lastFailure)) {
      lastFailure = found;
      if (!found.isEmpty()) {
        LOG.warn("{}", found);
      }
    }
    return context.newHandler(allocator);
  }

  private String refreshFailure() {
    try {
      refresh();
    } catch (IOException e) {
      return e.getMessage() + "; the previous certificate stays in use";
    }
    return Instant.now().isBefore(validUntil)
        ? ""
        : "The certificate in "
            + files.key().file()
            + " expired on "
            + validUntil
            + "; clients reject it: replace the files";
  }

  private void refresh() throws IOException {
    TlsKey.KeyMaterial now = files.key().read(held);
    Path clients = files.clientAuthorities();
    byte[] authorities = clients == null ? new byte[0] : PemCertificates.contentOf(clients);
    boolean sameClients = Arrays.equals(authorities, authorityBytes);
    if (now == held && sameClients) {
      return;
    }
    refuseUnusable(now.chain());
    context = newContext(now, clients == null ? null : PemCertificates.parse(clients, authorities));
    if (now != held) {
      held = now;
      validUntil = now.chain().get(0).getNotAfter().toInstant();
      LOG.info(
          "TLS connections use the certificate in {}, valid until {}",
          files.key().file(),
          validUntil);
      try {
        writeCopy();
      } catch (IOException e) {
        LOG.warn("The copy of the certificate, {}, cannot be updated: {}", copy, FailureText.of(e));
      }
    }
    if (!sameClients) {
      authorityBytes = authorities;
      LOG.info(
          "Clients {} present a certificate of an authority in {}",
          files.mayShowNone() ? "may" : "must",
          clients);
    }
  }

  private void refuseUnusable(List<X509Certificate> chain) throws IOException {
    try {
      chain.get(0).checkValidity();
    } catch (CertificateExpiredException e) {
      throw new IOException(
          "The certificate in "
              + files.key().file()
              + " expired on "
              + chain.get(0).getNotAfter().toInstant()
              + "; replace it by a new one",
          e);
    } catch (CertificateNotYetValidException e) {
      LOG.warn(
          "The certificate in {} is not valid before {}",
          files.key().file(),
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
                + files.key().file()
                + " is not that of the issuer of certificate "
                + i
                + "; put the collector's own first, then each one's issuer");
      }
    }
  }

  private SslContext newContext(TlsKey.KeyMaterial key, List<X509Certificate> authorities)
      throws IOException {
    try {
      SslContextBuilder builder =
          SslContextBuilder.forServer(key.key(), key.chain())
              .sslProvider(SslProvider.JDK)
              .protocols("TLSv1.3", "TLSv1.2");
      if (authorities != null) {
        builder
            .trustManager(ClientCertificateCheck.of(authorities))
            .sessionTimeout(RESUMABLE_SECONDS)
            .clientAuth(files.mayShowNone() ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (GeneralSecurityException | SSLException | IllegalArgumentException e) {
      throw new IOException(
          "The certificate in " + files.key().file() + " cannot be used: " + e.getMessage(), e);
    }
  }
}

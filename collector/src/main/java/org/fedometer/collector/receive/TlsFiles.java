package org.fedometer.collector.receive;

import java.nio.file.Path;
import java.util.Objects;
import org.fedometer.wire.tls.TlsKey;

/**
 * A collector's certificate, and the CAs of client certificates.
 *
 * @param clientAuthorities PEM file: clients must present a certificate issued by one of these CAs;
 *     null to require none
 * @param mayShowNone whether clients without a certificate are accepted too; only with {@code
 *     clientAuthorities}
 */
public record TlsFiles(TlsKey key, Path clientAuthorities, boolean mayShowNone) {

  public TlsFiles {
    Objects.requireNonNull(key, "key");
    if (clientAuthorities != null) {
      clientAuthorities = clientAuthorities.toAbsolutePath().normalize();
    }
  }

  /** Requires no client certificates. */
  public TlsFiles(Path certificate, Path key) {
    this(TlsKey.ofPemFiles(certificate, key), null, false);
  }

  public boolean requiresCertificates() {
    return clientAuthorities != null && !mayShowNone;
  }
}

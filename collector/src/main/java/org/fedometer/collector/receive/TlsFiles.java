package org.fedometer.collector.receive;

import java.nio.file.Path;
import java.util.Objects;
import org.fedometer.wire.tls.TlsKey;

/**
 * What a collector proves with who it is, and whom it asks for the same.
 *
 * @param clientAuthorities PEM file: who connects shows a certificate of one of these; null to ask
 *     for none
 * @param mayShowNone whether those who show none are let in as well; of use only with {@code
 *     clientAuthorities}
 */
public record TlsFiles(TlsKey key, Path clientAuthorities, boolean mayShowNone) {

  public TlsFiles {
    Objects.requireNonNull(key, "own");
    if (clientAuthorities != null) {
      clientAuthorities = clientAuthorities.toAbsolutePath().normalize();
    }
  }

  /** Asks nobody for a certificate. */
  public TlsFiles(Path certificate, Path key) {
    this(TlsKey.ofPemFiles(certificate, key), null, false);
  }

  public boolean requiresCertificates() {
    return clientAuthorities != null && !mayShowNone;
  }
}

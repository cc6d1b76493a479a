package org.fedometer.cli.option;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.wire.tls.TlsKey;
import org.fedometer.wire.tls.TlsTrust;
import picocli.CommandLine.Option;

/** Options of the client certificate, for collectors that require one. */
public final class ClientCertificateOptions {
  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "PEM file with the certificate chain to present to the collector.")
  private Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "PEM file with the private key (PKCS#8, not encrypted).")
  private Path key;

  boolean isGiven() {
    return certificate != null || key != null;
  }

  /** Returns these options for another command, with a leading space; or empty. */
  String hint() {
    return AccessOptions.hint("--tls-certificate", certificate)
        + AccessOptions.hint("--tls-key", key);
  }

  /**
   * Returns null for none.
   *
   * @throws IllegalArgumentException if one of the two is missing
   */
  public TlsKey keyOrNull() {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "--tls-certificate and --tls-key belong together: give both, or none");
    }
    return certificate == null ? null : TlsKey.ofPemFiles(certificate, key);
  }

  /**
   * Returns the same trust, with the client certificate if one is given.
   *
   * @throws IllegalArgumentException if the files are unusable
   */
  TlsTrust addTo(TlsTrust trust) {
    TlsKey clientKey = keyOrNull();
    if (clientKey == null) {
      return trust;
    }
    try {
      return trust.withKey(clientKey);
    } catch (IOException e) {
      throw new IllegalArgumentException("--tls-certificate: " + e.getMessage(), e);
    }
  }
}

package org.fedometer.cli.option;

import java.io.IOException;
import java.nio.file.Path;
import org.fedometer.wire.tls.TlsKey;
import org.fedometer.wire.tls.TlsTrust;
import picocli.CommandLine.Option;

/** What a command shows of itself to a collector that asks its clients for a certificate. */
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

  /** What another command needs to show the same, with a blank first; or nothing. */
  String hint() {
    return AccessOptions.hint("--tls-certificate", certificate)
        + AccessOptions.hint("--tls-key", key);
  }

  /**
   * Null for none.
   *
   * @throws IllegalArgumentException one of the two is missing
   */
  public TlsKey keyOrNull() {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "--tls-certificate and --tls-key belong together: give both, or none");
    }
    return certificate == null ? null : TlsKey.ofPemFiles(certificate, key);
  }

  /**
   * The same trust, showing the certificate, if any.
   *
   * @throws IllegalArgumentException the files are of no use
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

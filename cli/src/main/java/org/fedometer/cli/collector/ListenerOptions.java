package org.fedometer.cli.collector;

import java.nio.file.Path;
import org.fedometer.collector.logs.SenderAllowList;
import org.fedometer.collector.receive.AccessRules;
import org.fedometer.collector.receive.TlsFiles;
import org.fedometer.wire.tls.TlsKey;
import picocli.CommandLine.Option;

/** A collector's access rules and TLS identity. */
final class ListenerOptions {
  private static final String PASSWORD_VARIABLE = "FEDOMETER_KEYSTORE_PASSWORD";

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description =
          "PEM file with the certificate chain of the listener; all connections must use"
              + " TLS. A replaced file applies to new connections.")
  private Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "PEM file with the private key (PKCS#8, not encrypted).")
  private Path key;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "PKCS#12 file with key and certificate, instead of two PEM files.")
  private Path keystore;

  @Option(
      names = "--tls-keystore-password-file",
      paramLabel = "FILE",
      description =
          "File with the password of the keystore (default: the variable "
              + PASSWORD_VARIABLE
              + ").")
  private Path keystorePassword;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description = "PEM file of CAs; clients must present a certificate that one of them issued.")
  private Path clientCa;

  @Option(
      names = "--tls-client-optional",
      description =
          "With --tls-client-ca, also accept clients without a certificate. A foreign"
              + " certificate is always rejected.")
  private boolean clientOptional;

  @Option(
      names = "--insecure",
      description =
          "Allow a listener beyond loopback without TLS, or without a token or"
              + " --tls-client-ca. Anyone who reaches the port can then read, send and delete.")
  private boolean insecure;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "4096",
      description = "Maximum number of connections (default: 4096).")
  private int maxConnections;

  @Option(
      names = "--log-senders",
      paramLabel = "LIST",
      description =
          "Addresses and networks that may send Log4j2 events without a token:"
              + " 10.0.0.0/8,192.0.2.7, any, or none (default: any without a token, else none).")
  private String logSenders;

  /**
   * Returns null for plain connections.
   *
   * @throws IllegalArgumentException if options are incompatible
   */
  TlsFiles tlsOrNull() {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "--tls-certificate and --tls-key belong together: give both, or --tls-keystore");
    }
    if (certificate != null && keystore != null) {
      throw new IllegalArgumentException(
          "give either --tls-certificate and --tls-key, or --tls-keystore, which holds both");
    }
    if (keystorePassword != null && keystore == null) {
      throw new IllegalArgumentException("--tls-keystore-password-file needs --tls-keystore");
    }
    if (clientCa != null && certificate == null && keystore == null) {
      throw new IllegalArgumentException(
          "--tls-client-ca needs TLS: give --tls-certificate and --tls-key, or --tls-keystore");
    }
    if (clientOptional && clientCa == null) {
      throw new IllegalArgumentException("--tls-client-optional needs --tls-client-ca");
    }
    if (certificate == null && keystore == null) {
      return null;
    }
    TlsKey serverKey = certificate == null ? fromKeystore() : TlsKey.ofPemFiles(certificate, key);
    return new TlsFiles(serverKey, clientCa, clientOptional);
  }

  private TlsKey fromKeystore() {
    if (keystorePassword != null) {
      return TlsKey.ofKeystore(keystore, keystorePassword);
    }
    String password = System.getenv(PASSWORD_VARIABLE);
    if (password == null) {
      throw new IllegalArgumentException(
          "the password of --tls-keystore is missing: give --tls-keystore-password-file"
              + " FILE or the variable "
              + PASSWORD_VARIABLE);
    }
    return TlsKey.ofKeystore(keystore, password);
  }

  /**
   * @throws IllegalArgumentException if a value is out of range
   */
  AccessRules listeners() {
    AccessRules listeners =
        AccessRules.defaults().withStrangersAllowed(insecure).withMaxConnections(maxConnections);
    if (logSenders == null) {
      return listeners;
    }
    try {
      return listeners.withLogSenders(SenderAllowList.of(logSenders));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--log-senders: " + e.getMessage(), e);
    }
  }
}

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
          "Take TLS connections only, with the certificate in this PEM file; those that issued it"
              + " follow it. Files that are replaced count for new connections.")
  private Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "PEM file with the certificate's private key (PKCS#8, not encrypted).")
  private Path key;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "Instead of these two: a PKCS#12 file with both.")
  private Path keystore;

  @Option(
      names = "--tls-keystore-password-file",
      paramLabel = "FILE",
      description = "File with its password (default: the variable " + PASSWORD_VARIABLE + ").")
  private Path keystorePassword;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "Let in only who shows a certificate of an authority in this PEM file, or one that is in"
              + " it.")
  private Path clientCa;

  @Option(
      names = "--tls-client-optional",
      description = "Let in also who shows none: the token decides.")
  private boolean clientOptional;

  @Option(
      names = "--insecure",
      description =
          "Listen on more than loopback without TLS, or without both a token and"
              + " --tls-client-ca: whoever reaches the port may read what goes over the network, or send, ask and delete.")
  private boolean insecure;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "4096",
      description = "Connections at a time; further ones are refused (default: 4096).")
  private int maxConnections;

  @Option(
      names = "--log-senders",
      paramLabel = "LIST",
      description =
          "Who may send what Log4j2's own appenders send, which cannot show a token: addresses and"
              + " networks (10.0.0.0/8,192.0.2.7), any, or none. Who shows a certificate of"
              + " --tls-client-ca may in any case (default: any without a token, else none).")
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
      throw new IllegalArgumentException(
          "--tls-keystore-password-file is for --tls-keystore: give that as well");
    }
    if (clientCa != null && certificate == null && keystore == null) {
      throw new IllegalArgumentException(
          "--tls-client-ca is for TLS: give --tls-certificate and --tls-key, or --tls-keystore");
    }
    if (clientOptional && clientCa == null) {
      throw new IllegalArgumentException(
          "--tls-client-optional is for --tls-client-ca: give that as well");
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
          "--tls-keystore has a password: give it by --tls-keystore-password-file FILE, or in the"
              + " variable "
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

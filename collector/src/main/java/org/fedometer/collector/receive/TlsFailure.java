package org.fedometer.collector.receive;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;

/** Describes why a TLS connection failed and which side can correct it. Stateless. */
final class TlsFailure {
  private static final String ALERT = "Received fatal alert: ";

  private TlsFailure() {}

  /** Returns a clause about the peer, with the JDK's message in parentheses. */
  static String describe(SSLException failure) {
    String message = String.valueOf(failure.getMessage());
    String known = ofCertificateCheck(failure);
    if (known == null) {
      known = message.startsWith(ALERT) ? ofAlert(message) : ofHandshake(message);
    }
    return known == null ? message : known + " (" + message + ")";
  }

  private static String ofCertificateCheck(Throwable failure) {
    String known = null;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException) {
        return "its certificate has expired";
      }
      if (cause instanceof CertificateNotYetValidException) {
        return "its certificate is not valid yet";
      }
      if (cause instanceof CertPathBuilderException
          || cause instanceof CertPathValidatorException) {
        known = "its certificate was not issued by an authority of --tls-client-ca";
      }
    }
    return known;
  }

  /**
   * Describes alerts of RFC 8446 (section 6.2), in the JDK's notation, with which the peer closes.
   */
  private static String ofAlert(String message) {
    return switch (message.substring(ALERT.length())) {
      case "certificate_unknown", "unknown_ca", "bad_certificate" ->
          "it does not trust this collector's certificate, or expects another host name in it";
      case "certificate_expired" -> "it reports that this collector's certificate has expired";
      case "protocol_version", "handshake_failure", "insufficient_security" ->
          "it and this collector have no version of TLS in common, or no cipher suite";
      default -> null;
    };
  }

  private static String ofHandshake(String message) {
    if (message.contains("Empty client certificate chain")) {
      return "it presents no certificate, but --tls-client-ca requires one";
    }
    if (message.contains("protocol version") || message.contains("requested protocol")) {
      return "it speaks only insecure versions of TLS; 1.2 and 1.3 are accepted";
    }
    if (message.contains("no cipher suites in common")) {
      return "it and this collector have no cipher suite in common";
    }
    return null;
  }
}

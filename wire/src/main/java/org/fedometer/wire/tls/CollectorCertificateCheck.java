package org.fedometer.wire.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Validates a collector's certificate with the JDK and explains a failure to the user. Adds two
 * checks that the JDK lacks: it rejects an expired certificate that is itself trusted, and it can
 * pin a certificate regardless of its name. Used by one handshake.
 */
final class CollectorCertificateCheck extends X509ExtendedTrustManager {
  private static final String COLLECTOR = "the collector";
  private static final int SAN_DNS_NAME = 2;
  private static final int SAN_ADDRESS = 7;

  private final String host;

  /** Null if only {@link #pinned} is accepted. */
  private final X509ExtendedTrustManager authorities;

  private final X509Certificate pinned;

  /** The server, and the options that accept its authority; for messages. */
  private final String server;

  private final String options;

  private CollectorCertificateCheck(
      String host,
      X509ExtendedTrustManager authorities,
      X509Certificate pinned,
      String server,
      String options) {
    this.server = server;
    this.options = options;
    this.host = host;
    this.authorities = authorities;
    this.pinned = pinned;
  }

  static CollectorCertificateCheck of(String host, X509ExtendedTrustManager authorities) {
    return of(host, authorities, COLLECTOR, "--tls-ca, the agent's option tls-ca");
  }

  /**
   * Creates a check as {@link #of(String, X509ExtendedTrustManager)} does, for another server.
   *
   * @param server its name in messages: {@code InfluxDB}
   * @param options that accept a trusted PEM file
   */
  static CollectorCertificateCheck of(
      String host, X509ExtendedTrustManager authorities, String server, String options) {
    return new CollectorCertificateCheck(host, authorities, null, server, options);
  }

  static CollectorCertificateCheck of(X509Certificate pinned) {
    return new CollectorCertificateCheck(null, null, pinned, COLLECTOR, "");
  }

  /** Has a message that is a part of a sentence about the collector. */
  static final class UntrustedException extends CertificateException {
    private static final long serialVersionUID = 1L;

    UntrustedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    requireValidNow(chain[0]);
    if (pinned != null) {
      requirePinned(chain[0]);
      return;
    }
    try {
      authorities.checkServerTrusted(chain, authType);
    } catch (CertificateException e) {
      throw new UntrustedException(
          "its certificate ("
              + subject(chain[0])
              + ", issued by "
              + issuer(chain[0])
              + ") is not trusted"
              + outdatedIssuer(chain)
              + ": trust it, or the authority that issued it, by a PEM file ("
              + options
              + ")",
          e);
    }
    try {
      // Checks again with the host name and the connection's algorithm constraints.
      authorities.checkServerTrusted(chain, authType, socket);
    } catch (CertificateException e) {
      throw new UntrustedException(
          e.getCause() == null
              ? "its certificate is for "
                  + names(chain[0])
                  + ", not for "
                  + host
                  + ": use one of its names, or give "
                  + server
                  + " a certificate with "
                  + host
                  + " as subject alternative name"
              : "its certificate is not accepted: " + e.getMessage(),
          e);
    }
  }

  private void requireValidNow(X509Certificate certificate) throws CertificateException {
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw new UntrustedException(
          "its certificate expired on "
              + certificate.getNotAfter().toInstant()
              + "; give "
              + server
              + " a new one",
          e);
    } catch (CertificateNotYetValidException e) {
      throw new UntrustedException(
          "its certificate is not valid before "
              + certificate.getNotBefore().toInstant()
              + "; check the clocks of both hosts",
          e);
    }
  }

  private void requirePinned(X509Certificate certificate) throws CertificateException {
    if (!certificate.equals(pinned)) {
      throw new UntrustedException(
          "its certificate (" + subject(certificate) + ") is not the one in its file", null);
    }
  }

  private static String outdatedIssuer(X509Certificate[] chain) {
    for (int i = 1; i < chain.length; i++) {
      try {
        chain[i].checkValidity();
      } catch (CertificateException e) {
        return ", because the certificate of "
            + subject(chain[i])
            + " in its chain is not valid now";
      }
    }
    return "";
  }

  private static String subject(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }

  private static String issuer(X509Certificate certificate) {
    return certificate.getIssuerX500Principal().equals(certificate.getSubjectX500Principal())
        ? "itself"
        : certificate.getIssuerX500Principal().getName();
  }

  private static String names(X509Certificate certificate) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (List<?> alternative : alternatives) {
          int kind = (Integer) alternative.get(0);
          if (kind == SAN_DNS_NAME || kind == SAN_ADDRESS) {
            names.add(String.valueOf(alternative.get(1)));
          }
        }
      }
    } catch (CertificateParsingException e) {
      // Use the subject instead.
    }
    return names.isEmpty() ? subject(certificate) : String.join(", ", names);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw onlySockets();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw onlySockets();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw onlySockets();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw onlySockets();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw onlySockets();
  }

  private static CertificateException onlySockets() {
    return new CertificateException("Only collectors at the end of a socket are checked");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return pinned != null ? new X509Certificate[] {pinned} : authorities.getAcceptedIssuers();
  }
}

package org.fedometer.collector.receive;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Verifies that a client's certificate was issued by the collector's configured CAs. Unlike the
 * JDK, rejects expired certificates that are trusted directly. Any thread.
 */
final class ClientCertificateCheck extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager authorities;

  private ClientCertificateCheck(X509ExtendedTrustManager authorities) {
    this.authorities = authorities;
  }

  static ClientCertificateCheck of(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    for (X509Certificate authority : authorities) {
      trusted.setCertificateEntry("client-" + trusted.size(), authority);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager check) {
        return new ClientCertificateCheck(check);
      }
    }
    throw new GeneralSecurityException("this JVM has no check of certificates");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    chain[0].checkValidity();
    authorities.checkClientTrusted(chain, authType, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    chain[0].checkValidity();
    authorities.checkClientTrusted(chain, authType, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    chain[0].checkValidity();
    authorities.checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw onlyClients();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw onlyClients();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw onlyClients();
  }

  private static CertificateException onlyClients() {
    return new CertificateException("Only clients of a collector are checked");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.getAcceptedIssuers();
  }
}

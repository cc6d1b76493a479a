package org.fedometer.wire.tls;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A client's TLS settings (1.2 or newer): the trusted collectors, and the client's own certificate
 * for collectors that request one. Immutable; any thread.
 *
 * <p>The collector's certificate must be valid now and name the client's target host as a subject
 * alternative name: {@code collector.example.org}, {@code localhost}, {@code 127.0.0.1}.
 */
public final class TlsTrust {
  /** A keystore requires a password, even in memory. */
  private static final char[] NO_SECRET = "none".toCharArray();

  /** Null for the JVM's own trust store. */
  private final Path file;

  /** Content of the file when this was created. */
  private final List<X509Certificate> certificates;

  /** True if only the file's first certificate is accepted, whatever its name. */
  private final boolean pinsFirst;

  /** Null if the client has no certificate. */
  private final TlsKey key;

  /** Content of the key's files when this was created; null without a key. */
  private final TlsKey.KeyMaterial loadedKey;

  private TlsTrust(
      Path file,
      List<X509Certificate> certificates,
      boolean pinsFirst,
      TlsKey key,
      TlsKey.KeyMaterial loadedKey) {
    this.file = file;
    this.certificates = certificates;
    this.pinsFirst = pinsFirst;
    this.key = key;
    this.loadedKey = loadedKey;
  }

  /**
   * Trusts the certificates of a PEM file and those issued by them: a collector's self-signed one,
   * or those of authorities. The file is read again for each connection, so that it can be replaced
   * before a certificate expires. If it is gone by then, its last content applies.
   *
   * @throws IOException one sentence: the file cannot be read, or holds no certificate
   */
  public static TlsTrust ofPemFile(Path file) throws IOException {
    return new TlsTrust(file.toAbsolutePath(), PemCertificates.read(file), false, null, null);
  }

  /** Trusts the authorities that this JVM trusts, see {@code javax.net.ssl.trustStore}. */
  public static TlsTrust ofJvm() {
    return new TlsTrust(null, null, false, null, null);
  }

  /**
   * Trusts only the first certificate of a PEM file, whatever its name: for clients that can read
   * the collector's own file.
   *
   * @throws IOException one sentence: the file cannot be read, or holds no certificate
   */
  public static TlsTrust ofPinnedFile(Path file) throws IOException {
    return new TlsTrust(file.toAbsolutePath(), PemCertificates.read(file), true, null, null);
  }

  /**
   * Returns a copy that presents a certificate to collectors that request one. Its files are read
   * again for each connection; if they are gone by then, their last content applies.
   *
   * @throws IOException one sentence: the files are unusable
   */
  public TlsTrust withKey(TlsKey value) throws IOException {
    return new TlsTrust(file, certificates, pinsFirst, value, value.read(null));
  }

  /** Returns the client's own certificate; null for none. */
  public TlsKey keyOrNull() {
    return key;
  }

  /** Returns the absolute path of the PEM file; null for the JVM's own trust store. */
  public Path fileOrNull() {
    return file;
  }

  /**
   * Adds TLS to a connection. Blocks until the handshake is done; the socket's read timeout limits
   * each reply. To end the connection, close the given socket: the returned one would wait for a
   * stalled write.
   *
   * @param host as the user gave it
   * @throws IOException a part of a sentence about the collector, such as {@code its certificate
   *     expired on ...}
   */
  public Socket secure(Socket connected, String host, int port) throws IOException {
    try {
      SSLSocket secured =
          (SSLSocket) context(host).getSocketFactory().createSocket(connected, host, port, true);
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setProtocols(protocols(secured));
      if (!pinsFirst) {
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
      }
      secured.setSSLParameters(parameters);
      secured.startHandshake();
      return secured;
    } catch (GeneralSecurityException e) {
      throw new IOException("this JVM cannot make TLS connections: " + e.getMessage(), e);
    } catch (SocketTimeoutException e) {
      throw new IOException(
          "no answer to the TLS handshake within "
              + connected.getSoTimeout()
              + " ms; check that it speaks TLS",
          e);
    } catch (SSLException | SocketException | EOFException e) {
      throw new IOException(reason(e), e);
    }
  }

  private SSLContext context(String host) throws GeneralSecurityException, IOException {
    X509ExtendedTrustManager check =
        pinsFirst
            ? CollectorCertificateCheck.of(current().get(0))
            : CollectorCertificateCheck.of(host, authorities());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers(), new TrustManager[] {check}, null);
    return context;
  }

  /**
   * Returns the check of a server's certificate for a client with its own TLS. It throws a {@link
   * java.security.cert.CertificateException} whose message is a part of a sentence about the
   * server. It does not check the host name unless the client requests that from the JDK.
   *
   * @param server its name in messages: {@code InfluxDB}
   * @param options that accept a trusted PEM file, for messages
   * @throws IOException one sentence: this JVM cannot check certificates
   */
  public X509ExtendedTrustManager checkOf(String host, String server, String options)
      throws IOException {
    try {
      return CollectorCertificateCheck.of(host, authorities(), server, options);
    } catch (GeneralSecurityException e) {
      throw new IOException("this JVM cannot make TLS connections: " + e.getMessage(), e);
    }
  }

  private KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
    if (key == null) {
      return null;
    }
    TlsKey.KeyMaterial now = currentKey();
    KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
    keys.load(null, null);
    keys.setKeyEntry("own", now.key(), NO_SECRET, now.chain().toArray(new X509Certificate[0]));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, NO_SECRET);
    return factory.getKeyManagers();
  }

  private TlsKey.KeyMaterial currentKey() {
    try {
      return key.read(loadedKey);
    } catch (IOException e) {
      return loadedKey;
    }
  }

  private X509ExtendedTrustManager authorities() throws GeneralSecurityException, IOException {
    KeyStore trusted = null;
    if (file != null) {
      trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      for (X509Certificate certificate : current()) {
        trusted.setCertificateEntry("collector-" + trusted.size(), certificate);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager) {
        return (X509ExtendedTrustManager) manager;
      }
    }
    throw new GeneralSecurityException("it has no trust manager that checks host names");
  }

  private List<X509Certificate> current() {
    try {
      return PemCertificates.read(file);
    } catch (IOException e) {
      return certificates;
    }
  }

  private static String[] protocols(SSLSocket socket) throws IOException {
    List<String> modern = new ArrayList<>();
    for (String protocol : socket.getSupportedProtocols()) {
      if (protocol.equals("TLSv1.2") || protocol.equals("TLSv1.3")) {
        modern.add(protocol);
      }
    }
    if (modern.isEmpty()) {
      throw new SSLException("this JVM supports neither TLS 1.2 nor 1.3");
    }
    return modern.toArray(new String[0]);
  }

  private String reason(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CollectorCertificateCheck.UntrustedException) {
        return cause.getMessage();
      }
    }
    String message = String.valueOf(failure.getMessage());
    // "Unsupported or unrecognized SSL message"; "Unrecognized SSL message, plaintext connection?"
    if (message.contains("SSL message")) {
      return "it does not speak TLS: connect without TLS, or start the collector with"
          + " --tls-certificate and --tls-key";
    }
    return isAboutClientCertificate(message)
        ? reasonAfterHandshake(failure)
        : "the TLS handshake failed: " + message;
  }

  /**
   * Returns why a connection ended after this side's handshake: in TLS 1.3 a collector rejects a
   * client certificate only then.
   *
   * @return a part of a sentence about the collector
   */
  public String reasonAfterHandshake(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    if (!isAboutClientCertificate(message)) {
      return message;
    }
    return key == null
        ? "it requires a client certificate: give one by --tls-certificate and"
            + " --tls-key (the agent's options tls-certificate and tls-key)"
        : "it does not accept the certificate in "
            + key.file()
            + " ("
            + message
            + "): give a valid one issued by an authority of its --tls-client-ca";
  }

  /** Alerts of RFC 8446, as the JDK writes them, that concern only a client's certificate. */
  private static boolean isAboutClientCertificate(String message) {
    return message.contains("certificate_required")
        || message.contains("bad_certificate")
        || message.contains("unsupported_certificate")
        || message.contains("certificate_revoked")
        || message.contains("certificate_expired")
        || message.contains("certificate_unknown")
        || message.contains("unknown_ca");
  }
}

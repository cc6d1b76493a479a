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
 * Which collectors a client believes to be who they say they are, what it shows of itself where
 * they ask, and that it talks to them by TLS (1.2 or newer). Immutable; any thread.
 *
 * <p>The collector's certificate must be valid now and name the host that the client connects to,
 * as a subject alternative name: {@code collector.example.org}, {@code localhost}, {@code
 * 127.0.0.1}.
 */
public final class TlsTrust {
  /** A keystore wants one, even where it never leaves the memory. */
  private static final char[] NO_SECRET = "none".toCharArray();

  /** Null: the JVM's own trust store. */
  private final Path file;

  /** What the file held when this was made. */
  private final List<X509Certificate> certificates;

  /** Only the file's first certificate will do, whatever name it is for. */
  private final boolean pinsFirst;

  /** Null for a client that has nothing to show. */
  private final TlsKey key;

  /** What the key's files held when this was made; null without a key. */
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
   * Trusts the certificates of a PEM file, and what is issued by them: a collector's own
   * self-signed one, or those of the authorities that issue such. The file is read again for each
   * connection, so that it can be replaced before a certificate expires; if it is gone by then,
   * what it held counts.
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
   * Trusts nothing but the first certificate of a PEM file, whatever name it is for: for those who
   * can read the very file that the collector uses.
   *
   * @throws IOException one sentence: the file cannot be read, or holds no certificate
   */
  public static TlsTrust ofPinnedFile(Path file) throws IOException {
    return new TlsTrust(file.toAbsolutePath(), PemCertificates.read(file), true, null, null);
  }

  /**
   * The same, showing a certificate to collectors that ask for one. Its files are read again for
   * each connection; what they held counts when they are gone by then.
   *
   * @throws IOException one sentence: the files are of no use
   */
  public TlsTrust withKey(TlsKey value) throws IOException {
    return new TlsTrust(file, certificates, pinsFirst, value, value.read(null));
  }

  /** What is shown to collectors that ask; null for nothing. */
  public TlsKey keyOrNull() {
    return key;
  }

  /** The PEM file, as an absolute path; null for the JVM's own trust store. */
  public Path fileOrNull() {
    return file;
  }

  /**
   * Makes a connection a TLS one: blocks until the handshake is done, for each answer as long as
   * the socket's read timeout allows. To end the connection, close the socket that was given: the
   * one returned would wait for a write that hangs.
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
              + " ms: does it speak TLS?",
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
   * The check of a server's certificate for a client that has its own TLS. It throws a {@link
   * java.security.cert.CertificateException} whose message is a part of a sentence about the
   * server. It does not check the host's name unless the client asks the JDK to.
   *
   * @param server what it is, for messages: {@code InfluxDB}
   * @param options that take a PEM file to trust, for messages
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
    throw new GeneralSecurityException("it has no check of certificates that knows host names");
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
      throw new SSLException("this JVM knows neither TLS 1.2 nor 1.3");
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
      return "it does not speak TLS: leave TLS out here, or start the collector with"
          + " --tls-certificate and --tls-key";
    }
    return isAboutClientCertificate(message)
        ? reasonAfterHandshake(failure)
        : "the TLS handshake failed: " + message;
  }

  /**
   * What ended a connection whose handshake went well here: by TLS 1.3 a collector says only then
   * that it wants another certificate.
   *
   * @return a part of a sentence about the collector
   */
  public String reasonAfterHandshake(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    if (!isAboutClientCertificate(message)) {
      return message;
    }
    return key == null
        ? "it asks for a certificate of those who connect: show one by --tls-certificate and"
            + " --tls-key (the agent's options tls-certificate and tls-key)"
        : "it does not accept the certificate in "
            + key.file()
            + " ("
            + message
            + "): show one that is valid and that an authority of its --tls-client-ca issued";
  }

  /** Alerts of RFC 8446, as the JDK writes them; only a client's certificate is meant by them. */
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

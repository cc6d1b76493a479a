package org.fedometer.wire.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys and certificates that the JDK's keytool makes in a folder of the test's. */
public final class TestCertificates {
  private static final String PASSWORD = "changeit";

  private final Path store;

  public TestCertificates(Path folder) {
    this.store = folder.resolve("keys.p12");
  }

  /** A certificate that signs itself, valid now. */
  public void selfSigned(String alias, String names) throws Exception {
    keytool(alias, "EC", "-ext", "san=" + names);
  }

  /** As {@link #selfSigned}, with an RSA key. */
  public void selfSignedRsa(String alias, String names) throws Exception {
    keytool(alias, "RSA", "-ext", "san=" + names);
  }

  public void expired(String alias, String names) throws Exception {
    keytool(alias, "EC", "-ext", "san=" + names, "-startdate", "-20d", "-validity", "10");
  }

  public void authority(String alias) throws Exception {
    keytool(alias, "EC", "-ext", "bc:c");
  }

  public void signed(String alias, String authority, String names) throws Exception {
    keytool(alias, "EC", "-ext", "san=" + names, "-signer", authority);
  }

  private void keytool(String alias, String algorithm, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + alias,
                "-alias",
                alias,
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed: " + said);
    }
  }

  /** Writes the certificate alone. */
  public Path certificate(String alias, Path file) throws Exception {
    return Files.writeString(file, pem("CERTIFICATE", keys().getCertificate(alias).getEncoded()));
  }

  /** Writes the certificate and those that it was issued by. */
  public Path chain(String alias, Path file) throws Exception {
    StringBuilder chain = new StringBuilder();
    for (Certificate certificate : keys().getCertificateChain(alias)) {
      chain.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    return Files.writeString(file, chain);
  }

  /** Writes the key, as PKCS#8 and unencrypted. */
  public Path key(String alias, Path file) throws Exception {
    Key key = keys().getKey(alias, PASSWORD.toCharArray());
    return Files.writeString(file, pem("PRIVATE KEY", key.getEncoded()));
  }

  /** Writes key and certificates into a separate keystore. */
  public Path keystore(String alias, Path file, String password) throws Exception {
    KeyStore one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    one.setKeyEntry(
        alias,
        keys().getKey(alias, PASSWORD.toCharArray()),
        password.toCharArray(),
        keys().getCertificateChain(alias));
    try (OutputStream out = Files.newOutputStream(file)) {
      one.store(out, password.toCharArray());
    }
    return file;
  }

  /** A server that has the certificate of the alias. */
  public SSLContext server(String alias) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers(alias), null, null);
    return context;
  }

  private KeyManager[] keyManagers(String alias) throws Exception {
    KeyStore one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    KeyStore all = keys();
    one.setKeyEntry(
        alias,
        all.getKey(alias, PASSWORD.toCharArray()),
        PASSWORD.toCharArray(),
        all.getCertificateChain(alias));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(one, PASSWORD.toCharArray());
    return factory.getKeyManagers();
  }

  /** Creates connections that trust the certificate of the alias. */
  public SocketFactory trusting(String alias) throws Exception {
    return trusting(alias, null);
  }

  /** Creates connections that also present the second certificate. */
  public SocketFactory trustingAndShowing(String alias, String own) throws Exception {
    return trusting(alias, keyManagers(own));
  }

  private SocketFactory trusting(String alias, KeyManager[] own) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(alias, keys().getCertificate(alias));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, factory.getTrustManagers(), null);
    return context.getSocketFactory();
  }

  private KeyStore keys() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static String pem(String what, byte[] encoded) {
    return "-----BEGIN "
        + what
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
        + "\n-----END "
        + what
        + "-----\n";
  }
}

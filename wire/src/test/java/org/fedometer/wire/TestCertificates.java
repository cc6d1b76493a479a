package org.fedometer.wire;

import java.io.IOException;
import java.io.InputStream;
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
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Keys and certificates that the JDK's keytool makes in a folder of the test's. */
final class TestCertificates {
  private static final String PASSWORD = "changeit";

  private final Path store;

  TestCertificates(Path folder) {
    this.store = folder.resolve("keys.p12");
  }

  /** A certificate that signs itself, valid now. */
  void selfSigned(String alias, String names) throws Exception {
    keytool(alias, "-ext", "san=" + names);
  }

  void expired(String alias, String names) throws Exception {
    keytool(alias, "-ext", "san=" + names, "-startdate", "-20d", "-validity", "10");
  }

  void authority(String alias) throws Exception {
    keytool(alias, "-ext", "bc:c");
  }

  void signed(String alias, String authority, String names) throws Exception {
    keytool(alias, "-ext", "san=" + names, "-signer", authority);
  }

  private void keytool(String alias, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
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
  Path certificate(String alias, Path file) throws Exception {
    return Files.writeString(file, pem("CERTIFICATE", keys().getCertificate(alias).getEncoded()));
  }

  /** Writes the certificate and those that it was issued by. */
  Path chain(String alias, Path file) throws Exception {
    StringBuilder chain = new StringBuilder();
    for (Certificate certificate : keys().getCertificateChain(alias)) {
      chain.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    return Files.writeString(file, chain);
  }

  /** Writes the key, as PKCS#8 and unencrypted. */
  Path key(String alias, Path file) throws Exception {
    Key key = keys().getKey(alias, PASSWORD.toCharArray());
    return Files.writeString(file, pem("PRIVATE KEY", key.getEncoded()));
  }

  /** A server that has the certificate of the alias. */
  SSLContext server(String alias) throws Exception {
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
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context;
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

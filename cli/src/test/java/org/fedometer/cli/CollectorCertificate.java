package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/** A collector's self-signed certificate for loopback, as PEM files. */
record CollectorCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "changeit";

  /**
   * Makes one, by the JDK's keytool.
   *
   * @param name of the files, {@code NAME.pem} and {@code NAME.key}, and of its common name
   */
  static CollectorCertificate make(Path folder, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "collector",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return new CollectorCertificate(
        pem(
            folder.resolve(name + ".pem"),
            "CERTIFICATE",
            keys.getCertificate("collector").getEncoded()),
        pem(
            folder.resolve(name + ".key"),
            "PRIVATE KEY",
            keys.getKey("collector", PASSWORD.toCharArray()).getEncoded()));
  }

  private static Path pem(Path file, String what, byte[] encoded) throws IOException {
    String base64 = Base64.getMimeEncoder().encodeToString(encoded);
    return Files.writeString(
        file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, base64, what));
  }
}

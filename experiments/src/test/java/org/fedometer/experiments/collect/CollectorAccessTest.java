package org.fedometer.experiments.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.fedometer.wire.tls.TestCertificates;
import org.fedometer.wire.tls.TlsKey;
import org.fedometer.wire.tls.TlsTrust;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options that an agent gets about its collector, and how. */
class CollectorAccessTest {
  private static final String TOKEN = "open sesame";

  @TempDir Path folder;

  @Test
  void aTokenOfTheVariableReachesTheAgentByItsEnvironmentAlone() {
    CollectorAccess access = new CollectorAccess(TOKEN, null, null);

    assertThat(access.agentOptions("h:1")).isEqualTo("collector=h:1");
    assertThat(access.agentEnvironment()).containsOnly(Map.entry("FEDOMETER_TOKEN", TOKEN));
    assertThat(access.toString()).doesNotContain(TOKEN);
  }

  @Test
  void aTokenOfAFileReachesTheAgentByTheFilesName() {
    Path file = folder.resolve("a,b/token");
    CollectorAccess access = new CollectorAccess(TOKEN, file, null);

    assertThat(access.agentOptions("h:1"))
        .isEqualTo("collector=h:1,token-file=" + folder + "/a\\,b/token");
    assertThat(access.agentEnvironment()).isEmpty();
  }

  @Test
  void aFileIsNamedInFullSinceFedoraRunsElsewhere() {
    CollectorAccess access = new CollectorAccess(TOKEN, Path.of("token"), null);

    assertThat(access.agentOptions("h:1"))
        .isEqualTo("collector=h:1,token-file=" + Path.of("token").toAbsolutePath());
  }

  @Test
  void theAgentTrustsWhatTheCommandTrusts() throws Exception {
    Path file = Files.writeString(folder.resolve("ca,1.pem"), anyCertificate());

    assertThat(new CollectorAccess("", null, TlsTrust.ofPemFile(file)).agentOptions("[::1]:4711"))
        .isEqualTo("collector=[::1]:4711,tls-ca=" + folder + "/ca\\,1.pem");
    assertThat(new CollectorAccess("", null, TlsTrust.ofJvm()).agentOptions("h:1"))
        .isEqualTo("collector=h:1,tls=true");
  }

  @Test
  void theAgentShowsTheCertificateThatTheCommandShows() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.selfSigned("agent", "dns:fedora.example.org");
    Path certificate = certificates.chain("agent", folder.resolve("agent.pem"));
    Path key = certificates.key("agent", folder.resolve("agent.key"));
    TlsTrust trust = TlsTrust.ofJvm().withKey(TlsKey.ofPemFiles(certificate, key));
    assertThat(new CollectorAccess("", null, trust).agentOptions("h:1"))
        .isEqualTo("collector=h:1,tls=true,tls-certificate=" + certificate + ",tls-key=" + key);
  }

  @Test
  void addsNoAgentOptionsWithoutTokenAndTls() {
    assertThat(CollectorAccess.PLAIN.agentOptions("h:1")).isEqualTo("collector=h:1");
    assertThat(CollectorAccess.PLAIN.agentEnvironment()).isEmpty();
  }

  private static String anyCertificate() throws Exception {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    X509Certificate any =
        ((X509TrustManager) factory.getTrustManagers()[0]).getAcceptedIssuers()[0];
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(any.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }
}

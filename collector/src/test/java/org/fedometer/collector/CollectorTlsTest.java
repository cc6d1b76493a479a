package org.fedometer.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import org.fedometer.collector.receive.CollectorFiles;
import org.fedometer.collector.receive.TlsFiles;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.store.Ulid;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.Rows;
import org.fedometer.store.remote.RemoteStore;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.session.CloseRun;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.tls.TestCertificates;
import org.fedometer.wire.tls.TlsKey;
import org.fedometer.wire.tls.TlsTrust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Access to a collector with a certificate, and data visible to others. */
@Tag("slow")
@Timeout(120)
class CollectorTlsTest {
  /** Output of 'openssl pkcs12 -export -nocerts' for an unused key. */
  private static final String KEY_ALONE =
      "MIIBfgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIB"
          + "AjCB/wYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECKCUHBHH"
          + "f1+4AgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQYXOcPJ7J6HDkcLlw1fAtSwSBkAbSG+ll"
          + "oABrTpSLfFtI8o2G3kcnVFs3LiGQaBd5YEGWK9Qi7vC36yjcrquVgiRonEyBxG6W1F1VJkvblheUK3ut"
          + "XMVOl4iJPtkz2iT8sX5lxJ1HTdusfKHNak1omGfyoSfgN5WDEZoRejm7qBLqvM7ioF27DHARRnwTYhtS"
          + "KPXBIWhiY4FxInlzheW5UKiuWDBBMDEwDQYJYIZIAWUDBAIBBQAEIBbXy0souCYBncgKcDxnxixxk596"
          + "ChBkBG9W0+H1ZnwdBAiFv02VH6om0AICCAA=";

  private static final String HERE = "dns:localhost,ip:127.0.0.1";
  private static final String TOKEN = "token-that-nobody-else-may-read";
  private static final String RUN_ID = Ulid.next();

  @TempDir static Path keys;
  private static TestCertificates certificates;

  @TempDir Path folder;
  private Path store;
  private CollectorServer server;

  @BeforeAll
  static void makeCertificates() throws Exception {
    certificates = new TestCertificates(keys);
    certificates.selfSigned("own", HERE);
    certificates.selfSignedRsa("renewed", HERE);
    certificates.selfSigned("elsewhere", "dns:collector.example.org");
    certificates.expired("expired", HERE);
    certificates.authority("authority");
    certificates.signed("signed", "authority", HERE);
    certificates.authority("clients");
    certificates.signed("agent", "clients", "dns:fedora.example.org");
    certificates.signed("stranger", "authority", "dns:stranger.example.org");
    certificates.expired("late", "dns:late.example.org");
  }

  @BeforeEach
  void makeFolder() {
    store = folder.resolve("store");
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void storesAndQueriesOverTls() throws Exception {
    start("signed");
    TlsTrust trust = trust("authority");
    try (CollectorClient client = open(server.address().getPort(), trust)) {
      client.offer(FrameType.STAGES, Samples.stages());
      client.offer(FrameType.THREADS, Samples.threads());
      for (int i = 0; i < 20; i++) {
        client.send(FrameType.SAMPLES, Samples.traces(i * 50_000L, (i + 1) * 50_000L), 10_000);
      }
      closeRun(client);
    }

    try (Query query = RemoteStore.at(server.address(), TOKEN, trust).run("night").query();
        Rows rows = query.execute("SELECT count(DISTINCT trace) FROM samples")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.integer(0)).isEqualTo(1_000_000);
    }
  }

  @Test
  void encryptsTokenAndSamples() throws Exception {
    byte[] samples = Samples.traces(0, 1_000);
    start("own");
    String byTls = bytesOnTheWire(trust("own"), samples);
    server.close();
    startPlain();
    String plainly = bytesOnTheWire(null, samples);

    String someSamples = new String(samples, 0, 200, StandardCharsets.ISO_8859_1);
    for (String secret : List.of(TOKEN, "ingest", "night", "what the log says", someSamples)) {
      assertThat(plainly).contains(secret);
      assertThat(byTls).doesNotContain(secret);
    }
  }

  private String bytesOnTheWire(TlsTrust trust, byte[] samples) throws Exception {
    try (RecordingProxy proxy = new RecordingProxy(server.address())) {
      try (CollectorClient client = open(proxy.port(), trust)) {
        client.offer(FrameType.STAGES, Samples.stages());
        client.offer(FrameType.SAMPLES, samples);
        client.offer(
            FrameType.DOCUMENT,
            new Document("log.txt", "what the log says".getBytes(StandardCharsets.UTF_8), false)
                .encode());
        assertThat(client.awaitAcknowledged(50_000)).isTrue();
      }
      return proxy.received();
    }
  }

  @Test
  void explainsTheRefusalOfPlainConnections() throws Exception {
    start("own");
    try (CollectorClient client = open(server.address().getPort(), null)) {
      assertThatThrownBy(() -> client.awaitWelcome(10_000))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("refuses")
          .hasMessageContaining("accepts only TLS connections")
          .hasMessageContaining("--tls-ca");
    }
    assertThatThrownBy(() -> RemoteStore.at(server.address(), TOKEN).summaries())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("accepts only TLS connections");
    assertThat(RunStore.at(store).runs()).isEmpty();
  }

  @Test
  void explainsTheRefusalOfTlsAtAPlainCollector() throws Exception {
    startPlain();
    TlsTrust trust = trust("own");
    assertThatThrownBy(() -> RemoteStore.at(server.address(), TOKEN, trust).summaries())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it does not speak TLS");
  }

  @Test
  void requiresTheTokenOverTls() throws Exception {
    start("own");
    TlsTrust trust = trust("own");
    assertThatThrownBy(() -> RemoteStore.at(server.address(), "wrong", trust).summaries())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("token");
  }

  @Test
  void nothingIsLostWhenTheCollectorIsKilledAndComesBackAndItsLogNamesThoseRefused()
      throws Exception {
    int port = freePort();
    Files.createDirectories(store);
    TlsFiles files = CollectorFiles.of(certificates, "own", folder);
    CollectorProcess process = CollectorProcess.start(store, port, files);
    try (CollectorClient client = open(port, trust("own"))) {
      client.awaitWelcome(30_000);
      for (int i = 0; i < 100; i++) {
        client.offer(FrameType.SAMPLES, Samples.traces(i * 100L, (i + 1) * 100L));
      }
      await().until(() -> client.status().acknowledgedSequence() > 0);
      process.kill();
      for (int i = 100; i < 200; i++) {
        client.offer(FrameType.SAMPLES, Samples.traces(i * 100L, (i + 1) * 100L));
      }
      process = CollectorProcess.start(store, port, files);
      closeRun(client);
      assertThat(client.status().connections()).isEqualTo(2);
      assertThat(client.status().framesLost()).isZero();

      try (CollectorClient plain = open(port, null)) {
        assertThatThrownBy(() -> plain.awaitWelcome(10_000)).hasMessageContaining("TLS");
      }
    } finally {
      process.kill();
    }

    assertThat(
            RunQueries.rows(store, "night", "SELECT count(*), count(DISTINCT trace) FROM samples"))
        .containsExactly("20000|20000");
    assertThat(store.resolve("process.log"))
        .content()
        .containsPattern("Refused /127.0.0.1:\\d+: this collector accepts only TLS connections")
        .doesNotContain(TOKEN);
  }

  @Test
  void renewedFilesCountForNewConnectionsWhileOldOnesGoOn() throws Exception {
    start("own");
    int port = server.address().getPort();
    try (CollectorClient before = open(port, trust("own"))) {
      before.awaitWelcome(50_000);
      // In the order of a renewal that is not atomic: for a while they do not belong together.
      certificates.chain("renewed", folder.resolve("collector.pem"));
      assertWelcome(trust("own"));
      certificates.key("renewed", folder.resolve("collector.key"));
      assertWelcome(trust("renewed"));
      assertThatThrownBy(() -> assertWelcome(trust("own"))).hasMessageContaining("is not trusted");

      Files.writeString(folder.resolve("collector.key"), "spoilt");
      assertWelcome(trust("renewed"));

      before.offer(FrameType.STAGES, Samples.stages());
      assertThat(before.awaitAcknowledged(50_000)).isTrue();
      assertThat(before.status().connections()).isEqualTo(1);
    }
  }

  private void assertWelcome(TlsTrust trust) throws IOException {
    RemoteStore.at(server.address(), TOKEN, trust).summaries();
  }

  @Test
  void filesThatAreOfNoUseKeepTheCollectorFromStarting() throws Exception {
    Path certificate = certificates.chain("own", folder.resolve("c.pem"));
    Path key = certificates.key("own", folder.resolve("c.key"));
    Path none = folder.resolve("none");
    assertRefused(none, key, none + " cannot be read: it does not exist");
    assertRefused(certificate, none, none + " cannot be read: it does not exist");
    assertRefused(folder, key, folder + " cannot be read");
    assertRefused(key, key, key + " holds no certificate");
    assertRefused(certificate, certificate, certificate + " holds no private key");
    assertRefused(
        certificate,
        certificates.key("signed", folder.resolve("other.key")),
        "other.key does not belong to the first certificate in " + certificate);
    assertRefused(
        certificate,
        certificates.key("renewed", folder.resolve("rsa.key")),
        "rsa.key is damaged, or is not an EC key");
    assertRefused(
        certificates.chain("expired", folder.resolve("expired.pem")),
        certificates.key("expired", folder.resolve("expired.key")),
        "expired.pem expired on 20");

    Path old = folder.resolve("old.key");
    Files.writeString(old, Files.readString(key).replace("PRIVATE KEY", "EC PRIVATE KEY"));
    assertRefused(certificate, old, "has the form \"EC PRIVATE KEY\", not PKCS#8");
    assertRefused(certificate, old, "openssl pkcs8 -topk8 -nocrypt -in " + old);
    Files.writeString(old, Files.readString(key).replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"));
    assertRefused(certificate, old, "is encrypted");

    Path mixed = certificates.certificate("signed", folder.resolve("mixed.pem"));
    Files.writeString(mixed, Files.readString(certificate), StandardOpenOption.APPEND);
    assertRefused(
        mixed,
        certificates.key("signed", folder.resolve("signed.key")),
        "Certificate 2 in " + mixed + " is not that of the issuer of certificate 1");
    assertThat(store).doesNotExist();
  }

  private void assertRefused(Path certificate, Path key, String sentence) {
    assertThatThrownBy(() -> start(new TlsFiles(certificate, key)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void runsAreDeletedInAgreementWithACollectorWhoseCertificateIsForAnotherName() throws Exception {
    start("elsewhere");
    TlsTrust trust = TlsTrust.ofPinnedFile(folder.resolve("collector.pem"));
    try (CollectorClient client = open(server.address().getPort(), trust)) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    RunMaintenance care = RunMaintenance.of(RunStore.at(store), TOKEN);
    await()
        .ignoreExceptionsMatching(e -> e instanceof IOException)
        .untilAsserted(() -> care.remove("night"));
    assertThat(RunStore.at(store).runs()).isEmpty();
  }

  @Test
  void doesNotReuseATlsCollectorForPlainClients() throws Exception {
    start("own");
    assertThatThrownBy(() -> BackgroundCollector.startOrReuse(store, List.of("/bin/false"), TOKEN))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("accepts only TLS connections")
        .hasMessageContaining("--tls-ca")
        .hasMessageContaining(folder.resolve("collector.pem").toString());
  }

  @Test
  void aKeystoreServesAsWellAsTwoFilesAndIsRenewedLikeThem() throws Exception {
    Path keystore = certificates.keystore("own", folder.resolve("collector.p12"), "first");
    Path password = Files.writeString(folder.resolve("password"), "first\n");
    start(new TlsFiles(TlsKey.ofKeystore(keystore, password), null, false));
    assertWelcome(trust("own"));

    // Until both are replaced, the one does not open the other.
    certificates.keystore("renewed", keystore, "second");
    assertWelcome(trust("own"));
    Files.writeString(password, "second\n");
    assertWelcome(trust("renewed"));

    try (CollectorClient client = open(server.address().getPort(), trust("renewed"))) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    RunMaintenance care = RunMaintenance.of(RunStore.at(store), TOKEN);
    await()
        .ignoreExceptionsMatching(e -> e instanceof IOException)
        .untilAsserted(() -> care.remove("night"));
  }

  @Test
  void aKeystoreThatIsOfNoUseKeepsTheCollectorFromStarting() throws Exception {
    Path keystore = certificates.keystore("own", folder.resolve("collector.p12"), "right");
    assertRefused(
        TlsKey.ofKeystore(keystore, Files.writeString(folder.resolve("password"), "wrong")),
        "The password of " + keystore + ", in " + folder.resolve("password") + ", is wrong");
    assertRefused(TlsKey.ofKeystore(keystore, "wrong"), "password of " + keystore + " is wrong");
    Path certificate = certificates.chain("own", folder.resolve("own.pem"));
    assertRefused(TlsKey.ofKeystore(certificate, "any"), "own.pem is not a PKCS#12 file");
    Path none = folder.resolve("none");
    assertRefused(TlsKey.ofKeystore(none, "any"), none + " cannot be read: it does not exist");
    Path keyAlone = folder.resolve("key.p12");
    Files.write(keyAlone, Base64.getDecoder().decode(KEY_ALONE));
    assertRefused(TlsKey.ofKeystore(keyAlone, "any"), keyAlone + " holds a key without its");
    assertThat(store).doesNotExist();
  }

  private void assertRefused(TlsKey key, String sentence) {
    assertThatThrownBy(() -> start(new TlsFiles(key, null, false)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void acceptsOnlyCertificatesOfTheClientAuthority() throws Exception {
    start(mutual(false, "clients", "late"));
    TlsTrust trust = trust("own");
    assertWelcome(trust.withKey(key("agent")));
    try (CollectorClient client = open(server.address().getPort(), trust.withKey(key("agent")))) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }

    assertThatThrownBy(() -> assertWelcome(trust))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("requires a client certificate")
        .hasMessageContaining("--tls-key");
    assertThatThrownBy(() -> assertWelcome(trust.withKey(key("late"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not accept the certificate in " + keys.resolve("late.pem"));
    // Not of an authority that the collector names, so that it is not even shown.
    assertThatThrownBy(() -> assertWelcome(trust.withKey(key("stranger"))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not accept the certificate in");
    try (CollectorClient client = open(server.address().getPort(), trust)) {
      assertThatThrownBy(() -> client.awaitWelcome(2_000))
          .hasMessageContaining("requires a client certificate");
    }
  }

  @Test
  void logsWhyATlsHandshakeFailed() throws Exception {
    String log =
        CapturedLog.during(
            () -> {
              start(mutual(false, "clients", "late"));
              TlsTrust trust = trust("own");
              assertThatThrownBy(() -> assertWelcome(trust)).isInstanceOf(IOException.class);
              for (String alias : List.of("late", "stranger")) {
                assertThatThrownBy(() -> assertWelcome(trust.withKey(key(alias))))
                    .isInstanceOf(IOException.class);
              }
              assertThatThrownBy(() -> assertWelcome(trust("stranger")))
                  .isInstanceOf(IOException.class);
              stop();
            });

    assertThat(log)
        .contains(
            "no TLS connection: it presents no certificate, but --tls-client-ca requires one (")
        .contains("no TLS connection: its certificate has expired (")
        .contains("no TLS connection: it does not trust this collector's certificate, or expects");
  }

  @Test
  void requiresTheTokenFromClientsWithACertificate() throws Exception {
    start(mutual(false, "clients"));
    TlsTrust trust = trust("own").withKey(key("agent"));
    assertThatThrownBy(() -> RemoteStore.at(server.address(), "wrong", trust).summaries())
        .hasMessageContaining("token");
  }

  @Test
  void whereACertificateIsOptionalTheTokenDecidesButAWrongCertificateIsRefused() throws Exception {
    start(mutual(true, "clients", "late"));
    assertWelcome(trust("own"));
    assertWelcome(trust("own").withKey(key("agent")));
    assertThatThrownBy(() -> assertWelcome(trust("own").withKey(key("late"))))
        .hasMessageContaining("does not accept the certificate");
  }

  @Test
  void storeCommandsPresentACertificate() throws Exception {
    start(mutual(false, "clients"));
    try (CollectorClient client =
        open(server.address().getPort(), trust("own").withKey(key("agent")))) {
      client.offer(FrameType.SAMPLES, Samples.traces(0, 10));
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
    }
    assertThatThrownBy(() -> RunMaintenance.of(RunStore.at(store), TOKEN).remove("night"))
        .hasMessageContaining("requires a client certificate");
    RunMaintenance care = RunMaintenance.of(RunStore.at(store), TOKEN, key("agent"));
    await()
        .ignoreExceptionsMatching(e -> e instanceof IOException)
        .untilAsserted(() -> care.remove("night"));
  }

  /** Clients show a certificate that one of these issued, or that is one of these. */
  private TlsFiles mutual(boolean optional, String... clients) throws Exception {
    Path authorities = folder.resolve("clients.pem");
    Files.writeString(authorities, "");
    for (String client : clients) {
      Files.writeString(
          authorities,
          Files.readString(certificates.certificate(client, folder.resolve("one.pem"))),
          StandardOpenOption.APPEND);
    }
    TlsFiles key = CollectorFiles.of(certificates, "own", folder);
    return new TlsFiles(key.key(), authorities, optional);
  }

  private static TlsKey key(String alias) throws Exception {
    return TlsKey.ofPemFiles(
        certificates.chain(alias, keys.resolve(alias + ".pem")),
        certificates.key(alias, keys.resolve(alias + ".key")));
  }

  private void start(String alias) throws Exception {
    start(CollectorFiles.of(certificates, alias, folder));
  }

  private void startPlain() throws Exception {
    start((TlsFiles) null);
  }

  private void start(TlsFiles files) throws IOException {
    server =
        CollectorServer.start(
            CollectorOptions.foreground(
                    EndpointOptions.at(new InetSocketAddress("127.0.0.1", 0)).withTls(files), store)
                .withSegmentLog(SegmentLogOptions.defaults().withToken(TOKEN)));
  }

  private static CollectorClient open(int port, TlsTrust trust) {
    return CollectorClient.open(
        ClientOptions.builder("127.0.0.1", port)
            .runId(RUN_ID)
            .runName("night")
            .tokenOrNull(TOKEN)
            .tls(trust)
            .build());
  }

  private static void closeRun(CollectorClient client) throws IOException {
    client.send(FrameType.CLOSE_RUN, new CloseRun(RUN_ID).encode(), 10_000);
    assertThat(client.awaitAcknowledged(60_000)).as(client.status().toString()).isTrue();
  }

  private static TlsTrust trust(String alias) throws Exception {
    return TlsTrust.ofPemFile(certificates.certificate(alias, keys.resolve(alias + ".pem")));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

package org.fedometer.wire.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.client.ClientOptions;
import org.fedometer.wire.client.CollectorClient;
import org.fedometer.wire.client.CollectorReader;
import org.fedometer.wire.client.ResumableReadSocket;
import org.fedometer.wire.client.ScriptedCollector;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.fedometer.wire.session.Rejected;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client and the reader talk to a collector by TLS, and only to one that they trust. */
@Timeout(60)
class TlsTest {
  private static final String HERE = "dns:localhost,ip:127.0.0.1";

  @TempDir static Path folder;
  private static TestCertificates certificates;
  private static Path own;
  private static Path authority;

  private ScriptedCollector collector;
  private CollectorClient client;

  @BeforeAll
  static void makeCertificates() throws Exception {
    certificates = new TestCertificates(folder);
    certificates.selfSigned("own", HERE);
    certificates.selfSigned("renewed", HERE);
    certificates.selfSigned("elsewhere", "dns:collector.example.org,ip:192.0.2.7");
    certificates.expired("expired", HERE);
    certificates.authority("authority");
    certificates.signed("signed", "authority", HERE);
    own = certificates.certificate("own", folder.resolve("own.pem"));
    authority = certificates.certificate("authority", folder.resolve("authority.pem"));
  }

  @AfterEach
  void hangUp() throws Exception {
    if (client != null) {
      client.close();
    }
    if (collector != null) {
      collector.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void trustsASelfSignedCertificateForEachOfItsNames(String host) throws Exception {
    listen("own");
    client = open(host, TlsTrust.ofPemFile(own));
    client.offer(FrameType.SAMPLES, new byte[70_000]);
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      assertThat(peer.read().payload()).hasSize(70_000);
      peer.acknowledge(1);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      // Or it would connect again, in front of the reader.
      client.close();
    }

    Future<String> answer = answerOf(host, TlsTrust.ofPemFile(own));
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      QueryRequest ask = QueryRequest.decode(peer.readNext(FrameType.QUERY));
      peer.sendResult(
          FrameType.QUERY_RESULT,
          new QueryResult(ask.id(), QueryResult.State.LAST, "yes".getBytes()).encode());
      assertThat(answer.get()).isEqualTo("yes");
    }
  }

  @Test
  void helloHasItsSendTimeAfterASlowConnect() throws Exception {
    listen("own");
    client = open("127.0.0.1", TlsTrust.ofPemFile(own));
    Socket connected = collector.acceptOnly();
    // The client waits for the first reply of the handshake.
    long connectedNanos = System.nanoTime();
    try (ScriptedCollector.Peer peer = new ScriptedCollector.Peer(connected)) {
      assertThat(peer.hello().nanos() - connectedNanos).isNotNegative();
    }
  }

  @Test
  void aCertificateIsTrustedByTheAuthorityThatIssuedIt() throws Exception {
    listen("signed");

    assertWelcome(TlsTrust.ofPemFile(authority));
  }

  @Test
  void usesTheJvmTrustStoreWithoutAFile() throws Exception {
    listen("own");
    assertThat(failure("127.0.0.1", TlsTrust.ofJvm())).contains("is not trusted", "CN=own");

    Path store = folder.resolve("jvm.p12");
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("own", PemCertificates.read(own).get(0));
    try (OutputStream out = Files.newOutputStream(store)) {
      trusted.store(out, "changeit".toCharArray());
    }
    System.setProperty("javax.net.ssl.trustStore", store.toString());
    System.setProperty("javax.net.ssl.trustStorePassword", "changeit");
    try {
      assertWelcome(TlsTrust.ofJvm());
    } finally {
      System.clearProperty("javax.net.ssl.trustStore");
      System.clearProperty("javax.net.ssl.trustStorePassword");
    }
  }

  @Test
  void aStrangersCertificateIsNotTrusted() throws Exception {
    listen("own");

    String sentence = "its certificate (CN=own, issued by itself) is not trusted";
    assertThat(failure("127.0.0.1", TlsTrust.ofPemFile(authority))).contains(sentence, "--tls-ca");

    client = open("127.0.0.1", TlsTrust.ofPemFile(authority));
    assertThatThrownBy(() -> collector.accept()).isInstanceOf(IOException.class);
    await().until(() -> client.status().lastError().contains(sentence));
    assertThatThrownBy(() -> client.awaitWelcome(10)).hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void aCertificateForOtherNamesIsNotTrusted(String host) throws Exception {
    listen("elsewhere");
    Path file = certificates.certificate("elsewhere", folder.resolve("elsewhere.pem"));

    assertThat(failure(host, TlsTrust.ofPemFile(file)))
        .contains("is for collector.example.org, 192.0.2.7, not for " + host);
  }

  @Test
  void anExpiredCertificateIsNotTrustedThoughItsFileIs() throws Exception {
    listen("expired");
    Path file = certificates.certificate("expired", folder.resolve("expired.pem"));

    assertThat(failure("127.0.0.1", TlsTrust.ofPemFile(file)))
        .contains("its certificate expired on 20", "give the collector a new one");
  }

  @Test
  void pinnedFileTrustsOnlyItsCertificateForAnyName() throws Exception {
    listen("elsewhere");
    Path file = certificates.certificate("elsewhere", folder.resolve("elsewhere.pem"));

    assertWelcome(TlsTrust.ofPinnedFile(file));
    assertThat(failure("127.0.0.1", TlsTrust.ofPinnedFile(own)))
        .contains("its certificate (CN=elsewhere) is not the one in its file");
  }

  @Test
  void reportsACollectorWithoutTls() throws Exception {
    collector = new ScriptedCollector();
    byte[] refusal = Frame.session(FrameType.REJECTED, new Rejected(true, "?").encode()).toBytes();
    CompletableFuture<Void> refusing =
        CompletableFuture.runAsync(
            () -> {
              try (Socket socket = collector.acceptOnly()) {
                socket.getOutputStream().write(refusal);
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
              } catch (IOException hungUp) {
                // As the client does.
              }
            });

    assertThatThrownBy(
            () ->
                CollectorReader.connect("127.0.0.1", collector.port(), "", TlsTrust.ofPemFile(own)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The collector at 127.0.0.1:" + collector.port())
        .hasMessageContaining("it does not speak TLS")
        .hasMessageContaining("--tls-certificate");
    refusing.join();
  }

  @Test
  void aPeerThatDoesNotAnswerTheHandshakeIsGivenUp() throws Exception {
    collector = new ScriptedCollector();

    assertThatThrownBy(
            () ->
                CollectorReader.connect(
                    "127.0.0.1", collector.port(), "", TlsTrust.ofPemFile(own), 300))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no answer to the TLS handshake within 300 ms");
  }

  @Test
  void reportsAPeerThatHangsUpDuringTheHandshake() throws Exception {
    collector = new ScriptedCollector();
    client = open("127.0.0.1", TlsTrust.ofPemFile(own));
    collector.acceptOnly().close();

    await().until(() -> client.status().lastError().contains("the TLS handshake failed"));
  }

  @Test
  void theRestIsSentAgainOverANewConnection() throws Exception {
    listen("own");
    client = open("127.0.0.1", TlsTrust.ofPemFile(own));
    offer(5);
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      assertThat(peer.read().sequence()).isEqualTo(1);
      peer.acknowledge(1);
      await().until(() -> client.status().acknowledgedSequence() == 1);
    }
    collector.goAway();
    collector.comeBack();
    try (ScriptedCollector.Peer peer = collector.accept().welcome(1)) {
      for (long sequence = 2; sequence <= 5; sequence++) {
        assertThat(peer.read().sequence()).isEqualTo(sequence);
      }
      peer.acknowledge(5);
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(client.status().framesLost()).isZero();
    }
  }

  @Test
  void aConnectionWhoseWritesHangIsGivenUpForANewOne() throws Exception {
    listen("own");
    client =
        CollectorClient.open(
            collector
                .options()
                .tls(TlsTrust.ofPemFile(own))
                .silenceTimeoutMillis(300)
                .maxQueuedBytes(64 << 20)
                .build());
    for (int i = 0; i < 30; i++) {
      client.offer(FrameType.SAMPLES, new byte[1 << 20]);
    }
    try (ScriptedCollector.Peer deaf = collector.accept().welcome(0);
        ScriptedCollector.Peer next = collector.accept().welcome(30)) {
      assertThat(client.awaitAcknowledged(50_000)).isTrue();
      assertThat(next.hello().source()).isEqualTo(deaf.hello().source());
    }
  }

  @Test
  void readBelowTlsResumesAfterTimeoutsUntilStopped() throws Exception {
    collector = new ScriptedCollector();
    AtomicInteger timeouts = new AtomicInteger();
    try (ResumableReadSocket socket = new ResumableReadSocket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", collector.port()));
      socket.setSoTimeout(20);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      socket.resumeReadsAfterTimeout(
          () -> {
            if (timeouts.incrementAndGet() == 3) {
              throw new IOException("enough");
            }
          });
      assertThatThrownBy(() -> socket.getInputStream().read()).hasMessage("enough");
      assertThat(timeouts).hasValue(3);
    }
  }

  @Test
  void aCollectorThatFallsSilentIsGivenUpForANewConnection() throws Exception {
    listen("own");
    client =
        CollectorClient.open(
            collector.options().tls(TlsTrust.ofPemFile(own)).silenceTimeoutMillis(300).build());
    offer(1);
    try (ScriptedCollector.Peer silent = collector.accept().welcome(0)) {
      assertThat(silent.read().sequence()).isEqualTo(1);
      await().until(() -> client.status().lastError().contains("no answer for 300 ms"));
      try (ScriptedCollector.Peer next = collector.accept().welcome(0)) {
        assertThat(next.read().sequence()).isEqualTo(1);
        next.acknowledge(1);
        assertThat(client.awaitAcknowledged(50_000)).isTrue();
      }
    }
  }

  @Test
  void aTrustFileThatIsReplacedCountsForTheNextConnection() throws Exception {
    Path file = folder.resolve("changing.pem");
    Files.copy(own, file, StandardCopyOption.REPLACE_EXISTING);
    TlsTrust trust = TlsTrust.ofPemFile(file);
    listen("renewed");
    assertThat(failure("127.0.0.1", trust)).contains("is not trusted");

    certificates.certificate("renewed", file);
    assertWelcome(trust);

    Files.delete(file);
    assertThat(failure("127.0.0.1", trust)).as("what it held first").contains("is not trusted");
  }

  @Test
  void aFileThatIsNoCertificateIsRefusedAtOnce() throws Exception {
    Path key = certificates.key("own", folder.resolve("own.key"));
    assertThatThrownBy(() -> TlsTrust.ofPemFile(key))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(key + " holds no certificate");
    assertThatThrownBy(() -> TlsTrust.ofPemFile(folder.resolve("none.pem")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.pem cannot be read: it does not exist");
    assertThatThrownBy(() -> TlsTrust.ofPemFile(Path.of("/dev/zero")))
        .isInstanceOf(IOException.class)
        .hasMessage("/dev/zero cannot be read: it is not a regular file");
    Path damaged =
        Files.writeString(
            folder.resolve("damaged.pem"),
            Files.readString(own) + Files.readString(own).replaceFirst("\nMI", "\nZZ"));
    assertThatThrownBy(() -> TlsTrust.ofPemFile(damaged))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Certificate 2 in " + damaged + " is damaged");
  }

  private void listen(String alias) throws Exception {
    collector = new ScriptedCollector(certificates.server(alias).getServerSocketFactory());
  }

  private CollectorClient open(String host, TlsTrust trust) {
    return CollectorClient.open(ClientOptions.builder(host, collector.port()).tls(trust).build());
  }

  private void assertWelcome(TlsTrust trust) throws Exception {
    try (CollectorClient welcome = open("127.0.0.1", trust);
        ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      assertThat(welcome.awaitWelcome(50_000).hostName()).isEqualTo("collector-host");
      assertThat(peer.hello().sourceKind()).isEqualTo("agent");
    }
  }

  /** Returns the error for an untrusted collector, which has not even received a HELLO. */
  private String failure(String host, TlsTrust trust) {
    CompletableFuture<Boolean> introduced =
        CompletableFuture.supplyAsync(
            () -> {
              try (ScriptedCollector.Peer peer = collector.accept()) {
                return true;
              } catch (IOException noHello) {
                return false;
              }
            });
    Throwable failure =
        catchThrowable(
            () -> CollectorReader.connect(host, collector.port(), "secret", trust).close());
    assertThat(introduced.join()).isFalse();
    assertThat(failure).isInstanceOf(IOException.class).hasMessageStartingWith("The collector at ");
    return failure.getMessage();
  }

  private void offer(int frames) {
    for (int i = 0; i < frames; i++) {
      client.offer(FrameType.SAMPLES, new byte[] {1});
    }
  }

  private CompletableFuture<String> answerOf(String host, TlsTrust trust) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (CollectorReader reader =
              CollectorReader.connect(host, collector.port(), "secret", trust)) {
            return new String(reader.query("{}").readAllBytes());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}

package org.fedometer.collector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import org.fedometer.collector.logs.SenderAllowList;
import org.fedometer.collector.receive.AccessRules;
import org.fedometer.collector.receive.CollectorFiles;
import org.fedometer.collector.receive.TlsFiles;
import org.fedometer.collector.segmentlog.SegmentLogOptions;
import org.fedometer.store.RunStore;
import org.fedometer.store.RunSummary;
import org.fedometer.wire.tls.TestCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Senders whose logs a collector with a token accepts, although appenders cannot send one. */
@Timeout(60)
class LogAccessTest {
  @TempDir Path folder;
  private Path store;
  private CollectorServer server;

  @BeforeEach
  void makeFolder() {
    store = folder.resolve("store");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void acceptsListedSendersOnly() throws Exception {
    start(
        null, AccessRules.defaults().withLogSenders(SenderAllowList.of("127.0.0.0/31,127.0.0.5")));
    send(SocketFactory.getDefault(), "127.0.0.1");
    send(SocketFactory.getDefault(), "127.0.0.5");
    send(SocketFactory.getDefault(), "127.0.0.2");
    server.close();
    assertThat(messages()).containsExactly("from 127.0.0.1", "from 127.0.0.5");
  }

  @Test
  void acceptsSendersWithCertificateOnly() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.selfSigned("own", "ip:127.0.0.1");
    certificates.selfSigned("appender", "dns:appender.example.org");
    TlsFiles key = CollectorFiles.of(certificates, "own", folder);
    Path clients = certificates.certificate("appender", folder.resolve("clients.pem"));
    start(new TlsFiles(key.key(), clients, true), AccessRules.defaults());
    send(certificates.trustingAndShowing("own", "appender"), "127.0.0.3");
    send(certificates.trusting("own"), "127.0.0.4");
    server.close();
    assertThat(messages()).containsExactly("from 127.0.0.3");
  }

  private void start(TlsFiles tls, AccessRules access) throws Exception {
    server =
        CollectorServer.start(
            CollectorOptions.foreground(
                    EndpointOptions.at(new InetSocketAddress("127.0.0.1", 0))
                        .withTls(tls)
                        .withAccess(access),
                    store)
                .withSegmentLog(SegmentLogOptions.defaults().withToken("open sesame")));
  }

  /** One event, whole; returns when the collector has closed the connection, too. */
  private void send(SocketFactory sockets, String from) throws Exception {
    try (Socket socket = sockets.createSocket()) {
      socket.setSoTimeout(30_000);
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(server.address());
      String event = "{\"message\":\"from " + from + "\"}\n";
      socket.getOutputStream().write(event.getBytes(UTF_8));
      socket.shutdownOutput();
      while (socket.getInputStream().read() >= 0) {
        // Appenders get no reply.
      }
    } catch (SocketException refused) {
      // Hung up on before the end.
    }
  }

  private List<String> messages() throws Exception {
    List<String> all = new ArrayList<>();
    for (RunSummary run : RunStore.at(store).summaries()) {
      all.addAll(RunQueries.rows(store, run.name(), "SELECT message FROM logs"));
    }
    return all.stream().sorted().toList();
  }
}

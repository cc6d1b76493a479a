package org.fedometer.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.fedometer.wire.session.Welcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CollectorReaderTest {
  private ScriptedCollector collector;
  private ScriptedCollector.Peer peer;
  private CollectorReader reader;

  @BeforeEach
  void listen() throws Exception {
    collector = new ScriptedCollector();
  }

  @AfterEach
  void hangUp() throws Exception {
    if (reader != null) {
      reader.close();
    }
    if (peer != null) {
      peer.close();
    }
    collector.close();
  }

  @Test
  void readsAResultInChunksAndQueriesAgain() throws Exception {
    connect(20_000);
    assertThat(peer.hello().sourceKind()).isEqualTo(Hello.READER);
    assertThat(peer.hello().token()).isEqualTo("secret");
    assertThat(peer.hello().runName()).isEmpty();
    assertThat(reader.welcome().storeDirectory()).isEqualTo("/store");

    InputStream answer = reader.query("{\"request\":\"runs\"}");
    QueryRequest ask = QueryRequest.decode(peer.readNext(FrameType.QUERY));
    assertThat(ask.query()).isEqualTo("{\"request\":\"runs\"}");
    piece(ask, QueryResult.State.MORE, "one ");
    peer.acknowledge(0);
    piece(ask, QueryResult.State.MORE, "");
    piece(ask, QueryResult.State.MORE, "two ");
    piece(ask, QueryResult.State.LAST, "three");
    assertThat(answer.read()).isEqualTo('o');
    assertThat(new String(answer.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("ne two three");
    assertThat(answer.read()).isEqualTo(-1);
    answer.close();

    InputStream next = reader.query("{}");
    QueryRequest other = QueryRequest.decode(peer.readNext(FrameType.QUERY));
    assertThat(other.id()).isNotEqualTo(ask.id());
    piece(other, QueryResult.State.LAST, "");
    assertThat(next.readAllBytes()).isEmpty();
  }

  @Test
  void failedQueryReportsTheCollectorsErrorAndAllowsTheNext() throws Exception {
    connect(20_000);
    InputStream answer = reader.query("{}");
    QueryRequest ask = QueryRequest.decode(peer.readNext(FrameType.QUERY));
    piece(ask, QueryResult.State.MORE, "half");
    piece(ask, QueryResult.State.FAILED, "there is no run \"x\"");

    assertThat(answer.readNBytes(4)).hasSize(4);
    assertThatThrownBy(answer::read)
        .isInstanceOf(IOException.class)
        .hasMessage("there is no run \"x\"");
    assertThatThrownBy(answer::read).hasMessage("there is no run \"x\"");
    answer.close();

    InputStream next = reader.query("{}");
    piece(QueryRequest.decode(peer.readNext(FrameType.QUERY)), QueryResult.State.LAST, "y");
    assertThat(next.read()).isEqualTo('y');
  }

  @Test
  void allowsOneQueryAtATime() throws Exception {
    connect(20_000);
    InputStream answer = reader.query("{}");

    assertThatThrownBy(() -> reader.query("{}"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("to its end");
    answer.close();
    assertThatThrownBy(answer::read).isInstanceOf(IOException.class);
    peer.readNext(FrameType.QUERY);
    assertThatThrownBy(() -> peer.read()).isInstanceOf(IOException.class);
  }

  @Test
  void givesUpASilentCollector() throws Exception {
    connect(300);
    InputStream answer = reader.query("{}");

    assertThatThrownBy(answer::read)
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("127.0.0.1:" + collector.port())
        .hasMessageContaining("nothing for 0.3 s");
  }

  @Test
  void reportsTheCollectorsReasonForARejection() throws Exception {
    CompletableFuture<CollectorReader> connecting = connecting(20_000);
    peer = collector.accept().reject(false, "the token is wrong");

    assertThatThrownBy(connecting::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage(
            "The collector at 127.0.0.1:" + collector.port() + " refuses: the token is wrong");
  }

  @Test
  void anHttpServerIsCalledSo() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answering =
          CompletableFuture.runAsync(
              () -> {
                try (Socket socket = server.accept()) {
                  socket.getInputStream().read();
                  socket
                      .getOutputStream()
                      .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                  socket.shutdownOutput();
                  socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });

      assertThatThrownBy(
              () -> CollectorReader.connect("127.0.0.1", server.getLocalPort(), "secret", null))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("an HTTP server answers")
          .hasMessageContaining("--listen");
      answering.join();
    }
  }

  @Test
  void aCollectorThatGoesAwayInTheMiddleIsAnError() throws Exception {
    connect(20_000);
    InputStream answer = reader.query("{}");
    QueryRequest ask = QueryRequest.decode(peer.readNext(FrameType.QUERY));
    piece(ask, QueryResult.State.MORE, "half");
    peer.close();

    assertThatThrownBy(answer::readAllBytes)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed the connection");
  }

  @Test
  void rejectsTheResultOfAnotherQuery() throws Exception {
    connect(20_000);
    InputStream answer = reader.query("{}");
    QueryRequest ask = QueryRequest.decode(peer.readNext(FrameType.QUERY));
    piece(new QueryRequest(ask.id() + 1, ""), QueryResult.State.LAST, "x");

    assertThatThrownBy(answer::read)
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("instead of " + ask.id());
  }

  @Test
  void reportsGarbageInsteadOfAResultOrWelcome() throws Exception {
    byte[] garbage = new byte[100];
    new Random(7).nextBytes(garbage);
    connect(20_000);
    InputStream answer = reader.query("{}");
    peer.readNext(FrameType.QUERY);
    peer.raw(garbage);

    assertThatThrownBy(answer::read)
        .isInstanceOf(IOException.class)
        .satisfies(e -> assertThat(e.getMessage()).isNotBlank().hasLineCount(1));

    CompletableFuture<CollectorReader> connecting = connecting(20_000);
    try (ScriptedCollector.Peer another = collector.accept().raw(garbage)) {
      assertThatThrownBy(connecting::join)
          .rootCause()
          .isInstanceOf(IOException.class)
          .satisfies(e -> assertThat(e.getMessage()).isNotBlank().hasLineCount(1));
      assertThat(another.hello().sourceKind()).isEqualTo(Hello.READER);
    }
  }

  @Test
  void reportsAMalformedWelcomeWithTheCollectorsName() throws Exception {
    byte[] later = new Welcome(2, 0, "/store", "host", "", "").encode();
    for (byte[] welcome : new byte[][] {{1}, later}) {
      CompletableFuture<CollectorReader> connecting = connecting(20_000);
      try (ScriptedCollector.Peer peer = collector.accept()) {
        peer.sendResult(FrameType.WELCOME, welcome);
        assertThatThrownBy(connecting::join)
            .cause()
            .hasStackTraceContaining(
                "127.0.0.1:" + collector.port() + " sends an invalid answer: it");
      }
    }
  }

  @Test
  void probeBelongsToNoRun() throws Exception {
    CompletableFuture<Welcome> probing =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return CollectorReader.probe("127.0.0.1", collector.port(), "secret", 20_000);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try (ScriptedCollector.Peer peer = collector.accept().welcome(0)) {
      assertThat(peer.hello().sourceKind()).isEqualTo(Hello.PROBE);
      assertThat(peer.hello().token()).isEqualTo("secret");
      assertThat(peer.hello().runName()).isEmpty();
      assertThat(probing.join().storeDirectory()).isEqualTo("/store");
    }
  }

  @Test
  void reportsAnUnreachableCollector() throws Exception {
    collector.goAway();

    assertThatThrownBy(() -> CollectorReader.connect("127.0.0.1", collector.port(), null, null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + collector.port() + " cannot be reached");
  }

  @Test
  void rejectsQueriesBeyondTheLimit() throws Exception {
    connect(20_000);

    assertThatThrownBy(() -> reader.query("x".repeat(QueryRequest.MAX_QUERY_BYTES + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(QueryRequest.MAX_QUERY_BYTES));
    assertThatThrownBy(() -> new QueryResult(1, QueryResult.State.LAST, new byte[(1 << 20) + 1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("several");
  }

  private void connect(int silenceTimeoutMillis) throws Exception {
    CompletableFuture<CollectorReader> connecting = connecting(silenceTimeoutMillis);
    peer = collector.accept().welcome(0);
    reader = connecting.join();
  }

  private CompletableFuture<CollectorReader> connecting(int silenceTimeoutMillis) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return CollectorReader.connect(
                "127.0.0.1", collector.port(), "secret", null, silenceTimeoutMillis);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void piece(QueryRequest ask, QueryResult.State state, String content) throws IOException {
    peer.sendResult(
        FrameType.QUERY_RESULT,
        new QueryResult(ask.id(), state, content.getBytes(StandardCharsets.UTF_8)).encode());
  }
}

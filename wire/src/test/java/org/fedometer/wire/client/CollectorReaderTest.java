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
import org.fedometer.wire.session.Answer;
import org.fedometer.wire.session.Ask;
import org.fedometer.wire.session.Hello;
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
  void readsAnAnswerInPiecesAndAsksAgain() throws Exception {
    connect(20_000);
    assertThat(peer.hello().sourceKind()).isEqualTo(Hello.READER);
    assertThat(peer.hello().token()).isEqualTo("secret");
    assertThat(peer.hello().runName()).isEmpty();
    assertThat(reader.welcome().storeDirectory()).isEqualTo("/store");

    InputStream answer = reader.ask("{\"ask\":\"runs\"}");
    Ask ask = Ask.decode(peer.readNext(FrameType.ASK));
    assertThat(ask.question()).isEqualTo("{\"ask\":\"runs\"}");
    piece(ask, Answer.State.MORE, "one ");
    peer.acknowledge(0);
    piece(ask, Answer.State.MORE, "");
    piece(ask, Answer.State.MORE, "two ");
    piece(ask, Answer.State.LAST, "three");
    assertThat(answer.read()).isEqualTo('o');
    assertThat(new String(answer.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("ne two three");
    assertThat(answer.read()).isEqualTo(-1);
    answer.close();

    InputStream next = reader.ask("{}");
    Ask other = Ask.decode(peer.readNext(FrameType.ASK));
    assertThat(other.id()).isNotEqualTo(ask.id());
    piece(other, Answer.State.LAST, "");
    assertThat(next.readAllBytes()).isEmpty();
  }

  @Test
  void aQuestionThatCannotBeAnsweredFailsInTheCollectorsWordsAndTheNextOneMayBeAsked()
      throws Exception {
    connect(20_000);
    InputStream answer = reader.ask("{}");
    Ask ask = Ask.decode(peer.readNext(FrameType.ASK));
    piece(ask, Answer.State.MORE, "half");
    piece(ask, Answer.State.FAILED, "there is no run \"x\"");

    assertThat(answer.readNBytes(4)).hasSize(4);
    assertThatThrownBy(answer::read)
        .isInstanceOf(IOException.class)
        .hasMessage("there is no run \"x\"");
    assertThatThrownBy(answer::read).hasMessage("there is no run \"x\"");
    answer.close();

    InputStream next = reader.ask("{}");
    piece(Ask.decode(peer.readNext(FrameType.ASK)), Answer.State.LAST, "y");
    assertThat(next.read()).isEqualTo('y');
  }

  @Test
  void oneQuestionAtATime() throws Exception {
    connect(20_000);
    InputStream answer = reader.ask("{}");

    assertThatThrownBy(() -> reader.ask("{}"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("to its end");
    answer.close();
    assertThatThrownBy(answer::read).isInstanceOf(IOException.class);
    peer.readNext(FrameType.ASK);
    assertThatThrownBy(() -> peer.read()).isInstanceOf(IOException.class);
  }

  @Test
  void aCollectorThatSaysNothingIsGivenUp() throws Exception {
    connect(300);
    InputStream answer = reader.ask("{}");

    assertThatThrownBy(answer::read)
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("127.0.0.1:" + collector.port())
        .hasMessageContaining("nothing for 0.3 s");
  }

  @Test
  void aRefusalIsToldInTheCollectorsWords() throws Exception {
    CompletableFuture<CollectorReader> connecting = connecting(20_000);
    peer = collector.accept().refuse(false, "the token is wrong");

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
          .hasMessageContaining("an HTTP server is there")
          .hasMessageContaining("--listen");
      answering.join();
    }
  }

  @Test
  void aCollectorThatGoesAwayInTheMiddleIsAnError() throws Exception {
    connect(20_000);
    InputStream answer = reader.ask("{}");
    Ask ask = Ask.decode(peer.readNext(FrameType.ASK));
    piece(ask, Answer.State.MORE, "half");
    peer.close();

    assertThatThrownBy(answer::readAllBytes)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed the connection");
  }

  @Test
  void anAnswerToAnotherQuestionIsAnError() throws Exception {
    connect(20_000);
    InputStream answer = reader.ask("{}");
    Ask ask = Ask.decode(peer.readNext(FrameType.ASK));
    piece(new Ask(ask.id() + 1, ""), Answer.State.LAST, "x");

    assertThatThrownBy(answer::read)
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("instead of " + ask.id());
  }

  @Test
  void garbageInPlaceOfAnAnswerOrAWelcomeIsAnErrorInOneSentence() throws Exception {
    byte[] garbage = new byte[100];
    new Random(7).nextBytes(garbage);
    connect(20_000);
    InputStream answer = reader.ask("{}");
    peer.readNext(FrameType.ASK);
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
  void aWelcomeThatIsNotUnderstoodIsToldOfWithTheCollectorsName() throws Exception {
    byte[] later = new Welcome(2, 0, "/store", "host", "", "").encode();
    for (byte[] welcome : new byte[][] {{1}, later}) {
      CompletableFuture<CollectorReader> connecting = connecting(20_000);
      try (ScriptedCollector.Peer peer = collector.accept()) {
        peer.answer(FrameType.WELCOME, welcome);
        assertThatThrownBy(connecting::join)
            .cause()
            .hasStackTraceContaining("127.0.0.1:" + collector.port() + " is not understood: it");
      }
    }
  }

  @Test
  void whoOnlyAsksWhoIsThereBelongsToNoRun() throws Exception {
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
  void nobodyThereIsSaidInOneSentence() throws Exception {
    collector.goAway();

    assertThatThrownBy(() -> CollectorReader.connect("127.0.0.1", collector.port(), null, null))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + collector.port() + " cannot be reached");
  }

  @Test
  void questionsBeyondTheLimitAreRefused() throws Exception {
    connect(20_000);

    assertThatThrownBy(() -> reader.ask("x".repeat(Ask.MAX_QUESTION_BYTES + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(Ask.MAX_QUESTION_BYTES));
    assertThatThrownBy(() -> new Answer(1, Answer.State.LAST, new byte[(1 << 20) + 1]))
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

  private void piece(Ask ask, Answer.State state, String content) throws IOException {
    peer.answer(
        FrameType.ANSWER,
        new Answer(ask.id(), state, content.getBytes(StandardCharsets.UTF_8)).encode());
  }
}

package org.fedometer.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.fedometer.attach.ControlChannel.Disconnected;
import org.fedometer.attach.ControlChannel.FrameReceived;
import org.fedometer.attach.ControlChannel.ReportReceived;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.Dictionary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which connections the port of a command accepts. */
class ControlChannelTest {
  private static final long TIMEOUT_MILLIS = 20_000;

  private ControlChannel channel;
  private int port;
  private String nonce;

  @BeforeEach
  void open() throws IOException {
    channel = ControlChannel.open();
    String[] reply = channel.reply().split("/");
    port = Integer.parseInt(reply[0]);
    nonce = reply[1];
  }

  @AfterEach
  void close() {
    channel.close();
  }

  @Test
  void receivesFromAnAgentUntilItDisconnects() throws Exception {
    try (Socket agent = connect()) {
      send(agent, report(nonce, AgentReport.State.WORKING, "weaving"));
      byte[] names = new Dictionary().put(1, "ingest").encode();
      send(agent, new Frame(FrameType.STAGES.code(), 7, names));
      send(agent, report(nonce, AgentReport.State.DONE, "woven"));
    }

    assertThat(received())
        .isInstanceOfSatisfying(
            ReportReceived.class,
            heard -> assertThat(heard.report().message()).isEqualTo("weaving"));
    assertThat(received())
        .isInstanceOfSatisfying(
            FrameReceived.class, heard -> assertThat(heard.frame().sequence()).isEqualTo(7));
    assertThat(received())
        .isInstanceOfSatisfying(
            ReportReceived.class,
            heard -> assertThat(heard.report().state()).isEqualTo(AgentReport.State.DONE));
    assertThat(received()).isInstanceOf(Disconnected.class);
  }

  @Test
  void eachCommandHasItsNonce() throws Exception {
    assertThat(nonce).matches("[0-9a-f]{32}");
    try (ControlChannel other = ControlChannel.open()) {
      assertThat(other.reply()).doesNotContain(nonce);
    }
  }

  @Test
  void disconnectsClientsWithoutTheNonceAndStillServesTheAgent() throws Exception {
    String wrong = "0".repeat(nonce.length());
    try (Socket stranger = connect();
        Socket silent = connect();
        Socket browser = connect();
        Socket impatient = connect()) {
      send(stranger, report(wrong, AgentReport.State.DONE, "all is well"));
      browser
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] names = new Dictionary().put(1, "ingest").encode();
      send(impatient, new Frame(FrameType.STAGES.code(), 1, names));
      for (Socket refused : List.of(stranger, browser, impatient)) {
        assertThat(isHungUpOn(refused)).isTrue();
      }
      assertThat(silent.isConnected()).isTrue();

      try (Socket agent = connect()) {
        send(agent, report(nonce, AgentReport.State.DONE, "woven"));
        assertThat(received())
            .isInstanceOfSatisfying(
                ReportReceived.class,
                heard -> assertThat(heard.report().message()).isEqualTo("woven"));
      }
    }
  }

  @Test
  void aCommandIsAnsweredByOneConnection() throws Exception {
    try (Socket agent = connect();
        Socket second = connect()) {
      send(agent, report(nonce, AgentReport.State.WORKING, "first"));
      assertThat(received()).isInstanceOf(ReportReceived.class);
      send(second, report(nonce, AgentReport.State.DONE, "second"));
      assertThat(isHungUpOn(second)).isTrue();
      send(agent, report(nonce, AgentReport.State.DONE, "third"));

      assertThat(received())
          .isInstanceOfSatisfying(
              ReportReceived.class,
              heard -> assertThat(heard.report().message()).isEqualTo("third"));
    }
  }

  @Test
  void stopsListeningWhenClosed() throws Exception {
    try (Socket agent = connect()) {
      send(agent, report(nonce, AgentReport.State.LIVE, ""));
      assertThat(received()).isInstanceOf(ReportReceived.class);
      channel.close();
      assertThat(isHungUpOn(agent)).isTrue();
    }
    assertThat(catchThrowable(this::connect)).isInstanceOf(IOException.class);
  }

  private ControlChannel.Event received() throws InterruptedException {
    return channel.next(TIMEOUT_MILLIS);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    socket.setSoTimeout((int) TIMEOUT_MILLIS);
    return socket;
  }

  private static boolean isHungUpOn(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  private static Frame report(String nonce, AgentReport.State state, String message) {
    AgentReport report = new AgentReport(nonce, state, message, Map.of(), List.of(), List.of());
    return Frame.session(FrameType.AGENT_REPORT, report.encode());
  }

  private static void send(Socket socket, Frame frame) throws IOException {
    frame.writeTo(socket.getOutputStream());
  }
}

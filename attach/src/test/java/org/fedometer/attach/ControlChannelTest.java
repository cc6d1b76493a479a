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
import org.fedometer.attach.ControlChannel.Copied;
import org.fedometer.attach.ControlChannel.HungUp;
import org.fedometer.attach.ControlChannel.Reported;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.AgentReport;
import org.fedometer.wire.session.Dictionary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may speak on the port that a command opens. */
class ControlChannelTest {
  private static final long PATIENCE_MILLIS = 20_000;

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
  void anAgentIsHeardUntilItHangsUp() throws Exception {
    try (Socket agent = connect()) {
      send(agent, report(nonce, AgentReport.State.WORKING, "weaving"));
      byte[] names = new Dictionary().put(1, "ingest").encode();
      send(agent, new Frame(FrameType.STAGES.code(), 7, names));
      send(agent, report(nonce, AgentReport.State.DONE, "woven"));
    }

    assertThat(heard())
        .isInstanceOfSatisfying(
            Reported.class, heard -> assertThat(heard.report().message()).isEqualTo("weaving"));
    assertThat(heard())
        .isInstanceOfSatisfying(
            Copied.class, heard -> assertThat(heard.frame().sequence()).isEqualTo(7));
    assertThat(heard())
        .isInstanceOfSatisfying(
            Reported.class,
            heard -> assertThat(heard.report().state()).isEqualTo(AgentReport.State.DONE));
    assertThat(heard()).isInstanceOf(HungUp.class);
  }

  @Test
  void eachCommandHasANonceOfItsOwn() throws Exception {
    assertThat(nonce).matches("[0-9a-f]{32}");
    try (ControlChannel other = ControlChannel.open()) {
      assertThat(other.reply()).doesNotContain(nonce);
    }
  }

  @Test
  void whoeverDoesNotKnowTheNonceIsHungUpOnAndTheAgentIsHeardAllTheSame() throws Exception {
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
        assertThat(heard())
            .isInstanceOfSatisfying(
                Reported.class, heard -> assertThat(heard.report().message()).isEqualTo("woven"));
      }
    }
  }

  @Test
  void aCommandIsAnsweredByOneConnection() throws Exception {
    try (Socket agent = connect();
        Socket second = connect()) {
      send(agent, report(nonce, AgentReport.State.WORKING, "first"));
      assertThat(heard()).isInstanceOf(Reported.class);
      send(second, report(nonce, AgentReport.State.DONE, "second"));
      assertThat(isHungUpOn(second)).isTrue();
      send(agent, report(nonce, AgentReport.State.DONE, "third"));

      assertThat(heard())
          .isInstanceOfSatisfying(
              Reported.class, heard -> assertThat(heard.report().message()).isEqualTo("third"));
    }
  }

  @Test
  void nobodyListensAfterwards() throws Exception {
    try (Socket agent = connect()) {
      send(agent, report(nonce, AgentReport.State.LIVE, ""));
      assertThat(heard()).isInstanceOf(Reported.class);
      channel.close();
      assertThat(isHungUpOn(agent)).isTrue();
    }
    assertThat(catchThrowable(this::connect)).isInstanceOf(IOException.class);
  }

  private ControlChannel.Heard heard() throws InterruptedException {
    return channel.next(PATIENCE_MILLIS);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    socket.setSoTimeout((int) PATIENCE_MILLIS);
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

package org.fedometer.agent.core.control;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.AgentReport;

/**
 * The agent's connection to the tool that gave a command and listens on this host. Ignores a tool
 * that has gone. One thread at a time.
 */
public final class ToolConnection implements AutoCloseable {

  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final int WRITE_BUFFER_BYTES = 64 * 1024;
  private static final int MAX_OPTIONS_BYTES = 1 << 20;

  private final String nonce;
  private final Socket socket;
  private final OutputStream out;

  private ToolConnection(String nonce, Socket socket, OutputStream out) {
    this.nonce = nonce;
    this.socket = socket;
    this.out = out;
  }

  /**
   * @param address PORT/NONCE of the tool; empty for none, then reports are discarded
   * @throws IllegalArgumentException if the address is malformed
   * @throws IOException if the connection is refused
   */
  public static ToolConnection to(String address) throws IOException {
    if (address.isEmpty()) {
      return new ToolConnection("", null, null);
    }
    int slash = address.indexOf('/');
    int port = slash < 1 ? 0 : portOf(address.substring(0, slash));
    String nonce = address.substring(slash + 1);
    int nonceBytes = nonce.getBytes(StandardCharsets.UTF_8).length;
    if (port == 0 || nonceBytes < 1 || nonceBytes > AgentReport.MAX_NONCE_BYTES) {
      throw new IllegalArgumentException(
          "reply="
              + address
              + " is not PORT/NONCE with a nonce of 1 to "
              + AgentReport.MAX_NONCE_BYTES
              + " bytes");
    }
    Socket socket = new Socket();
    try {
      socket.connect(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
          CONNECT_TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      return new ToolConnection(
          nonce, socket, new BufferedOutputStream(socket.getOutputStream(), WRITE_BUFFER_BYTES));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static int portOf(String text) {
    try {
      int port = Integer.parseInt(text);
      return port >= 1 && port <= 65535 ? port : 0;
    } catch (NumberFormatException notAPort) {
      return 0;
    }
  }

  /** Returns whether there is a tool. */
  public boolean isConnected() {
    return socket != null;
  }

  /**
   * Reads the options from the tool, after at least one report to it. Verifies the digest that came
   * with the command through the JVM: the tool may have gone, and another process may listen on its
   * port.
   *
   * @param sha256 of the text in UTF-8, in hexadecimal digits
   * @throws IOException with one sentence if the tool is silent for some seconds, sends too much,
   *     or disconnects
   * @throws IllegalArgumentException with one sentence if the text does not match the digest
   */
  public String readOptions(String sha256) throws IOException {
    socket.setSoTimeout(CONNECT_TIMEOUT_MILLIS);
    byte[] text;
    try {
      text = readText(new DataInputStream(socket.getInputStream()));
    } catch (SocketTimeoutException silent) {
      throw new IOException(
          "the tool has sent nothing for " + CONNECT_TIMEOUT_MILLIS + " ms", silent);
    } catch (EOFException gone) {
      throw new IOException("the tool has closed the connection", gone);
    }
    if (!sha256Of(text).equals(sha256)) {
      throw new IllegalArgumentException(
          "the received options differ from those announced with the command");
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private static byte[] readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_OPTIONS_BYTES) {
      throw new IOException("the tool sends options of " + length + " bytes, which is not allowed");
    }
    byte[] text = new byte[length];
    in.readFully(text);
    return text;
  }

  private static String sha256Of(byte[] text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return String.format("%064x", new BigInteger(1, digest));
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }

  /** Reports progress; ignores a lost connection. */
  public void working(String message) {
    reportIfConnected(
        AgentReport.State.WORKING,
        message,
        Collections.<String, String>emptyMap(),
        Collections.<AgentReport.Stage>emptyList(),
        Collections.<AgentReport.Stage>emptyList());
  }

  public void reject(String reason) {
    reportIfConnected(
        AgentReport.State.REFUSED,
        reason,
        Collections.<String, String>emptyMap(),
        Collections.<AgentReport.Stage>emptyList(),
        Collections.<AgentReport.Stage>emptyList());
  }

  public void done(
      String message,
      Map<String, String> facts,
      List<AgentReport.Stage> stages,
      List<AgentReport.Stage> captures) {
    reportIfConnected(AgentReport.State.DONE, message, facts, stages, captures);
  }

  /**
   * @throws IOException if the tool has gone
   */
  void live(Map<String, String> facts) throws IOException {
    report(
        AgentReport.State.LIVE,
        "",
        facts,
        Collections.<AgentReport.Stage>emptyList(),
        Collections.<AgentReport.Stage>emptyList());
  }

  /**
   * Sends a frame. Totals, which end a round, flush the earlier frames.
   *
   * @throws IOException if the tool has gone
   */
  void copy(Frame frame) throws IOException {
    frame.writeTo(out);
    if (frame.type() == FrameType.TOTALS) {
      out.flush();
    }
  }

  private void reportIfConnected(
      AgentReport.State state,
      String message,
      Map<String, String> facts,
      List<AgentReport.Stage> stages,
      List<AgentReport.Stage> captures) {
    try {
      report(state, message, facts, stages, captures);
    } catch (IOException toolIsGone) {
      // The command is carried out all the same.
    }
  }

  private void report(
      AgentReport.State state,
      String message,
      Map<String, String> facts,
      List<AgentReport.Stage> stages,
      List<AgentReport.Stage> captures)
      throws IOException {
    if (out != null) {
      AgentReport report = new AgentReport(nonce, state, message, facts, stages, captures);
      Frame.session(FrameType.AGENT_REPORT, report.encode()).writeTo(out);
      out.flush();
    }
  }

  @Override
  public void close() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      // Nothing is left to send.
    }
  }
}

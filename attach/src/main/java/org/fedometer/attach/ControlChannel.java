package org.fedometer.attach;

import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.AgentReport;

/**
 * The listener for an agent's replies to one command: a port of the loopback address, open during
 * the command, and a nonce known only to the agent. Connections without the nonce are closed.
 * Replies wait in a bounded queue; if it is full, the agent waits. One thread calls {@link #next}.
 */
final class ControlChannel implements AutoCloseable {
  private static final int NONCE_BYTES = 16;
  private static final int FIRST_FRAME_TIMEOUT_MILLIS = 10_000;
  private static final int BACKLOG = 8;
  private static final int MAX_CONNECTIONS = 8;
  private static final int QUEUE_CAPACITY = 256;
  private static final long ACCEPT_END_TIMEOUT_MILLIS = 1_000;

  sealed interface Event {}

  /** A report with the right nonce. */
  record ReportReceived(AgentReport report) implements Event {}

  /** A copy of a durable frame. */
  record FrameReceived(Frame frame) implements Event {}

  /** The agent's connection has ended, or its data was malformed; nothing follows. */
  record Disconnected(String reason) implements Event {}

  private final ServerSocket server;
  private final String nonce;
  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Socket> agent = new AtomicReference<>();
  private final Thread acceptThread;
  private volatile byte[] message;

  private ControlChannel(ServerSocket server, String nonce) {
    this.server = server;
    this.nonce = nonce;
    this.acceptThread = DaemonThreads.daemon("fedometer-control-accept", this::accept);
  }

  static ControlChannel open() throws IOException {
    byte[] random = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(random);
    ServerSocket server =
        new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    ControlChannel channel = new ControlChannel(server, HexFormat.of().formatHex(random));
    channel.acceptThread.start();
    return channel;
  }

  /** Returns {@code PORT/NONCE} for the agent. */
  String reply() {
    return server.getLocalPort() + "/" + nonce;
  }

  /**
   * Sends this text to the agent after its nonce; call before it can connect.
   *
   * @return SHA-256 of the text, in hexadecimal digits, by which the agent verifies it
   */
  String sendOnConnect(String text) {
    message = bytes(text);
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(message));
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }

  /** Returns null after the timeout. */
  Event next(long timeoutMillis) throws InterruptedException {
    return events.poll(Math.max(0, timeoutMillis), TimeUnit.MILLISECONDS);
  }

  /** Disconnects; the agent stops sending. No further connection is possible. */
  @Override
  public void close() {
    closeQuietly(server);
    try {
      // Linux listens on a closed socket until all threads have returned from it.
      acceptThread.join(ACCEPT_END_TIMEOUT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connections.forEach(ControlChannel::closeQuietly);
    // A reader that waits for space finds some, and then its socket closed.
    events.clear();
  }

  private void accept() {
    while (true) {
      Socket connection;
      try {
        connection = server.accept();
      } catch (IOException closed) {
        return;
      }
      connections.add(connection);
      if (connections.size() > MAX_CONNECTIONS || server.isClosed()) {
        disconnect(connection);
      } else {
        DaemonThreads.daemon("fedometer-control-read", () -> read(connection)).start();
      }
    }
  }

  private void read(Socket connection) {
    try {
      connection.setSoTimeout(FIRST_FRAME_TIMEOUT_MILLIS);
      FrameInput in = new FrameInput(connection.getInputStream(), Frame.MAX_BYTES);
      AgentReport first = report(in.read());
      if (first == null || !agent.compareAndSet(null, connection)) {
        return;
      }
      connection.setSoTimeout(0);
      if (message != null) {
        DataOutputStream out = new DataOutputStream(connection.getOutputStream());
        out.writeInt(message.length);
        out.write(message);
        out.flush();
      }
      put(new ReportReceived(first));
      while (!server.isClosed()) {
        handle(in.read());
      }
    } catch (IOException e) {
      if (connection == agent.get() && !server.isClosed()) {
        put(new Disconnected(FailureText.of(e)));
      }
    } finally {
      disconnect(connection);
    }
  }

  private void handle(Frame frame) throws MalformedFrameException {
    if (frame.sequence() > 0) {
      put(new FrameReceived(frame));
      return;
    }
    AgentReport report = report(frame);
    if (report != null) {
      put(new ReportReceived(report));
    }
  }

  /** Returns null for another frame, or one with another nonce. */
  private AgentReport report(Frame frame) throws MalformedFrameException {
    if (frame.type() != FrameType.AGENT_REPORT) {
      return null;
    }
    AgentReport report = AgentReport.decode(ByteBuffer.wrap(frame.payload()));
    return MessageDigest.isEqual(bytes(report.nonce()), bytes(nonce)) ? report : null;
  }

  private void put(Event what) {
    try {
      while (!server.isClosed() && !events.offer(what, 100, TimeUnit.MILLISECONDS)) {
        continue;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void disconnect(Socket connection) {
    connections.remove(connection);
    closeQuietly(connection);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      // The connection is no longer used.
    }
  }
}

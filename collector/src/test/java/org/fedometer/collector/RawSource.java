package org.fedometer.collector;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.UUID;
import javax.net.SocketFactory;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;

/** A source that sends exactly the test's data, valid or not. */
public final class RawSource implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final FrameInput in;
  private long lastDurableSequence;

  private RawSource(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new FrameInput(socket.getInputStream(), Frame.MAX_BYTES);
  }

  public static RawSource open(InetSocketAddress address) throws IOException {
    return open(address, SocketFactory.getDefault());
  }

  /**
   * @param sockets may speak TLS
   */
  public static RawSource open(InetSocketAddress address, SocketFactory sockets)
      throws IOException {
    Socket socket = sockets.createSocket();
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(address, TIMEOUT_MILLIS);
    return new RawSource(socket);
  }

  /**
   * @param from an address of this machine
   */
  public static RawSource openFrom(InetAddress from, InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(address, TIMEOUT_MILLIS);
    return new RawSource(socket);
  }

  public static RawSource connect(InetSocketAddress address, String runName) throws IOException {
    return connect(address, runName, UUID.randomUUID());
  }

  public static RawSource connect(InetSocketAddress address, String runName, UUID source)
      throws IOException {
    return connect(address, runName, source, 1);
  }

  /**
   * @param firstAvailable all frames before it were acknowledged and dropped by the source
   */
  static RawSource connect(
      InetSocketAddress address, String runName, UUID source, long firstAvailable)
      throws IOException {
    return open(address).introduced(runName, source, firstAvailable);
  }

  /** Introduces itself, and waits until it is welcome. */
  public RawSource introduced(String runName, UUID source, long firstAvailable) throws IOException {
    Hello hello =
        Hello.builder(source, "agent")
            .sourceName("raw")
            .firstAvailableSequence(firstAvailable)
            .runName(runName)
            .build();
    bytes(Frame.session(FrameType.HELLO, hello.encode()).toBytes());
    Frame answer = in.read();
    if (answer.type() != FrameType.WELCOME) {
      throw new IOException("Not welcome: " + answer.type());
    }
    lastDurableSequence = Welcome.decode(ByteBuffer.wrap(answer.payload())).lastDurableSequence();
    return this;
  }

  /** Returns the last durable sequence reported by the collector. */
  public long lastDurableSequence() {
    return lastDurableSequence;
  }

  public void bytes(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  public void frame(int typeCode, long sequence, byte[] payload) throws IOException {
    bytes(new Frame((byte) typeCode, sequence, payload).toBytes());
  }

  public boolean awaitAcknowledgement(long sequence) throws IOException {
    while (true) {
      Frame frame = in.read();
      if (frame.type() != FrameType.ACKNOWLEDGEMENT) {
        return false;
      }
      Acknowledgement answer = Acknowledgement.decode(ByteBuffer.wrap(frame.payload()));
      if (answer.lastDurableSequence() == sequence) {
        return true;
      }
    }
  }

  /** The same where the answer to HELLO has not been read yet. */
  public boolean awaitWelcomeAndAcknowledgement(long sequence) throws IOException {
    return in.read().type() == FrameType.WELCOME && awaitAcknowledgement(sequence);
  }

  /** The reason, in the collector's words. */
  public String awaitRefusal() throws IOException {
    while (true) {
      Frame frame = in.read();
      if (frame.type() == FrameType.REJECTED) {
        return Rejected.decode(ByteBuffer.wrap(frame.payload())).reason();
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

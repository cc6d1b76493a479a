package org.fedometer.wire.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import javax.net.ServerSocketFactory;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;

/** A collector whose every move the test makes, to see what a client does about it. */
public final class ScriptedCollector implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final ServerSocketFactory sockets;
  private ServerSocket server;

  public ScriptedCollector() throws IOException {
    this(ServerSocketFactory.getDefault());
  }

  /** One that may speak TLS. */
  public ScriptedCollector(ServerSocketFactory sockets) throws IOException {
    this.sockets = sockets;
    server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setSoTimeout(TIMEOUT_MILLIS);
  }

  public int port() {
    return server.getLocalPort();
  }

  public ClientOptions.Builder options() {
    return ClientOptions.builder("127.0.0.1", port());
  }

  /** The next connection, of which nothing is read. */
  public Socket acceptOnly() throws IOException {
    return server.accept();
  }

  /** The next connection, its HELLO read. */
  public Peer accept() throws IOException {
    return new Peer(server.accept());
  }

  /** Closes the port until {@link #comeBack()}. */
  public void goAway() throws IOException {
    server.close();
  }

  public void comeBack() throws IOException {
    int port = server.getLocalPort();
    server = sockets.createServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    server.setSoTimeout(TIMEOUT_MILLIS);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /** One connection of a client. */
  public static final class Peer implements AutoCloseable {
    private final Socket socket;
    private final FrameInput in;
    private final Hello hello;

    public Peer(Socket socket) throws IOException {
      this.socket = socket;
      socket.setSoTimeout(TIMEOUT_MILLIS);
      this.in = new FrameInput(socket.getInputStream(), Frame.MAX_BYTES);
      Frame first = in.read();
      if (first.type() != FrameType.HELLO || first.sequence() != 0) {
        throw new IOException("The first frame is not a HELLO");
      }
      this.hello = Hello.decode(ByteBuffer.wrap(first.payload()));
    }

    public Hello hello() {
      return hello;
    }

    public Peer welcome(long lastDurable) throws IOException {
      return sendResult(
          FrameType.WELCOME,
          new Welcome(1, lastDurable, "/store", "collector-host", "run", "ULID").encode());
    }

    public Peer acknowledge(long sequence) throws IOException {
      return acknowledge(sequence, "");
    }

    public Peer acknowledge(long sequence, String notice) throws IOException {
      return sendResult(FrameType.ACKNOWLEDGEMENT, new Acknowledgement(sequence, notice).encode());
    }

    public Peer reject(boolean passing, String reason) throws IOException {
      return sendResult(FrameType.REJECTED, new Rejected(passing, reason).encode());
    }

    public Peer sendResult(FrameType type, byte[] payload) throws IOException {
      return raw(Frame.session(type, payload).toBytes());
    }

    Peer raw(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      return this;
    }

    /** The next durable frame; questions for the time stay unanswered. */
    public Frame read() throws IOException {
      Frame frame;
      do {
        frame = in.read();
      } while (frame.sequence() == 0);
      return frame;
    }

    Frame readAny() throws IOException {
      return in.read();
    }

    /** The next frame must be of the type. */
    public ByteBuffer readNext(FrameType type) throws IOException {
      Frame frame = in.read();
      if (frame.type() != type) {
        throw new IOException("Not a " + type + " but a " + frame.type());
      }
      return ByteBuffer.wrap(frame.payload());
    }

    /** Returns whether no frame arrives for a while. */
    boolean isQuietFor(int millis) throws IOException {
      socket.setSoTimeout(millis);
      try {
        in.read();
        return false;
      } catch (SocketTimeoutException quiet) {
        return true;
      } finally {
        socket.setSoTimeout(TIMEOUT_MILLIS);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}

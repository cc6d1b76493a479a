package org.fedometer.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import javax.net.ServerSocketFactory;

/** A collector whose every move the test makes, to see what a client does about it. */
final class ScriptedCollector implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final ServerSocketFactory sockets;
  private ServerSocket server;

  ScriptedCollector() throws IOException {
    this(ServerSocketFactory.getDefault());
  }

  /** One that may speak TLS. */
  ScriptedCollector(ServerSocketFactory sockets) throws IOException {
    this.sockets = sockets;
    server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_MILLIS);
  }

  int port() {
    return server.getLocalPort();
  }

  ClientOptions.Builder options() {
    return ClientOptions.builder("127.0.0.1", port());
  }

  /** The next connection, of which nothing is read. */
  Socket acceptOnly() throws IOException {
    return server.accept();
  }

  /** The next connection, its HELLO read. */
  Peer accept() throws IOException {
    return new Peer(server.accept());
  }

  /** Nobody listens any more at the port until {@link #comeBack()}. */
  void goAway() throws IOException {
    server.close();
  }

  void comeBack() throws IOException {
    int port = server.getLocalPort();
    server = sockets.createServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    server.setSoTimeout(PATIENCE_MILLIS);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /** One connection of a client. */
  static final class Peer implements AutoCloseable {
    private final Socket socket;
    private final FrameInput in;
    private final Hello hello;

    Peer(Socket socket) throws IOException {
      this.socket = socket;
      socket.setSoTimeout(PATIENCE_MILLIS);
      this.in = new FrameInput(socket.getInputStream(), Frame.MAX_BYTES);
      Frame first = in.read();
      if (first.type() != FrameType.HELLO || first.sequence() != 0) {
        throw new IOException("The first frame is not a HELLO");
      }
      this.hello = Hello.decode(ByteBuffer.wrap(first.payload()));
    }

    Hello hello() {
      return hello;
    }

    Peer welcome(long lastDurable) throws IOException {
      return answer(
          FrameType.WELCOME,
          new Welcome(1, lastDurable, "/store", "collector-host", "run", "ULID").encode());
    }

    Peer acknowledge(long sequence) throws IOException {
      return acknowledge(sequence, "");
    }

    Peer acknowledge(long sequence, String notice) throws IOException {
      return answer(FrameType.ACKNOWLEDGEMENT, new Acknowledgement(sequence, notice).encode());
    }

    Peer refuse(boolean passing, String reason) throws IOException {
      return answer(FrameType.REFUSED, new Refused(passing, reason).encode());
    }

    Peer answer(FrameType type, byte[] payload) throws IOException {
      return raw(Frame.session(type, payload).toBytes());
    }

    Peer raw(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      return this;
    }

    /** The next durable frame; questions for the time stay unanswered. */
    Frame read() throws IOException {
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
    ByteBuffer readNext(FrameType type) throws IOException {
      Frame frame = in.read();
      if (frame.type() != type) {
        throw new IOException("Not a " + type + " but a " + frame.type());
      }
      return ByteBuffer.wrap(frame.payload());
    }

    /** Whether no frame comes for a while. */
    boolean isQuietFor(int millis) throws IOException {
      socket.setSoTimeout(millis);
      try {
        in.read();
        return false;
      } catch (SocketTimeoutException quiet) {
        return true;
      } finally {
        socket.setSoTimeout(PATIENCE_MILLIS);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}

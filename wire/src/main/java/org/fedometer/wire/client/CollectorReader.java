package org.fedometer.wire.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import javax.net.ssl.SSLException;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.QueryRequest;
import org.fedometer.wire.session.QueryResult;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;
import org.fedometer.wire.tls.TlsTrust;

/**
 * Sends queries to a collector, one after the other, on the calling thread. Holds one frame of a
 * result at a time: a collector that is faster than the reader waits. Not thread-safe, but any
 * thread may call {@link #close}, which ends a waiting read.
 *
 * <pre>{@code
 * try (CollectorReader reader =
 *     CollectorReader.connect("collector.example.org", 7447, token, trust)) {
 *   try (InputStream result = reader.query(query)) {
 *     ...
 *   }
 * }
 * }</pre>
 */
public final class CollectorReader implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MILLIS = 3_000;
  private static final int TLS_HANDSHAKE_TIMEOUT_MILLIS = 15_000;
  private static final int SILENCE_TIMEOUT_MILLIS = 60_000;

  private final String host;
  private final int port;
  private final String collector;
  private final int silenceTimeoutMillis;
  private final Socket socket = new Socket();

  /** Null for a plain connection. */
  private final TlsTrust tls;

  private OutputStream out;
  private FrameInput in;
  private Welcome welcome;
  private int lastId;
  private ResultStream openResult;

  private CollectorReader(String host, int port, TlsTrust tls, int silenceTimeoutMillis) {
    this.host = host;
    this.port = port;
    this.tls = tls;
    this.collector = "The collector at " + host + ":" + port;
    this.silenceTimeoutMillis = silenceTimeoutMillis;
  }

  /**
   * Connects and sends HELLO; waits at most 3 s for the connection.
   *
   * @param tokenOrNull secret shared with the collector, null or empty for none
   * @param tlsOrNull connects by TLS to a trusted collector; null for a plain connection
   * @throws IOException one sentence with the reason: not reached, no collector, rejected, no TLS,
   *     or not trusted
   */
  public static CollectorReader connect(
      String host, int port, String tokenOrNull, TlsTrust tlsOrNull) throws IOException {
    return connect(host, port, tokenOrNull, tlsOrNull, SILENCE_TIMEOUT_MILLIS);
  }

  /**
   * Connects as {@link #connect(String, int, String, TlsTrust)} does, with another silence timeout
   * than 60 s.
   *
   * @param silenceTimeoutMillis timeout of a read from the collector; 0 for none
   */
  public static CollectorReader connect(
      String host, int port, String tokenOrNull, TlsTrust tlsOrNull, int silenceTimeoutMillis)
      throws IOException {
    CollectorReader reader = new CollectorReader(host, port, tlsOrNull, silenceTimeoutMillis);
    try {
      reader.open(Hello.READER, tokenOrNull, CONNECT_TIMEOUT_MILLIS);
      return reader;
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /**
   * Checks whether a collector listens at an address, and returns its store and host.
   *
   * @param timeoutMillis for the connection, and again for the reply
   * @throws IOException one sentence, as in {@link #connect}
   */
  public static Welcome probe(String host, int port, String tokenOrNull, int timeoutMillis)
      throws IOException {
    try (CollectorReader reader = new CollectorReader(host, port, null, timeoutMillis)) {
      reader.open(Hello.PROBE, tokenOrNull, timeoutMillis);
      return reader.welcome();
    }
  }

  /** Returns the collector's store and host. Any thread. */
  public Welcome welcome() {
    return welcome;
  }

  /**
   * Sends a query and returns its result as a stream. A read throws an {@link IOException} with the
   * reason if the query fails, the connection breaks, or the silence timeout expires. Closing the
   * stream before its end closes the connection too, which is the only way to cancel a query.
   *
   * @param query JSON, at most {@link QueryRequest#MAX_QUERY_BYTES}
   * @throws IllegalStateException if the previous result has not been read to its end
   */
  public InputStream query(String query) throws IOException {
    if (openResult != null) {
      throw new IllegalStateException(
          "Only one query at a time: read the last result to its end first");
    }
    lastId++;
    byte[] request =
        Frame.session(FrameType.QUERY, new QueryRequest(lastId, query).encode()).toBytes();
    try {
      out.write(request);
    } catch (IOException e) {
      throw failed(e);
    }
    openResult = new ResultStream(lastId);
    return openResult;
  }

  /** Any thread. Closes the socket below TLS, so as not to wait for a stalled write. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing was being written.
    }
  }

  private void open(String kind, String tokenOrNull, int connectTimeoutMillis) throws IOException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IOException(collector + " cannot be found: unknown host " + host);
    }
    Hello hello =
        Hello.builder(UUID.randomUUID(), kind)
            .token(tokenOrNull == null ? "" : tokenOrNull)
            .nanos(System.nanoTime())
            .build();
    byte[] introduction = Frame.session(FrameType.HELLO, hello.encode()).toBytes();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Math.min(silenceTimeoutMillis, TLS_HANDSHAKE_TIMEOUT_MILLIS));
      socket.connect(address, connectTimeoutMillis);
      Socket stream = tls == null ? socket : tls.secure(socket, host, port);
      socket.setSoTimeout(silenceTimeoutMillis);
      out = stream.getOutputStream();
      out.write(introduction);
      in = new FrameInput(stream.getInputStream(), Frame.MAX_BYTES);
    } catch (IOException e) {
      throw new IOException(collector + " cannot be reached: " + e.getMessage(), e);
    }
    Frame response = read();
    try {
      welcome = Welcome.of(response);
    } catch (IOException e) {
      throw new IOException(collector + " sends an invalid answer: " + e.getMessage(), e);
    }
  }

  private Frame read() throws IOException {
    Frame frame;
    Rejected rejected = null;
    try {
      frame = in.read();
      if (frame.type() == FrameType.REJECTED) {
        rejected = Rejected.decode(ByteBuffer.wrap(frame.payload()));
      }
    } catch (IOException e) {
      throw failed(e);
    }
    if (rejected != null) {
      throw new CollectorRejectedException(collector, rejected);
    }
    return frame;
  }

  private IOException failed(IOException e) {
    if (e instanceof SocketTimeoutException) {
      return new IOException(
          collector + " has sent nothing for " + silenceTimeoutMillis / 1000.0 + " s", e);
    }
    if (e instanceof SSLException) {
      return new IOException(
          collector + " has closed the connection: " + tls.reasonAfterHandshake(e), e);
    }
    if (e instanceof EOFException) {
      return new IOException(collector + " has closed the connection", e);
    }
    return new IOException(collector + " does not answer: " + e.getMessage(), e);
  }

  /** A result's pieces as one stream. */
  private final class ResultStream extends InputStream {
    private final int id;
    private ByteBuffer piece = ByteBuffer.allocate(0);
    private IOException failure;
    private boolean last;

    ResultStream(int id) {
      this.id = id;
    }

    @Override
    public int read() throws IOException {
      return fill() ? piece.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int count = Math.min(length, piece.remaining());
      piece.get(target, offset, count);
      return count;
    }

    @Override
    public int available() {
      return piece.remaining();
    }

    @Override
    public void close() {
      if (!last) {
        CollectorReader.this.close();
      }
    }

    /** Waits for a byte; returns false at the end. */
    private boolean fill() throws IOException {
      if (failure != null) {
        throw failure;
      }
      try {
        while (!piece.hasRemaining() && !last) {
          accept(CollectorReader.this.read());
        }
      } catch (IOException e) {
        failure = e;
        throw e;
      }
      return piece.hasRemaining();
    }

    private void accept(Frame frame) throws IOException {
      if (frame.type() != FrameType.QUERY_RESULT) {
        return; // A keep-alive, or a frame of a later version.
      }
      QueryResult result = QueryResult.decode(ByteBuffer.wrap(frame.payload()));
      if (result.id() != id) {
        throw new MalformedFrameException(
            collector + " answers query " + result.id() + " instead of " + id);
      }
      if (result.state() != QueryResult.State.MORE) {
        last = true;
        openResult = null;
      }
      if (result.state() == QueryResult.State.FAILED) {
        throw new IOException(new String(result.content(), StandardCharsets.UTF_8));
      }
      piece = ByteBuffer.wrap(result.content());
    }
  }
}

package org.fedometer.wire.client;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameInput;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.ClockReply;
import org.fedometer.wire.session.ClockRequest;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Rejected;
import org.fedometer.wire.session.Welcome;

/**
 * One connection of a client: the sender connects and writes, a separate thread reads. Fields below
 * name those guarded by the client's lock; see {@link ClientState}.
 */
final class ClientConnection {
  private static final int HANDSHAKE_TIMEOUT_MILLIS = 15_000;
  private static final int SOCKET_BUFFER_BYTES = 256 * 1024;
  private static final int WRITE_BUFFER_BYTES = 64 * 1024;
  private static final int MAX_ANSWER_BYTES = 64 * 1024;
  private static final int READ_TIMEOUT_MILLIS = 500;

  /**
   * Shorter, since a frame counts as arrived if a read that started a second later found nothing.
   */
  private static final int ONE_WAY_READ_TIMEOUT_MILLIS = 250;

  /** How long a one-way connection must stay up after a frame for the frame to count as arrived. */
  private static final long ONE_WAY_ACKNOWLEDGEMENT_NANOS = 1_000_000_000;

  private static final int CHUNK_BYTES = 32 * 1024;

  private final ClientState state;
  private final ClientOptions options;
  private final ResumableReadSocket socket = new ResumableReadSocket();

  /** Value in HELLO; written by the sender alone, with the client's lock held. */
  private long firstAvailable;

  private Socket stream;
  private OutputStream out;
  private FrameInput in;

  /** Null with a collector; used by the sender only. */
  private OneWayProtocol.Conversation conversation;

  /** Sequences and times of one-way frames not yet acknowledged; guarded by the client's lock. */
  private final ArrayDeque<long[]> handedOver = new ArrayDeque<>();

  /** Time of the current write's last progress; 0 if nothing is being written. */
  private volatile long writingNanos;

  /**
   * True once the collector has sent WELCOME. Guarded by the client's lock, as is {@link #failure}.
   */
  private boolean welcome;

  private IOException failure;

  /** Guarded by the client's lock. */
  private final ClockExchange clocks;

  /**
   * Set when the reader ends, since it may fail to report its end; the sender checks it with the
   * next frame.
   */
  private volatile boolean readerEnded;

  private volatile boolean acknowledgedAny;
  private volatile long lastReceivedNanos;

  static final class RejectedException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Rejected rejected;

    RejectedException(Rejected rejected) {
      super(rejected.reason());
      this.rejected = rejected;
    }

    Rejected rejected() {
      return rejected;
    }
  }

  ClientConnection(ClientState state) {
    this.state = state;
    this.options = state.options;
    this.clocks =
        new ClockExchange(
            options.bootId(), TimeUnit.MILLISECONDS.toNanos(options.clockIntervalMillis()));
  }

  // ---- sender thread ----

  /** Blocks at most for the connect timeout and, with TLS, the handshake timeout. */
  void connect() throws IOException {
    InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
    if (address.isUnresolved()) {
      throw new IOException("unknown host " + options.host());
    }
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    socket.setSendBufferSize(SOCKET_BUFFER_BYTES);
    socket.connect(address, options.connectTimeoutMillis());
    stream = secured();
    out = new BufferedOutputStream(stream.getOutputStream(), WRITE_BUFFER_BYTES);
    in = new FrameInput(stream.getInputStream(), MAX_ANSWER_BYTES);
  }

  private Socket secured() throws IOException {
    if (options.tlsOrNull() == null) {
      return socket;
    }
    socket.setSoTimeout(HANDSHAKE_TIMEOUT_MILLIS);
    return options.tlsOrNull().secure(socket, options.host(), options.port());
  }

  Welcome handshake() throws IOException {
    // Created only now: it contains the current time, and connecting may have needed seconds.
    Hello hello = state.hello(firstAvailable);
    if (options.oneWayOrNull() != null) {
      return converse(hello);
    }
    socket.setSoTimeout(HANDSHAKE_TIMEOUT_MILLIS);
    Frame.session(FrameType.HELLO, hello.encode()).writeTo(out);
    out.flush();
    Frame response;
    try {
      response = in.read();
    } catch (SocketTimeoutException e) {
      throw new IOException(
          "no answer to HELLO within "
              + HANDSHAKE_TIMEOUT_MILLIS
              + " ms; check that it is a collector",
          e);
    } catch (MalformedFrameException e) {
      throw new IOException("the answer is not a collector's: " + e.getMessage(), e);
    } catch (SSLException e) {
      throw new IOException(options.tlsOrNull().reasonAfterHandshake(e), e);
    }
    if (response.type() == FrameType.REJECTED) {
      throw new RejectedException(Rejected.decode(ByteBuffer.wrap(response.payload())));
    }
    Welcome decoded = Welcome.of(response);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    if (options.tlsOrNull() != null) {
      socket.resumeReadsAfterTimeout(this::closeIfSilent);
    }
    markAlive();
    return decoded;
  }

  /**
   * Starts a one-way conversation. The receiver sends no reply, so this side creates the welcome.
   */
  private Welcome converse(Hello hello) throws IOException {
    conversation =
        options
            .oneWayOrNull()
            .begin(hello, stream, new ProgressTrackingOutput(stream.getOutputStream()));
    writingNanos = 0;
    socket.setSoTimeout(ONE_WAY_READ_TIMEOUT_MILLIS);
    socket.trackLiveness();
    if (options.tlsOrNull() != null) {
      socket.resumeReadsAfterTimeout(this::closeIfSilent);
    }
    List<Frame> names;
    long known;
    state.lock.lock();
    try {
      names = state.frames.dictionaries();
      known = state.frames.acknowledgedSequence();
    } finally {
      state.lock.unlock();
    }
    for (int newest = names.size() - 1; newest >= 0; newest--) {
      conversation.recall(names.get(newest));
    }
    return new Welcome(Hello.PROTOCOL_VERSION, known, "", "", "", "");
  }

  void startReader() {
    ClientThreads.daemon("fedometer-receiver", this::runReader).start();
  }

  void send(Frame frame) throws IOException {
    if (conversation == null) {
      frame.writeTo(out);
      return;
    }
    conversation.send(frame);
    writingNanos = 0;
    state.lock.lock();
    try {
      handedOver.add(new long[] {frame.sequence(), System.nanoTime()});
    } finally {
      state.lock.unlock();
    }
  }

  void flush() throws IOException {
    out.flush();
  }

  void requestClock() throws IOException {
    // Buffered frames would only delay the request.
    out.flush();
    long nowNanos;
    state.lock.lock();
    try {
      nowNanos = System.nanoTime();
      clocks.requestSent(nowNanos);
    } finally {
      state.lock.unlock();
    }
    Frame.session(FrameType.CLOCK_REQUEST, new ClockRequest(nowNanos).encode()).writeTo(out);
    out.flush();
  }

  /** Call after the socket is closed. */
  void endConversation() {
    if (conversation != null) {
      conversation.end();
    }
  }

  /** Returns whether the collector has acknowledged anything on this connection. */
  boolean hasAcknowledgements() {
    return acknowledgedAny;
  }

  private final class ProgressTrackingOutput extends FilterOutputStream {
    ProgressTrackingOutput(OutputStream socketOutput) {
      super(socketOutput);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int from = offset; from < offset + length; from += CHUNK_BYTES) {
        recordProgress();
        out.write(bytes, from, Math.min(CHUNK_BYTES, offset + length - from));
      }
      recordProgress();
    }

    private void recordProgress() {
      // 0 would mean that nothing is being written.
      writingNanos = System.nanoTime() | 1;
    }
  }

  // ---- reader thread ----

  private void runReader() {
    IOException reason = ClientThreads.OUT_OF_MEMORY;
    try {
      read();
    } catch (IOException e) {
      reason = e;
    } catch (RuntimeException | Error e) {
      reason = ClientThreads.unexpected(e);
    } finally {
      try {
        reportFailure(reason);
      } finally {
        // Needs no memory. Without it, frames would still be sent here and never be acknowledged.
        readerEnded = true;
      }
    }
  }

  private void reportFailure(IOException reason) {
    while (true) {
      try {
        fail(reason);
        return;
      } catch (Throwable outOfMemory) {
        // Even waiting for the client's lock needs memory.
        readerEnded = true;
        ClientThreads.pauseAfterError();
      }
    }
  }

  private void read() throws IOException {
    if (conversation != null) {
      readOneWay();
    }
    while (true) {
      try {
        Frame frame = in.read();
        markAlive();
        handle(frame);
      } catch (SocketTimeoutException e) {
        failIfSilent();
      }
    }
  }

  private void handle(Frame frame) throws IOException {
    FrameType type = frame.type();
    if (type == FrameType.ACKNOWLEDGEMENT) {
      state.onAcknowledgement(this, Acknowledgement.decode(ByteBuffer.wrap(frame.payload())));
    } else if (type == FrameType.CLOCK_REPLY) {
      ClockReply reply = ClockReply.decode(ByteBuffer.wrap(frame.payload()));
      state.onClockReply(this, reply, in.headerNanos());
    } else if (type == FrameType.REJECTED) {
      throw new RejectedException(Rejected.decode(ByteBuffer.wrap(frame.payload())));
    }
  }

  /** Discards all input from the receiver; detects a closed connection. */
  private void readOneWay() throws IOException {
    byte[] passedOver = new byte[1024];
    while (true) {
      try {
        if (stream.getInputStream().read(passedOver) < 0) {
          throw new IOException("the receiver has closed the connection");
        }
        failIfSilent();
      } catch (SocketTimeoutException e) {
        failIfSilent();
      }
    }
  }

  /** Runs below TLS, whose close would send an alert first and wait for a stalled write. */
  private void closeIfSilent() throws IOException {
    try {
      failIfSilent();
    } catch (IOException e) {
      fail(e);
      throw e;
    }
  }

  private void failIfSilent() throws IOException {
    if (conversation != null) {
      acknowledgeHandedOver();
      failIfWriteStalled();
      return;
    }
    long silentNanos = System.nanoTime() - lastReceivedNanos;
    if (silentNanos > TimeUnit.MILLISECONDS.toNanos(options.silenceTimeoutMillis())
        && state.awaitsAcknowledgement()) {
      throw new IOException(
          "no answer for " + options.silenceTimeoutMillis() + " ms; reconnecting");
    }
  }

  /** Acknowledges frames after which the connection has stayed up long enough. */
  private void acknowledgeHandedOver() {
    long lastAliveNanos = socket.lastAliveNanos();
    state.lock.lock();
    try {
      long arrived = 0;
      while (!handedOver.isEmpty()
          && lastAliveNanos - handedOver.peek()[1] >= ONE_WAY_ACKNOWLEDGEMENT_NANOS) {
        arrived = handedOver.poll()[0];
      }
      if (arrived > 0) {
        state.onHandedOver(this, arrived);
      }
    } finally {
      state.lock.unlock();
    }
  }

  private void failIfWriteStalled() throws IOException {
    long lastWriteNanos = writingNanos;
    if (lastWriteNanos != 0
        && System.nanoTime() - lastWriteNanos
            > TimeUnit.MILLISECONDS.toNanos(options.silenceTimeoutMillis())) {
      throw new IOException(
          "it has read nothing for " + options.silenceTimeoutMillis() + " ms; reconnecting");
    }
  }

  private void fail(IOException reason) {
    state.lock.lock();
    try {
      if (failure == null) {
        failure = reason;
      }
      state.senderWork.signalAll();
    } finally {
      state.lock.unlock();
    }
    close();
  }

  // ---- any thread ----

  /** Restarts the silence timeout. */
  void markAlive() {
    lastReceivedNanos = System.nanoTime();
  }

  void markAcknowledged() {
    acknowledgedAny = true;
  }

  /** Closes the socket below TLS, if any, so that this never waits for a stalled write. */
  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is lost: unacknowledged frames are kept.
    }
  }

  // ---- with the client's lock held ----

  /** Sets the value for the next HELLO; sender only. */
  void declare(long firstAvailableSequence) {
    firstAvailable = firstAvailableSequence;
  }

  long firstAvailable() {
    return firstAvailable;
  }

  void welcomed() {
    welcome = true;
  }

  boolean isWelcome() {
    return welcome;
  }

  IOException failureOrNull() {
    return failure;
  }

  void failIfBroken() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (readerEnded) {
      throw ClientThreads.OUT_OF_MEMORY;
    }
    if (state.isClosed()) {
      throw new IOException("closed");
    }
  }

  ClockExchange clocks() {
    return clocks;
  }

  /** Returns the wait before the next clock request; one way, none is ever sent. */
  long clockWaitNanos() {
    return conversation == null
        ? clocks.waitNanos(System.nanoTime(), state.isClockEstimateWanted())
        : ClockExchange.NEVER;
  }
}

package org.fedometer.wire;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends a source's frames to a collector and keeps each one until the collector has it on disk. Any
 * thread may offer frames; the connection is the business of two daemon threads.
 *
 * <pre>{@code
 * try (CollectorClient client = CollectorClient.open(options)) {
 *   client.offer(FrameType.STAGES, dictionary.encode()); // never blocks
 *   client.offer(FrameType.SAMPLES, samples.finish());
 *   client.awaitAcknowledged(10_000);
 * }
 * }</pre>
 *
 * <p>When the connection breaks, or the collector is silent while frames wait for their
 * acknowledgement, the client connects anew after a random pause of up to 100 ms that doubles to 10
 * s, learns what the collector has, and sends the rest again in order. A collector that knows less
 * than it once acknowledged has lost its store or is another one: the client counts the frames as
 * lost, sends its dictionaries again (of which it keeps up to 1 MiB), and goes on.
 *
 * <p>The client also asks for the collector's time, a few times after it was welcomed and then
 * every minute in which frames were offered, and sends what it learns as a {@link FrameType#CLOCK}
 * frame.
 *
 * <p>A refusal that does not pass (the run's name is taken) fails waiting callers at once; the
 * client still asks again every few seconds, as somebody may mend it.
 */
public final class CollectorClient implements AutoCloseable {
  private static final int FRAME_MEMORY_OVERHEAD_BYTES = 64;
  private static final int MAX_DICTIONARY_BYTES = 1024 * 1024;
  private static final int MIN_BACKOFF_MILLIS = 100;
  private static final int MAX_BACKOFF_MILLIS = 10_000;

  /** After a refusal the pause is up to 3.2 s. */
  private static final int REFUSED_DOUBLINGS = 5;

  private static final int HANDSHAKE_TIMEOUT_MILLIS = 15_000;
  private static final int SOCKET_BUFFER_BYTES = 256 * 1024;
  private static final int WRITE_BUFFER_BYTES = 64 * 1024;
  private static final int MAX_ANSWER_BYTES = 64 * 1024;

  private final ClientOptions options;
  private final Thread sender;

  /** Guards everything below; never held during input or output. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition senderWork = lock.newCondition();
  private final Condition progress = lock.newCondition();
  private final ArrayDeque<Frame> queued = new ArrayDeque<>();
  private final ArrayDeque<Frame> unacknowledged = new ArrayDeque<>();
  private final ArrayDeque<Frame> dictionaries = new ArrayDeque<>();
  private long dictionaryBytes;
  private long queuedBytes;
  private long nextSequence = 1;
  private long acknowledgedSequence;
  private long lossCountedUpToSequence;
  private long framesDropped;
  private long framesLost;
  private long connections;
  private Welcome welcome;
  private ClockEstimate clock;

  /** The caller has offered something since the last estimate was queued, and not ended the run. */
  private boolean worthDating;

  /**
   * Waits for the caller's next frame, since an estimate alone would open a run again; or for room.
   * A newer one takes its place: nothing is lost that would have to be counted.
   */
  private ClockEstimate heldClock;

  private String refusal;
  private String lastError = "";
  private Connection connection;
  private boolean closed;

  private CollectorClient(ClientOptions options) {
    this.options = options;
    this.sender = daemon("fedometer-sender", this::runSender);
  }

  /** Returns at once and connects in the background. */
  public static CollectorClient open(ClientOptions options) {
    CollectorClient client = new CollectorClient(options);
    client.sender.start();
    return client;
  }

  /**
   * Queues a frame; any thread, never blocks.
   *
   * @param type a durable one
   * @param payload at most {@link Frame#MAX_PAYLOAD_BYTES}; not copied, do not write to it again
   * @return false when there was no room: the frame is dropped and counted
   */
  public boolean offer(FrameType type, byte[] payload) {
    requireDurable(type);
    lock.lock();
    try {
      if (takeIfRoom(type, payload)) {
        return true;
      }
      framesDropped++;
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Queues a frame, and waits for room if there is none.
   *
   * @param type a durable one
   * @param payload at most {@link Frame#MAX_PAYLOAD_BYTES}; not copied, do not write to it again
   * @param timeoutMillis how long to wait at most
   * @throws IOException one sentence: no room in time and why, refused by the collector, or closed;
   *     the frame was not queued
   */
  public void send(FrameType type, byte[] payload, long timeoutMillis) throws IOException {
    requireDurable(type);
    if (memoryOf(payload) > options.maxQueuedBytes()) {
      throw new IOException(
          "A frame of "
              + payload.length
              + " bytes does not fit the client's queue of "
              + options.maxQueuedBytes());
    }
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (true) {
        failIfRefusedOrClosed();
        if (takeIfRoom(type, payload)) {
          return;
        }
        if (!awaitProgress(deadlineNanos)) {
          throw new IOException(
              collector()
                  + " did not take "
                  + queuedBytes
                  + " bytes within "
                  + timeoutMillis
                  + " ms"
                  + because());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until everything offered before this call is durable at the collector.
   *
   * @return false when the time ran out, the collector refuses this source, the client was closed
   *     or the thread interrupted (whose flag stays set)
   */
  public boolean awaitAcknowledged(long timeoutMillis) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      long target = nextSequence - 1;
      while (acknowledgedSequence < target) {
        if (closed || refusal != null || !awaitProgress(deadlineNanos)) {
          return false;
        }
      }
      return true;
    } catch (IOException interrupted) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the collector's first answer, and returns it; later calls return the newest one.
   *
   * @throws IOException one sentence: refused or not reached in time, and why
   */
  public Welcome awaitWelcome(long timeoutMillis) throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      while (true) {
        failIfRefusedOrClosed();
        if (welcome != null) {
          return welcome;
        }
        if (!awaitProgress(deadlineNanos)) {
          throw new IOException(
              collector() + " did not answer within " + timeoutMillis + " ms" + because());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  public ClientStatus status() {
    lock.lock();
    try {
      return new ClientStatus(
          connection != null && connection.welcome != null,
          queuedBytes,
          framesDropped,
          acknowledgedSequence,
          framesLost,
          connections,
          lastError,
          clock);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection and the threads without waiting; what is not acknowledged is given up. */
  @Override
  public void close() {
    Connection open;
    lock.lock();
    try {
      closed = true;
      open = connection;
      senderWork.signalAll();
      progress.signalAll();
    } finally {
      lock.unlock();
    }
    sender.interrupt();
    if (open != null) {
      open.close();
    }
  }

  private boolean takeIfRoom(FrameType type, byte[] payload) {
    if (!enqueueIfRoom(type, payload)) {
      return false;
    }
    worthDating = type != FrameType.CLOSE_RUN;
    queueHeldClock();
    return true;
  }

  private void queueHeldClock() {
    if (heldClock != null && worthDating && enqueueIfRoom(FrameType.CLOCK, heldClock.encode())) {
      worthDating = false;
      heldClock = null;
    }
  }

  private boolean enqueueIfRoom(FrameType type, byte[] payload) {
    long memory = memoryOf(payload);
    if (closed || queuedBytes + memory > options.maxQueuedBytes()) {
      return false;
    }
    queued.add(new Frame(type.code(), nextSequence, payload));
    nextSequence++;
    queuedBytes += memory;
    senderWork.signal();
    return true;
  }

  private boolean awaitProgress(long deadlineNanos) throws IOException {
    try {
      return progress.awaitNanos(deadlineNanos - System.nanoTime()) > 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for " + collector(), e);
    }
  }

  private void failIfRefusedOrClosed() throws IOException {
    if (closed) {
      throw new IOException("The connection to " + collector() + " has been closed");
    }
    if (refusal != null) {
      throw new IOException(collector() + " refuses this source: " + refusal);
    }
  }

  private String collector() {
    return "The collector at " + options.host() + ":" + options.port();
  }

  private String because() {
    return lastError.isEmpty() ? "" : ": " + lastError;
  }

  private static void requireDurable(FrameType type) {
    if (!type.durable()) {
      throw new IllegalArgumentException(type + " belongs to the session and is not for callers");
    }
  }

  private static long memoryOf(byte[] payload) {
    return payload.length + FRAME_MEMORY_OVERHEAD_BYTES;
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    // Not the creator's: inside Fedora's JVM that could be a web application's.
    thread.setContextClassLoader(CollectorClient.class.getClassLoader());
    return thread;
  }

  // ---- the sender's thread ----

  private void runSender() {
    int failures = 0;
    while (!isClosed()) {
      Connection attempt = new Connection();
      try {
        Hello hello = announce(attempt);
        attempt.connect();
        begin(attempt, attempt.handshake(hello));
        attempt.startReader();
        sendUntilBroken(attempt);
      } catch (IOException e) {
        noteFailure(attempt, e);
      } catch (InterruptedException e) {
        // Only close() interrupts.
        break;
      } catch (RuntimeException | Error e) {
        // Even short of memory: the next attempt may find more, and nobody else would begin one.
        noteFailure(attempt, new IOException("Unexpected: " + e, e));
      } finally {
        end(attempt);
      }
      failures = attempt.madeProgress() ? 0 : failures + 1;
      if (!pause(backoffMillis(failures))) {
        break;
      }
    }
  }

  private Hello announce(Connection attempt) throws IOException {
    lock.lock();
    try {
      connection = attempt;
      attempt.failIfBroken();
      return options.hello(acknowledgedSequence + 1);
    } finally {
      lock.unlock();
    }
  }

  /** Takes up work where the collector's disk ends. */
  private void begin(Connection fresh, Welcome answer) throws IOException {
    lock.lock();
    try {
      long durable = answer.lastDurableSequence();
      if (durable >= nextSequence) {
        throw new RefusedException(
            new Refused(
                false,
                "it knows frame "
                    + durable
                    + " of this source, which has only sent up to "
                    + (nextSequence - 1)
                    + "; is the source's UUID used twice?"));
      }
      while (!unacknowledged.isEmpty()) {
        queued.addFirst(unacknowledged.removeLast());
      }
      // Dictionaries on their second way, if the connection broke meanwhile.
      release(queued, acknowledgedSequence);
      if (durable < acknowledgedSequence) {
        resendDictionariesAfter(durable);
      }
      acknowledge(durable);
      fresh.welcome = answer;
      welcome = answer;
      refusal = null;
      lastError = "";
      heldClock = null; // Perhaps of another collector; this one is about to be asked.
      connections++;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts the kept dictionaries, with the sequences that they had, before all other frames. They lie
   * below what HELLO declared as available, where the collector expects gaps.
   */
  private void resendDictionariesAfter(long durable) {
    List<Frame> again = new ArrayList<>();
    for (Frame dictionary : dictionaries) {
      if (dictionary.sequence() > durable) {
        again.add(dictionary);
      }
    }
    if (acknowledgedSequence > lossCountedUpToSequence) {
      framesLost +=
          acknowledgedSequence - Math.max(durable, lossCountedUpToSequence) - again.size();
      lossCountedUpToSequence = acknowledgedSequence;
    }
    for (int i = again.size() - 1; i >= 0; i--) {
      queued.addFirst(again.get(i));
      queuedBytes += memoryOf(again.get(i).payload());
    }
  }

  private void sendUntilBroken(Connection current) throws IOException, InterruptedException {
    while (true) {
      if (clockWaitNanos(current) == 0) {
        askForTime(current);
      }
      Frame next = nextToSend(current);
      if (next == null) {
        current.out.flush();
        awaitWork(current);
      } else {
        next.writeTo(current.out);
      }
    }
  }

  private long clockWaitNanos(Connection current) {
    lock.lock();
    try {
      return current.clocks.waitNanos(System.nanoTime(), worthDating);
    } finally {
      lock.unlock();
    }
  }

  private void askForTime(Connection current) throws IOException {
    // What is written already would only delay the question.
    current.out.flush();
    long nowNanos;
    lock.lock();
    try {
      nowNanos = System.nanoTime();
      current.clocks.asked(nowNanos);
    } finally {
      lock.unlock();
    }
    Frame.session(FrameType.CLOCK_REQUEST, new ClockRequest(nowNanos).encode())
        .writeTo(current.out);
    current.out.flush();
  }

  private Frame nextToSend(Connection current) throws IOException {
    lock.lock();
    try {
      current.failIfBroken();
      Frame next = queued.poll();
      if (next != null) {
        if (unacknowledged.isEmpty()) {
          current.heard();
        }
        unacknowledged.add(next);
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void awaitWork(Connection current) throws IOException, InterruptedException {
    lock.lock();
    try {
      while (queued.isEmpty()) {
        current.failIfBroken();
        long waitNanos = current.clocks.waitNanos(System.nanoTime(), worthDating);
        if (waitNanos == 0) {
          return;
        }
        if (waitNanos == ClockExchange.NEVER) {
          senderWork.await();
        } else {
          senderWork.awaitNanos(waitNanos);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void noteFailure(Connection attempt, IOException failure) {
    lock.lock();
    try {
      // The reader's reason comes first: the sender only sees the socket closed.
      IOException cause = attempt.failure != null ? attempt.failure : failure;
      lastError = describe(cause);
      if (cause instanceof RefusedException) {
        refusal = ((RefusedException) cause).refused.passing() ? null : lastError;
      }
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static String describe(IOException failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private void end(Connection attempt) {
    lock.lock();
    try {
      connection = null;
    } finally {
      lock.unlock();
    }
    attempt.close();
  }

  private int backoffMillis(int failures) {
    lock.lock();
    try {
      int doublings = refusal != null ? REFUSED_DOUBLINGS : Math.min(Math.max(failures - 1, 0), 10);
      int ceiling = Math.min(MAX_BACKOFF_MILLIS, MIN_BACKOFF_MILLIS << doublings);
      return ThreadLocalRandom.current().nextInt(ceiling / 10, ceiling + 1);
    } finally {
      lock.unlock();
    }
  }

  private boolean pause(int millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  // ---- the reader's thread ----

  private void received(Connection from, Frame frame) throws IOException {
    FrameType type = frame.type();
    if (type == FrameType.ACKNOWLEDGEMENT) {
      Acknowledgement answer = Acknowledgement.decode(ByteBuffer.wrap(frame.payload()));
      lock.lock();
      try {
        if (connection == from) {
          if (answer.lastDurableSequence() >= nextSequence) {
            throw new IOException(
                "it acknowledges frame " + answer.lastDurableSequence() + ", which was never sent");
          }
          from.progressed = true;
          acknowledge(answer.lastDurableSequence());
          queueHeldClock();
          lastError = answer.notice();
          progress.signalAll();
        }
      } finally {
        lock.unlock();
      }
    } else if (type == FrameType.CLOCK_REPLY) {
      ClockReply reply = ClockReply.decode(ByteBuffer.wrap(frame.payload()));
      lock.lock();
      try {
        ClockEstimate estimate = from.clocks.replied(reply, from.in.headerNanos());
        if (estimate != null) {
          clock = estimate;
          heldClock = estimate;
          queueHeldClock();
        }
        senderWork.signal();
      } finally {
        lock.unlock();
      }
    } else if (type == FrameType.REFUSED) {
      throw new RefusedException(Refused.decode(ByteBuffer.wrap(frame.payload())));
    }
  }

  /** Lets go of every frame up to the sequence, wherever it waits. */
  private void acknowledge(long durable) {
    release(unacknowledged, durable);
    release(queued, durable);
    acknowledgedSequence = Math.max(acknowledgedSequence, durable);
  }

  private void release(ArrayDeque<Frame> frames, long durable) {
    while (!frames.isEmpty() && frames.peek().sequence() <= durable) {
      Frame frame = frames.poll();
      queuedBytes -= memoryOf(frame.payload());
      if (frame.sequence() > acknowledgedSequence) {
        keepIfDictionary(frame);
      }
    }
  }

  private void keepIfDictionary(Frame frame) {
    FrameType type = frame.type();
    if (type != FrameType.STAGES && type != FrameType.THREADS && type != FrameType.METRICS) {
      return;
    }
    dictionaries.add(frame);
    dictionaryBytes += frame.sizeBytes();
    Iterator<Frame> oldest = dictionaries.iterator();
    while (dictionaryBytes > MAX_DICTIONARY_BYTES) {
      dictionaryBytes -= oldest.next().sizeBytes();
      oldest.remove();
    }
  }

  private boolean awaitsAcknowledgement() {
    lock.lock();
    try {
      return !unacknowledged.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private void broken(Connection from, IOException failure) {
    lock.lock();
    try {
      if (from.failure == null) {
        from.failure = failure;
      }
      senderWork.signalAll();
    } finally {
      lock.unlock();
    }
    from.close();
  }

  /** The collector's refusal as an exception, on its way to whoever waits. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Refused refused;

    RefusedException(Refused refused) {
      super(refused.reason());
      this.refused = refused;
    }
  }

  /** One connection: made and written by the sender, read by a thread of its own. */
  private final class Connection {
    private static final int READ_TIMEOUT_MILLIS = 500;

    private final PatientSocket socket = new PatientSocket();
    private OutputStream out;
    private FrameInput in;

    /** Guarded by the client's lock, as is {@link #failure}. */
    private Welcome welcome;

    private IOException failure;

    /** Guarded likewise. */
    private final ClockExchange clocks =
        new ClockExchange(
            options.bootId(), TimeUnit.MILLISECONDS.toNanos(options.clockIntervalMillis()));

    private volatile boolean progressed;
    private volatile long lastHeardNanos;

    /** Blocks, at most for the connect timeout and, with TLS, the handshake's. */
    void connect() throws IOException {
      InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
      if (address.isUnresolved()) {
        throw new IOException("unknown host " + options.host());
      }
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.setSendBufferSize(SOCKET_BUFFER_BYTES);
      socket.connect(address, options.connectTimeoutMillis());
      Socket stream = secured();
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

    Welcome handshake(Hello hello) throws IOException {
      socket.setSoTimeout(HANDSHAKE_TIMEOUT_MILLIS);
      Frame.session(FrameType.HELLO, hello.encode()).writeTo(out);
      out.flush();
      Frame answer;
      try {
        answer = in.read();
      } catch (SocketTimeoutException e) {
        throw new IOException(
            "no answer to HELLO within " + HANDSHAKE_TIMEOUT_MILLIS + " ms: is it a collector?", e);
      } catch (MalformedFrameException e) {
        throw new IOException("the answer is not a collector's: " + e.getMessage(), e);
      }
      if (answer.type() == FrameType.REFUSED) {
        throw new RefusedException(Refused.decode(ByteBuffer.wrap(answer.payload())));
      }
      if (answer.type() != FrameType.WELCOME) {
        throw new IOException("the answer to HELLO is a frame of type " + answer.typeCode());
      }
      Welcome decoded = Welcome.decode(ByteBuffer.wrap(answer.payload()));
      if (decoded.protocolVersion() != Hello.PROTOCOL_VERSION) {
        throw new IOException(
            "it speaks protocol version "
                + decoded.protocolVersion()
                + ", this side "
                + Hello.PROTOCOL_VERSION);
      }
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      if (options.tlsOrNull() != null) {
        socket.goOnAfterTimeouts(this::breakIfSilent);
      }
      heard();
      return decoded;
    }

    void startReader() {
      daemon("fedometer-receiver", this::runReader).start();
    }

    private void runReader() {
      try {
        while (true) {
          try {
            Frame frame = in.read();
            heard();
            received(this, frame);
          } catch (SocketTimeoutException e) {
            failIfSilent();
          }
        }
      } catch (IOException e) {
        broken(this, e);
      } catch (RuntimeException | Error e) {
        broken(this, new IOException("Unexpected: " + e, e));
      }
    }

    /** Called below TLS, which would first say farewell, and wait for a write that hangs. */
    private void breakIfSilent() throws IOException {
      try {
        failIfSilent();
      } catch (IOException e) {
        broken(this, e);
        throw e;
      }
    }

    private void failIfSilent() throws IOException {
      long silentNanos = System.nanoTime() - lastHeardNanos;
      if (silentNanos > TimeUnit.MILLISECONDS.toNanos(options.silenceTimeoutMillis())
          && awaitsAcknowledgement()) {
        throw new IOException(
            "no sign of life for " + options.silenceTimeoutMillis() + " ms; connecting anew");
      }
    }

    void heard() {
      lastHeardNanos = System.nanoTime();
    }

    boolean madeProgress() {
      return progressed;
    }

    /** Call with the client's lock held. */
    void failIfBroken() throws IOException {
      if (failure != null) {
        throw failure;
      }
      if (closed) {
        throw new IOException("closed");
      }
    }

    /** Of the socket below TLS, if there is any: nothing may wait here for a write that hangs. */
    void close() {
      try {
        socket.close();
      } catch (IOException e) {
        // Nothing is left to lose: unacknowledged frames are kept.
      }
    }
  }
}

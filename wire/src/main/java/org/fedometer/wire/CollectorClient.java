package org.fedometer.wire;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;

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
 * <p>With a spool ({@link ClientOptions.Builder#spool}), frames for which memory has no room go to
 * files, written and read by a thread of their own. A frame is then in {@code queued} (and after
 * that in {@code unacknowledged}), or on disk, or in {@code overflow}, in that order of sequences;
 * what lies on disk stays there until it is acknowledged, even when it has been read back.
 *
 * <p>Memory that runs out (in Fedora's JVM it is Fedora that fills it) may break the connection,
 * and have a caller's frame thrown back by an {@link OutOfMemoryError}; of the frames that were
 * taken none is lost.
 *
 * <p>A refusal that does not pass (the run's name is taken) fails waiting callers at once; the
 * client still asks again every few seconds, as somebody may mend it.
 */
public final class CollectorClient implements AutoCloseable {
  /** How a wait for acknowledgements ended. */
  public enum Arrival {
    /**
     * All is durable at the collector. One way, where nobody says so, the connection has stood for
     * a second after all was handed over, see {@link OneWayProtocol}.
     */
    ACKNOWLEDGED,

    /** The time is over; to wait on may help. */
    NOT_YET,

    /**
     * The collector refuses this source, the client was closed, or the thread interrupted (whose
     * flag stays set): to wait on is of no use.
     */
    NEVER
  }

  private static final int FRAME_MEMORY_OVERHEAD_BYTES = 64;

  /** Of the longest frame. */
  private static final long MAX_FRAME_MEMORY =
      Frame.MAX_PAYLOAD_BYTES + FRAME_MEMORY_OVERHEAD_BYTES;

  private static final int MAX_DICTIONARY_BYTES = 1024 * 1024;
  private static final int MIN_BACKOFF_MILLIS = 100;
  private static final int MAX_BACKOFF_MILLIS = 10_000;

  private static final long TROUBLE_NANOS = 1_000_000_000;
  private static final long CLOSE_NANOS = 5_000_000_000L;
  private static final IOException OUT_OF_MEMORY = new IOException("out of memory");

  /** After a refusal the pause is up to 3.2 s. */
  private static final int REFUSED_DOUBLINGS = 5;

  private static final int HANDSHAKE_TIMEOUT_MILLIS = 15_000;

  /** Besides a client's own memory, while what another process left is sent on. */
  private static final long INHERITANCE_MEMORY_BYTES = 2 * MAX_FRAME_MEMORY;

  private static final int SOCKET_BUFFER_BYTES = 256 * 1024;
  private static final int WRITE_BUFFER_BYTES = 64 * 1024;
  private static final int MAX_ANSWER_BYTES = 64 * 1024;

  /** How long a connection must have stood after a frame for it to have arrived, one way. */
  private static final long HANDED_OVER_NANOS = 1_000_000_000;

  private final ClientOptions options;

  /** Null without a spool. */
  private final Spooler spooler;

  /**
   * What another process left and this client sends on, as that source; null for a client's own.
   */
  private final FrameSpool inheritance;

  /** Of frames queued and unacknowledged. */
  private final long queueLimitBytes;

  /** Of frames that wait to be written to the spool; 0 where none do. */
  private final long overflowLimitBytes;

  private final Thread sender;

  /** In a row; the sender's thread alone. */
  private int failures;

  /** Guards everything below; never held during input or output. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition senderWork = lock.newCondition();
  private final Condition progress = lock.newCondition();

  // Linked, not in arrays: an ArrayDeque that finds no memory to grow in is empty afterwards.
  private final LinkedList<Frame> queued = new LinkedList<>();
  private final LinkedList<Frame> unacknowledged = new LinkedList<>();
  private final LinkedList<Frame> dictionaries = new LinkedList<>();
  private long dictionaryBytes;
  private long queuedBytes;

  /** Newer than what is queued, and than what is on disk; empty without a spool. */
  private final LinkedList<Frame> overflow = new LinkedList<>();

  private long overflowBytes;

  /** The newest frame that was ever queued, or is lost, or was acknowledged unread. */
  private long queuedSequence;

  /** The newest frame that was ever written to the spool. */
  private long spooledSequence;

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
    this.inheritance = null;
    this.sender = daemon("fedometer-sender", this::runSender);
    if (options.spoolFolderOrNull() == null) {
      this.queueLimitBytes = options.maxQueuedBytes();
      this.overflowLimitBytes = 0;
      this.spooler = null;
    } else {
      // Half of the least memory that there may be holds the longest frame, but for its overhead.
      this.queueLimitBytes = options.maxQueuedBytes() / 2 + FRAME_MEMORY_OVERHEAD_BYTES;
      this.overflowLimitBytes = queueLimitBytes;
      this.spooler =
          new Spooler(
              new FrameSpool(
                  options.spoolFolderOrNull(), options.source(), options.maxSpooledBytes()),
              null);
    }
  }

  /** Sends on what another process left, then closes itself; takes no frames. */
  private CollectorClient(ClientOptions options, FrameSpool inheritance, Spooler parent) {
    this.options = options;
    this.inheritance = inheritance;
    this.sender = daemon("fedometer-sender", this::runSender);
    this.queueLimitBytes = INHERITANCE_MEMORY_BYTES;
    this.overflowLimitBytes = 0;
    this.spooler = new Spooler(inheritance, parent);
    this.acknowledgedSequence = inheritance.firstSequence() - 1;
    this.lossCountedUpToSequence = acknowledgedSequence;
    this.queuedSequence = acknowledgedSequence;
    this.spooledSequence = inheritance.lastSequence();
    this.nextSequence = spooledSequence + 1;
    for (Frame names : inheritance.names()) {
      dictionaries.add(names);
      dictionaryBytes += names.sizeBytes();
    }
  }

  /** Returns at once and connects in the background. */
  public static CollectorClient open(ClientOptions options) {
    CollectorClient client = new CollectorClient(options);
    client.start();
    return client;
  }

  private void start() {
    sender.start();
    if (spooler != null) {
      spooler.thread.start();
    }
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
    if (memoryOf(payload) > queueLimitBytes) {
      throw new IOException(
          "A frame of "
              + payload.length
              + " bytes does not fit the client's queue of "
              + queueLimitBytes);
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
                  + (queuedBytes + overflowBytes)
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
   * As {@link #awaitArrival}, for whoever waits once.
   *
   * @return whether it is {@link Arrival#ACKNOWLEDGED}
   */
  public boolean awaitAcknowledged(long timeoutMillis) {
    return awaitArrival(timeoutMillis) == Arrival.ACKNOWLEDGED;
  }

  /** Waits until everything offered before this call is durable at the collector. */
  public Arrival awaitArrival(long timeoutMillis) {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    lock.lock();
    try {
      long target = nextSequence - 1;
      while (acknowledgedSequence < target) {
        if (closed || refusal != null) {
          return Arrival.NEVER;
        }
        if (!awaitProgress(deadlineNanos)) {
          return Arrival.NOT_YET;
        }
      }
      return Arrival.ACKNOWLEDGED;
    } catch (IOException interrupted) {
      return Arrival.NEVER;
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

  /**
   * Looks into the spool's folder once more, as when it was opened, for what other clients have
   * left there since; sends it on. Returns at once; without a spool there is nothing to look for.
   */
  public void lookIntoSpool() {
    lock.lock();
    try {
      if (spooler != null) {
        spooler.lookFrom(System.nanoTime());
        spooler.work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the other side says what it has; a receiver that is told one way does not. */
  public boolean peerAnswers() {
    return options.oneWayOrNull() == null;
  }

  /** How the client fares now; any thread, and after {@link #close}, too. */
  public ClientStatus status() {
    lock.lock();
    try {
      ClientStatus.Draft now = new ClientStatus.Draft();
      now.connected = connection != null && connection.welcome != null;
      now.refused = refusal != null;
      now.queuedBytes = queuedBytes + overflowBytes;
      now.framesDropped = framesDropped;
      now.framesAcknowledged = acknowledgedSequence;
      now.framesLost = framesLost;
      now.connections = connections;
      now.lastError = lastError;
      now.clock = clock;
      now.framesUnsaved = nextSequence - 1 - Math.max(acknowledgedSequence, spooledSequence);
      now.spooledBytes = spooler == null ? 0 : spooler.bytes();
      now.spoolError = spooler == null ? "" : spooler.error();
      return new ClientStatus(now);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the connection and the threads without waiting; what is not acknowledged is given up. With
   * a spool it goes there instead, for which this waits up to 5 s.
   */
  @Override
  public void close() {
    CollectorClient forwarder = beginClosing();
    long deadlineNanos = System.nanoTime() + CLOSE_NANOS;
    if (forwarder != null) {
      forwarder.beginClosing();
      forwarder.spooler.awaitEnd(deadlineNanos);
    }
    if (spooler != null) {
      spooler.awaitEnd(deadlineNanos);
    }
  }

  /** Waits for nothing; returns the client that sends on what others left, or null. */
  private CollectorClient beginClosing() {
    Connection open;
    CollectorClient forwarder = null;
    lock.lock();
    try {
      closed = true;
      open = connection;
      senderWork.signalAll();
      progress.signalAll();
      if (spooler != null) {
        spooler.work.signalAll();
        forwarder = spooler.forwarder;
      }
    } finally {
      lock.unlock();
    }
    sender.interrupt();
    if (open != null) {
      open.close();
    }
    return forwarder;
  }

  private boolean takeIfRoom(FrameType type, byte[] payload) {
    if (!enqueueIfRoom(type, payload)) {
      return false;
    }
    worthDating = type != FrameType.CLOSE_RUN;
    try {
      queueHeldClock();
    } catch (OutOfMemoryError full) {
      // The frame is taken all the same; the estimate waits for the next one.
    }
    return true;
  }

  private void queueHeldClock() {
    if (heldClock != null && worthDating && enqueueIfRoom(FrameType.CLOCK, heldClock.encode())) {
      worthDating = false;
      heldClock = null;
    }
  }

  private boolean enqueueIfRoom(FrameType type, byte[] payload) {
    if (closed || inheritance != null) {
      return false;
    }
    long memory = memoryOf(payload);
    Frame frame = new Frame(type.code(), nextSequence, payload);
    if (queuedSequence == nextSequence - 1 && queuedBytes + memory <= queueLimitBytes) {
      enqueue(frame);
    } else if (overflowBytes + memory <= overflowLimitBytes) {
      overflow.add(frame);
      overflowBytes += memory;
      spooler.frameWaits();
    } else {
      if (spooler != null) {
        spooler.roomIsWanted();
      }
      return false;
    }
    nextSequence++;
    return true;
  }

  private void enqueue(Frame frame) {
    queued.add(frame);
    queuedBytes += memoryOf(frame.payload());
    queuedSequence = frame.sequence();
    senderWork.signal();
  }

  /** Queues what waits in memory, once nothing on disk comes before it. */
  private void enqueueOverflow() {
    while (!overflow.isEmpty()
        && spooledSequence <= queuedSequence
        && queuedBytes + memoryOf(overflow.peek().payload()) <= queueLimitBytes) {
      Frame next = overflow.peek();
      enqueue(next);
      overflow.remove();
      overflowBytes -= memoryOf(next.payload());
    }
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
    return (options.oneWayOrNull() == null ? "The collector at " : "The receiver at ")
        + options.host()
        + ":"
        + options.port();
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
    while (!isClosed()) {
      try {
        connectOnceAndSend();
      } catch (Throwable nothingLeftToSayItWith) {
        // Even what handles errors needs memory; nobody else would begin another attempt.
        LockSupport.parkNanos(TROUBLE_NANOS);
      }
    }
    if (options.oneWayOrNull() != null) {
      options.oneWayOrNull().forget(source());
    }
  }

  private UUID source() {
    return inheritance == null ? options.source() : inheritance.source();
  }

  private void connectOnceAndSend() {
    Connection attempt = null;
    try {
      attempt = new Connection();
      Hello hello = announce(attempt);
      attempt.connect();
      begin(attempt, attempt.handshake(hello));
      attempt.startReader();
      sendUntilBroken(attempt);
    } catch (IOException e) {
      noteFailure(attempt, e);
    } catch (InterruptedException e) {
      // Only close() interrupts.
      return;
    } catch (RuntimeException | Error e) {
      noteFailure(attempt, unexpected(e));
    } finally {
      end(attempt);
    }
    failures = attempt != null && attempt.madeProgress() ? 0 : failures + 1;
    pause(backoffMillis());
  }

  private Hello announce(Connection attempt) throws IOException {
    lock.lock();
    try {
      connection = attempt;
      attempt.failIfBroken();
      attempt.firstAvailable = firstAvailableSequence();
      Hello hello = options.hello(attempt.firstAvailable);
      return inheritance == null ? hello : inheritance.helloLike(hello, attempt.firstAvailable);
    } finally {
      lock.unlock();
    }
  }

  /** Usually the one after the last acknowledged; frames that were lost on disk lie between. */
  private long firstAvailableSequence() {
    for (LinkedList<Frame> frames : Arrays.asList(unacknowledged, queued)) {
      for (Frame frame : frames) {
        if (frame.sequence() > acknowledgedSequence) {
          return frame.sequence();
        }
      }
    }
    return Math.max(acknowledgedSequence, queuedSequence) + 1;
  }

  /** Takes up work where the collector's disk ends. */
  private void begin(Connection fresh, Welcome answer) throws IOException {
    lock.lock();
    try {
      long durable = answer.lastDurableSequence();
      if (inheritance != null) {
        // The process may have sent more than it had on disk.
        nextSequence = Math.max(nextSequence, durable + 1);
      }
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
        queued.addFirst(unacknowledged.getLast());
        unacknowledged.removeLast();
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
      if (spooler != null) {
        spooler.work.signal();
      }
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
        current.send(next);
      }
    }
  }

  private long clockWaitNanos(Connection current) {
    lock.lock();
    try {
      return current.clockWaitNanos();
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
      if (!maySend(current)) {
        return null;
      }
      if (unacknowledged.isEmpty()) {
        current.heard();
      }
      Frame next = queued.peek();
      unacknowledged.add(next);
      queued.remove();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether there is a frame to send. Behind frames that were lost on disk that is so only when all
   * before them is acknowledged, and after a HELLO that says so.
   */
  private boolean maySend(Connection current) throws IOException {
    Frame next = queued.peek();
    if (next == null) {
      return false;
    }
    long before = Math.max(acknowledgedSequence, current.firstAvailable - 1);
    if (!unacknowledged.isEmpty()) {
      before = Math.max(before, unacknowledged.peekLast().sequence());
    }
    if (next.sequence() <= before + 1) {
      return true;
    }
    if (unacknowledged.isEmpty()) {
      throw new IOException(
          "frames " + (before + 1) + " to " + (next.sequence() - 1) + " are lost; connecting anew");
    }
    return false;
  }

  private void awaitWork(Connection current) throws IOException, InterruptedException {
    lock.lock();
    try {
      while (!maySend(current)) {
        current.failIfBroken();
        long waitNanos = current.clockWaitNanos();
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
      IOException cause = attempt != null && attempt.failure != null ? attempt.failure : failure;
      lastError = describe(cause);
      if (cause instanceof RefusedException) {
        refusal = ((RefusedException) cause).refused.passing() ? null : lastError;
      }
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Needs no memory where there is none. */
  private static IOException unexpected(Throwable e) {
    return e instanceof OutOfMemoryError ? OUT_OF_MEMORY : new IOException("Unexpected: " + e, e);
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
    if (attempt != null) {
      attempt.close();
      attempt.endConversation();
    }
  }

  private int backoffMillis() {
    lock.lock();
    try {
      int doublings = refusal != null ? REFUSED_DOUBLINGS : Math.min(Math.max(failures - 1, 0), 10);
      int ceiling = Math.min(MAX_BACKOFF_MILLIS, MIN_BACKOFF_MILLIS << doublings);
      return ThreadLocalRandom.current().nextInt(ceiling / 10, ceiling + 1);
    } finally {
      lock.unlock();
    }
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      // Only close() interrupts.
    }
  }

  private String refusalOrNull() {
    lock.lock();
    try {
      return refusal;
    } finally {
      lock.unlock();
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
        if (connection == from) {
          ClockEstimate estimate = from.clocks.replied(reply, from.in.headerNanos());
          if (estimate != null) {
            clock = estimate;
            heldClock = estimate;
            queueHeldClock();
          }
          senderWork.signal();
        }
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
    queuedSequence = Math.max(queuedSequence, acknowledgedSequence);
    if (spooler != null) {
      enqueueOverflow();
      senderWork.signal(); // It may have waited for this at a gap.
      spooler.acknowledged();
    }
  }

  private void release(LinkedList<Frame> frames, long durable) {
    while (!frames.isEmpty() && frames.peek().sequence() <= durable) {
      Frame frame = frames.peek();
      if (frame.sequence() > acknowledgedSequence) {
        keepIfDictionary(frame);
      }
      frames.remove();
      queuedBytes -= memoryOf(frame.payload());
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

  // ---- the spool's thread ----

  private static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoomException(String message) {
      super(message);
    }
  }

  /** Moves frames from memory to disk and back; on a thread of its own, which alone does so. */
  private final class Spooler implements Runnable {
    private static final long RETRY_NANOS = 1_000_000_000L;

    /** After a look that found files which could not be read. */
    private static final long LOOK_AGAIN_NANOS = 5_000_000_000L;

    private final FrameSpool spool;

    /** For whose client this one sends on what it has; null for a client's own. */
    private final Spooler parent;

    private final Thread thread = daemon("fedometer-spool", this);

    /** Guarded by the client's lock, as all below. */
    private final Condition work = lock.newCondition();

    /** Of other processes, to be sent on one after the other; linked, as the frames are. */
    private final LinkedList<FrameSpool> abandoned = new LinkedList<>();

    /** Sends on the one that was taken from them; null if none. */
    private CollectorClient forwarder;

    private FrameSpool forwarded;

    /** The folder is to be looked into for what other processes left, from that time on. */
    private boolean lookDue;

    private long lookFromNanos;

    /** A frame found the overflow too full for it. */
    private boolean roomWanted;

    private String writeError = "";

    /** Whether that is for want of room, which is no error once nothing waits for room. */
    private boolean writeFoundNoRoom;

    /** What could not be read, and never will be. */
    private String readError = "";

    /** What the last look into the folder could not read. */
    private String lookError = "";

    private boolean retrying;
    private long retryAtNanos;

    Spooler(FrameSpool spool, Spooler parent) {
      this.spool = spool;
      this.parent = parent;
      this.lookDue = parent == null;
      this.lookFromNanos = System.nanoTime();
    }

    /** Call with the lock held. */
    long bytes() {
      return spool.bytes() + foreignBytes();
    }

    private long foreignBytes() {
      long sum = forwarded == null ? 0 : forwarded.bytes();
      for (FrameSpool other : abandoned) {
        sum += other.bytes();
      }
      return sum;
    }

    /** Call with the lock held. */
    String error() {
      if (!writeError.isEmpty() && !(writeFoundNoRoom && overflow.isEmpty())) {
        return writeError;
      }
      String refused = forwarder == null ? null : forwarder.refusalOrNull();
      if (refused != null) {
        return "the collector refuses what " + forwarded.source() + " left there: " + refused;
      }
      return lookError.isEmpty() ? readError : lookError;
    }

    /** Call with the lock held. */
    void lookFrom(long nanos) {
      lookDue = true;
      lookFromNanos = nanos;
    }

    /** Call with the lock held. */
    void frameWaits() {
      if (mayWrite()) {
        work.signal();
      }
    }

    /** A frame did not fit the overflow. Call with the lock held. */
    void roomIsWanted() {
      roomWanted = true;
      frameWaits();
    }

    /** Call with the lock held. */
    void acknowledged() {
      if (spool.bytes() > 0 || spooledSequence > queuedSequence) {
        work.signal();
      }
    }

    @Override
    public void run() {
      try {
        while (!isClosed()) {
          try {
            roundThatSurvives();
          } catch (RuntimeException | Error nothingLeftToSayItWith) {
            // Even what handles errors needs memory.
            LockSupport.parkNanos(TROUBLE_NANOS);
          }
        }
        saveRest();
      } catch (InterruptedException e) {
        // Nobody interrupts this thread; if somebody does, it ends with what is on disk.
      } finally {
        spool.close();
        for (FrameSpool other : abandoned) {
          other.close();
        }
        if (parent != null) {
          parent.forwarderEnded(status());
        }
      }
    }

    private void roundThatSurvives() throws InterruptedException {
      try {
        round();
      } catch (RuntimeException | Error e) {
        // Short of memory, most likely: a later round may find more, the very next one would not.
        failed(unexpected(e));
        LockSupport.parkNanos(TROUBLE_NANOS);
      }
    }

    private void lookForAbandoned() {
      boolean looked = false;
      try {
        ClientOptions.checkSpoolFolder(options.spoolFolderOrNull());
        take(AbandonedSpools.in(options.spoolFolderOrNull()));
        looked = true;
      } catch (IOException e) {
        failed(e);
      } finally {
        if (!looked) {
          lookIntoSpool();
        }
      }
    }

    private void take(AbandonedSpools found) {
      List<FrameSpool> spools = found.spools();
      int taken = 0;
      lock.lock();
      try {
        String putAside = String.join("; ", found.putAside());
        String unread = String.join("; ", found.unread());
        while (taken < spools.size()) {
          abandoned.add(spools.get(taken));
          taken++;
        }
        if (!putAside.isEmpty()) {
          readError = putAside;
        }
        lookError = unread;
        if (!unread.isEmpty()) {
          lookFrom(System.nanoTime() + LOOK_AGAIN_NANOS);
        }
        writeError = "";
        retrying = false;
      } finally {
        lock.unlock();
        // Short of memory, if any is left: the next look finds what nobody holds any more.
        for (int rest = taken; rest < spools.size(); rest++) {
          spools.get(rest).close();
        }
      }
    }

    /** Does what there is to do, or waits for it. */
    private void round() throws InterruptedException {
      long acknowledged;
      List<Frame> unwritten;
      boolean looking;
      lock.lock();
      try {
        // Asked before: what comes due in between is then work, and nothing to wait for.
        long waitNanos = nanosToNextTry();
        while (!closed && !hasWork()) {
          if (waitNanos > 0) {
            work.awaitNanos(waitNanos);
          } else {
            work.await();
          }
          waitNanos = nanosToNextTry();
        }
        if (closed) {
          return;
        }
        looking = mayLook();
        lookDue &= !looking;
        acknowledged = releasableSequence();
        unwritten = mayWrite() ? unwritten() : new ArrayList<>();
        roomWanted = false;
      } finally {
        lock.unlock();
      }
      if (looking) {
        lookForAbandoned();
      }
      release(acknowledged);
      readBack();
      write(unwritten, Long.MAX_VALUE);
      forward();
    }

    private boolean hasWork() {
      return mayLook()
          || spool.canRelease(releasableSequence())
          || mayRead()
          || mayWrite()
          || mayForward();
    }

    /** Until something is to be tried again; 0 or less if nothing is. */
    private long nanosToNextTry() {
      long nowNanos = System.nanoTime();
      long retryNanos = retrying ? retryAtNanos - nowNanos : 0;
      long lookNanos = lookDue ? lookFromNanos - nowNanos : 0;
      return retryNanos > 0 && lookNanos > 0
          ? Math.min(retryNanos, lookNanos)
          : Math.max(retryNanos, lookNanos);
    }

    private boolean mayLook() {
      return lookDue && mayTry() && System.nanoTime() - lookFromNanos >= 0;
    }

    /** Whether what failed last is to be tried again by now. */
    private boolean mayTry() {
      return !retrying || System.nanoTime() - retryAtNanos >= 0;
    }

    /** Once there is nothing more to send on, files of which the last frames are lost go, too. */
    private long releasableSequence() {
      boolean isAllSentOn =
          parent != null
              && queued.isEmpty()
              && unacknowledged.isEmpty()
              && queuedSequence == nextSequence - 1;
      return isAllSentOn ? queuedSequence : acknowledgedSequence;
    }

    /** The overflow is allowed half of its room, so that writing it has the other half's time. */
    private boolean mayWrite() {
      long allowedBytes = roomWanted ? 0 : overflowLimitBytes / 2;
      return overflowBytes > allowedBytes && mayTry();
    }

    /**
     * For any frame, since how long the next one is stands on disk. What another process left may
     * have holes where the collector has the frames: only its welcome tells which are lost.
     */
    private boolean mayRead() {
      return (parent == null || welcome != null)
          && spooledSequence > queuedSequence
          && queuedBytes + MAX_FRAME_MEMORY <= queueLimitBytes;
    }

    private boolean mayForward() {
      return forwarder == null
          && !abandoned.isEmpty()
          && connection != null
          && connection.welcome != null;
    }

    /**
     * All that is only in memory, and not only the overflow: what is queued is older, and a process
     * that is killed shall not leave frames on disk without those before them.
     */
    private List<Frame> unwritten() {
      List<Frame> frames = new ArrayList<>();
      for (LinkedList<Frame> part : Arrays.asList(unacknowledged, queued, overflow)) {
        for (Frame frame : part) {
          if (frame.sequence() > spooledSequence && frame.sequence() > acknowledgedSequence) {
            frames.add(frame);
          }
        }
      }
      return frames;
    }

    private void release(long acknowledged) {
      if (spool.canRelease(acknowledged)) {
        spool.release(acknowledged);
        lock.lock();
        try {
          // There is room again.
          retrying = false;
        } finally {
          lock.unlock();
        }
      }
      if (parent != null && spool.isEmpty()) {
        close();
      }
    }

    private void readBack() {
      while (true) {
        long after;
        lock.lock();
        try {
          if (closed || !mayRead()) {
            return;
          }
          after = queuedSequence;
        } finally {
          lock.unlock();
        }
        try {
          Frame next = spool.readAfter(after);
          readBack(next, next.sequence() - 1, "");
        } catch (FrameSpool.LostFramesException e) {
          readBack(null, e.lastSequence(), e.getMessage());
        }
      }
    }

    /**
     * @param next null if it is lost
     * @param lostUpTo what lies between the last one queued and this is lost
     */
    private void readBack(Frame next, long lostUpTo, String error) {
      lock.lock();
      try {
        if (lostUpTo > queuedSequence) {
          framesLost += lostUpTo - queuedSequence;
          queuedSequence = lostUpTo;
        }
        if (!error.isEmpty()) {
          readError = error;
        }
        // Else the collector had more than it had said.
        if (next != null && next.sequence() > queuedSequence) {
          enqueue(next);
        }
        enqueueOverflow();
      } finally {
        lock.unlock();
      }
    }

    private void write(List<Frame> frames, long deadlineNanos) {
      if (frames.isEmpty()) {
        return;
      }
      Hello introduction = options.helloWithoutToken();
      for (Frame frame : frames) {
        if (deadlineNanos != Long.MAX_VALUE && System.nanoTime() - deadlineNanos > 0) {
          return;
        }
        if (!isAcknowledged(frame)) {
          try {
            failIfFull(frame, introduction);
            spool.append(frame, introduction);
          } catch (IOException e) {
            failed(e);
            return;
          }
          written(frame);
        }
      }
    }

    private boolean isAcknowledged(Frame frame) {
      lock.lock();
      try {
        return frame.sequence() <= acknowledgedSequence;
      } finally {
        lock.unlock();
      }
    }

    private void failIfFull(Frame frame, Hello introduction) throws IOException {
      long others;
      lock.lock();
      try {
        others = foreignBytes() + (spool.hasNames() ? 0 : dictionaryBytes);
      } finally {
        lock.unlock();
      }
      if (others + spool.bytesWith(frame, introduction) > options.maxSpooledBytes()) {
        spool.forgetMissing();
        if (others + spool.bytesWith(frame, introduction) > options.maxSpooledBytes()) {
          throw new NoRoomException(
              "it is full: it may have " + options.maxSpooledBytes() + " bytes at most");
        }
      }
    }

    private void written(Frame frame) {
      lock.lock();
      try {
        spooledSequence = frame.sequence();
        while (!overflow.isEmpty() && overflow.peek().sequence() <= spooledSequence) {
          overflowBytes -= memoryOf(overflow.poll().payload());
        }
        writeError = "";
        retrying = false;
        progress.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void failed(IOException failure) {
      lock.lock();
      try {
        writeError = FrameSpool.describe(failure);
        writeFoundNoRoom = failure instanceof NoRoomException;
        retrying = true;
        retryAtNanos = System.nanoTime() + RETRY_NANOS;
      } finally {
        lock.unlock();
      }
    }

    /** What is to be sent on stays where it is until a client for it runs, threads and all. */
    private void forward() {
      CollectorClient next = null;
      lock.lock();
      try {
        if (!closed && mayForward()) {
          next = new CollectorClient(options, abandoned.peek(), this);
          next.start();
          forwarder = next;
          forwarded = abandoned.remove();
        }
      } finally {
        if (next != null && forwarder != next) {
          next.close();
        }
        lock.unlock();
      }
    }

    /** Called on the forwarder's spool thread, at its end. */
    private void forwarderEnded(ClientStatus last) {
      lock.lock();
      try {
        forwarder = null;
        if (!closed) {
          forwarded = null; // Else its files still count: they wait for another client.
        }
        framesLost += last.framesLost();
        if (!last.spoolError().isEmpty()) {
          readError = last.spoolError();
        }
        retrying = false;
        work.signal();
      } finally {
        lock.unlock();
      }
    }

    private void saveRest() {
      long acknowledged;
      List<Frame> rest;
      List<Frame> names;
      lock.lock();
      try {
        acknowledged = acknowledgedSequence;
        rest = unwritten();
        names = new ArrayList<>(dictionaries);
      } finally {
        lock.unlock();
      }
      if (!rest.isEmpty() || spool.lastSequence() > acknowledged) {
        keep(names);
      }
      write(rest, System.nanoTime() + CLOSE_NANOS);
      spool.release(acknowledged);
    }

    /** Whoever sends the rest on may do so to a collector that has never heard these names. */
    private void keep(List<Frame> names) {
      try {
        spool.keepNames(names, options.helloWithoutToken());
      } catch (IOException e) {
        failed(e);
      }
    }

    void awaitEnd(long deadlineNanos) {
      if (Thread.currentThread() == thread) {
        return;
      }
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, deadlineNanos - System.nanoTime());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** One connection: made and written by the sender, read by a thread of its own. */
  private final class Connection {
    private static final int READ_TIMEOUT_MILLIS = 500;

    /**
     * Shorter, as a frame counts as arrived when a read that began a second later found nothing.
     */
    private static final int ONE_WAY_READ_TIMEOUT_MILLIS = 250;

    private static final int STEP_BYTES = 32 * 1024;

    private final PatientSocket socket = new PatientSocket();

    /** As said in HELLO; guarded by the client's lock. */
    private long firstAvailable;

    private Socket stream;
    private OutputStream out;
    private FrameInput in;

    /** Null with a collector; the sender's. */
    private OneWayProtocol.Conversation conversation;

    /** Sequences and times of frames that one way has no acknowledgement for; likewise guarded. */
    private final ArrayDeque<long[]> handedOver = new ArrayDeque<>();

    /** When the present write took its last step; 0 while nothing is written. */
    private volatile long writingNanos;

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

    Welcome handshake(Hello hello) throws IOException {
      if (options.oneWayOrNull() != null) {
        return converse();
      }
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
      } catch (SSLException e) {
        throw new IOException(options.tlsOrNull().reasonBehindHandshake(e), e);
      }
      if (answer.type() == FrameType.REFUSED) {
        throw new RefusedException(Refused.decode(ByteBuffer.wrap(answer.payload())));
      }
      Welcome decoded = Welcome.of(answer);
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      if (options.tlsOrNull() != null) {
        socket.goOnAfterTimeouts(this::breakIfSilent);
      }
      heard();
      return decoded;
    }

    /** Nobody answers: the welcome is this side's own. */
    private Welcome converse() throws IOException {
      Hello now = options.hello(firstAvailable);
      conversation =
          options
              .oneWayOrNull()
              .begin(
                  inheritance == null ? now : inheritance.helloLike(now, firstAvailable),
                  stream,
                  new SteppingOutput(stream.getOutputStream()));
      writingNanos = 0;
      socket.setSoTimeout(ONE_WAY_READ_TIMEOUT_MILLIS);
      socket.watch();
      if (options.tlsOrNull() != null) {
        socket.goOnAfterTimeouts(this::breakIfSilent);
      }
      List<Frame> names;
      long known;
      lock.lock();
      try {
        names = new ArrayList<>(dictionaries);
        known = acknowledgedSequence;
      } finally {
        lock.unlock();
      }
      for (int newest = names.size() - 1; newest >= 0; newest--) {
        conversation.recall(names.get(newest));
      }
      return new Welcome(Hello.PROTOCOL_VERSION, known, "", "", "", "");
    }

    /** The sender's. */
    void send(Frame frame) throws IOException {
      if (conversation == null) {
        frame.writeTo(out);
        return;
      }
      conversation.send(frame);
      writingNanos = 0;
      lock.lock();
      try {
        handedOver.add(new long[] {frame.sequence(), System.nanoTime()});
      } finally {
        lock.unlock();
      }
    }

    /** The sender's, when the socket is closed. */
    void endConversation() {
      if (conversation != null) {
        conversation.end();
      }
    }

    /** One way there is nobody to ask. Call with the client's lock held. */
    long clockWaitNanos() {
      return conversation == null
          ? clocks.waitNanos(System.nanoTime(), worthDating)
          : ClockExchange.NEVER;
    }

    void startReader() {
      daemon("fedometer-receiver", this::runReader).start();
    }

    private void runReader() {
      boolean told = false;
      try {
        read();
      } catch (IOException e) {
        broken(this, e);
        told = true;
      } catch (RuntimeException | Error e) {
        broken(this, unexpected(e));
        told = true;
      } finally {
        if (!told) {
          broken(this, OUT_OF_MEMORY);
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
          heard();
          received(this, frame);
        } catch (SocketTimeoutException e) {
          failIfSilent();
        }
      }
    }

    /** Whatever a receiver says is passed over; that it hangs up is worth knowing. */
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

    /** Frames after which the connection has stood long enough count as acknowledged. */
    private void acknowledgeHandedOver() {
      long stoodNanos = socket.stoodNanos();
      lock.lock();
      try {
        long arrived = 0;
        while (!handedOver.isEmpty() && stoodNanos - handedOver.peek()[1] >= HANDED_OVER_NANOS) {
          arrived = handedOver.poll()[0];
        }
        if (arrived > 0 && connection == this) {
          progressed = true;
          acknowledge(arrived);
          progress.signalAll();
        }
      } finally {
        lock.unlock();
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
      if (conversation != null) {
        acknowledgeHandedOver();
        failIfStuck();
        return;
      }
      long silentNanos = System.nanoTime() - lastHeardNanos;
      if (silentNanos > TimeUnit.MILLISECONDS.toNanos(options.silenceTimeoutMillis())
          && awaitsAcknowledgement()) {
        throw new IOException(
            "no sign of life for " + options.silenceTimeoutMillis() + " ms; connecting anew");
      }
    }

    private void failIfStuck() throws IOException {
      long lastStep = writingNanos;
      if (lastStep != 0
          && System.nanoTime() - lastStep
              > TimeUnit.MILLISECONDS.toNanos(options.silenceTimeoutMillis())) {
        throw new IOException(
            "it has taken nothing for " + options.silenceTimeoutMillis() + " ms; connecting anew");
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

    /** Tells, one way, how far a write has come. */
    private final class SteppingOutput extends FilterOutputStream {
      SteppingOutput(OutputStream socketOutput) {
        super(socketOutput);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int from = offset; from < offset + length; from += STEP_BYTES) {
          step();
          out.write(bytes, from, Math.min(STEP_BYTES, offset + length - from));
        }
        step();
      }

      private void step() {
        // 0 would mean that nothing is written.
        writingNanos = System.nanoTime() | 1;
      }
    }
  }
}

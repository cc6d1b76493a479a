package org.fedometer.agent.core.telemetry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.ship.TelemetrySink;
import org.fedometer.agent.core.threads.DaemonThreads;
import org.fedometer.wire.Counted;

/**
 * Reads Fedora's JVM and the agent at even intervals. Runs one daemon thread from {@link #begin} to
 * {@link #end}, and one each for hiccups and the disk; none of Fedora's. Unreadable sources are
 * skipped with a line in the agent's log.
 */
public final class JvmTelemetry implements Runnable {

  private static final long STEP_NANOS = 100_000_000;

  /** Limit of the wait for Fedora's start. */
  private static final long FEDORA_START_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long END_TIMEOUT_MILLIS = 2_000;

  /** Limit of the interval between readings of pauses, since the queue is short. */
  private static final long PAUSES_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String TELEMETRY_OF = "telemetry of ";
  private static final int MAX_ERROR_LINES = 10;
  private static final int MAX_SOURCES = 8;

  private final long intervalNanos;
  private final TelemetrySink sink;
  private final AgentLog log;
  private final BooleanSupplier fedoraStarted;
  private final Thread thread = DaemonThreads.daemon("fedometer-telemetry", this);
  private volatile boolean ended;

  // Used by the thread only.
  private final Queue<Opening> unopened = new ArrayDeque<>();
  private final List<Source> sources = new ArrayList<>(MAX_SOURCES);
  private final Source sending;
  private Source pauses = Source.NONE;
  private GcEvents collections;
  private Hiccups hiccups;
  private DiskSpaceMonitor disk;
  private boolean lastReading;
  private int errorCount;

  private JvmTelemetry(
      long intervalMillis,
      boolean gcWanted,
      LongConsumer agent,
      TelemetrySink sink,
      AgentLog log,
      BooleanSupplier fedoraStarted) {
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.sink = sink;
    this.log = log;
    this.fedoraStarted = fedoraStarted;
    this.sending = new Source("sending", atNanos -> sink.flush());
    unopened.add(new Opening("agent", () -> sources.add(new Source("agent", agent))));
    unopened.add(new Opening("JVM", this::openBeans));
    unopened.add(new Opening("process", this::openProcess));
    if (gcWanted) {
      unopened.add(new Opening("garbage collections", this::openCollections));
    }
    unopened.add(new Opening("hiccups", this::openHiccups));
    unopened.add(new Opening("disk", this::openDisk));
  }

  /**
   * @param gcWanted true to emit each pause for a garbage collection
   * @param agent emits the agent's own readings; accepts the time in nanoseconds of {@link
   *     System#nanoTime}
   * @param fedoraStarted returns true once Fedora's JVM has set up its logging. Management beans
   *     use the JDK's loggers, whose first user determines their configuration. Polled for at most
   *     a minute
   */
  public static JvmTelemetry begin(
      long intervalMillis,
      boolean gcWanted,
      LongConsumer agent,
      TelemetrySink sink,
      AgentLog log,
      BooleanSupplier fedoraStarted) {
    JvmTelemetry telemetry =
        new JvmTelemetry(intervalMillis, gcWanted, agent, sink, log, fedoraStarted);
    telemetry.thread.start();
    return telemetry;
  }

  /** Reads a last time and ends all threads; waits for them with a timeout. */
  public void end() throws InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join(END_TIMEOUT_MILLIS);
  }

  @Override
  public void run() {
    try {
      awaitFedoraStart();
      if (!ended) {
        readUntilEnded();
      }
    } catch (Throwable error) {
      log.appendError("telemetry ends", error);
    } finally {
      close();
    }
  }

  private void awaitFedoraStart() {
    long deadlineNanos = System.nanoTime() + FEDORA_START_TIMEOUT_NANOS;
    while (!ended && !isFedoraStarted() && System.nanoTime() - deadlineNanos < 0) {
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  private boolean isFedoraStarted() {
    try {
      return fedoraStarted.getAsBoolean();
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  /**
   * Opens the remaining sources; retries those without memory next time. Loggers created on the way
   * belong to the whole JVM, not to this agent.
   */
  private void openSources() {
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      for (int left = unopened.size(); left > 0; left--) {
        Opening opening = unopened.poll();
        if (!tryOpen(opening)) {
          unopened.add(opening);
        }
      }
    } finally {
      thread.setContextClassLoader(JvmTelemetry.class.getClassLoader());
    }
  }

  /** Returns whether no retry is needed. */
  private boolean tryOpen(Opening opening) {
    try {
      opening.action.run();
    } catch (OutOfMemoryError full) {
      failed(opening.name, full);
      return false;
    } catch (Throwable error) {
      failed(opening.name, error);
    }
    return true;
  }

  private void openBeans() {
    JvmBeans beans = new JvmBeans();
    sources.add(new Source("JVM", atNanos -> beans.read(atNanos, sink)));
  }

  private void openProcess() {
    ProcessBeans process = new ProcessBeans();
    sources.add(new Source("process", atNanos -> process.read(atNanos, sink)));
  }

  private void openCollections() {
    Source source = new Source("garbage collections", atNanos -> readPauses());
    collections = GcEvents.begin();
    pauses = source;
  }

  private void openHiccups() {
    Hiccups begun = new Hiccups();
    Source source = new Source("hiccups", atNanos -> begun.read(atNanos, sink));
    begun.start();
    hiccups = begun;
    sources.add(source);
  }

  private void openDisk() {
    DiskSpaceMonitor begun = DiskSpaceMonitor.ofFedoraHomeOrNull();
    if (begun != null) {
      Source source = new Source("disk", atNanos -> begun.read(sink));
      begun.start();
      disk = begun;
      sources.add(source);
    }
  }

  private void readUntilEnded() {
    long nextNanos = System.nanoTime();
    while (!ended) {
      openSources();
      readAll();
      nextNanos += intervalNanos;
      long now = System.nanoTime();
      if (now - nextNanos > 0) {
        // Missed readings are skipped.
        nextNanos = now;
      }
      for (long leftNanos = nextNanos - now;
          leftNanos > 0 && !ended;
          leftNanos = nextNanos - System.nanoTime()) {
        LockSupport.parkNanos(Math.min(leftNanos, PAUSES_INTERVAL_NANOS));
        read(pauses, now);
      }
    }
    lastReading = true;
    readAll();
  }

  /** Allocates nothing itself: memory may have run out temporarily. */
  private void readAll() {
    long atNanos = System.nanoTime();
    for (int i = 0; i < sources.size(); i++) {
      read(sources.get(i), atNanos);
    }
    read(pauses, atNanos);
    read(sending, atNanos);
  }

  /** Isolates a failing source, for example one without memory, from the others. */
  private void read(Source source, long atNanos) {
    try {
      source.reading.accept(atNanos);
    } catch (Throwable error) {
      failed(source.name, error);
    }
  }

  private void readPauses() {
    collections.read(sink, lastReading);
    long missed = collections.missedSinceLastCall();
    if (missed > 0) {
      log.append(
          Counted.of(missed, "pause") + " for garbage collection not reported: too many at once");
    }
  }

  /** Ends the threads first, without allocating. */
  private void close() {
    if (hiccups != null) {
      hiccups.end();
    }
    if (disk != null) {
      disk.end();
    }
    if (collections != null) {
      collections.end();
    }
  }

  private void failed(String what, Throwable error) {
    errorCount++;
    if (errorCount <= MAX_ERROR_LINES) {
      log.appendError(what, error);
    }
  }

  private static final class Opening {
    private final String name;
    private final Runnable action;

    Opening(String name, Runnable action) {
      this.name = TELEMETRY_OF + name;
      this.action = action;
    }
  }

  private static final class Source {
    private static final Source NONE = new Source("", atNanos -> {});

    private final String name;
    private final LongConsumer reading;

    Source(String name, LongConsumer reading) {
      this.name = TELEMETRY_OF + name;
      this.reading = reading;
    }
  }
}

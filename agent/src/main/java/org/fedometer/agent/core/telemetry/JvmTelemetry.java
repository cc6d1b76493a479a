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
import org.fedometer.agent.core.threads.OwnThreads;
import org.fedometer.wire.Counted;

/**
 * Reads at even intervals what Fedora's JVM and the agent tell of themselves; one daemon thread,
 * from {@link #begin} to {@link #end}, and beside it one for hiccups and one for the disk. Nothing
 * happens on Fedora's threads. What cannot be read is left out, with a line in the agent's log.
 */
public final class JvmTelemetry implements Runnable {

  private static final long STEP_NANOS = 100_000_000;

  /** How long it is asked whether Fedora's JVM is awake. */
  private static final long ASLEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long END_MILLIS = 2_000;

  /** Pauses are told so often at least: few can wait. */
  private static final long PAUSES_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final String TELEMETRY_OF = "telemetry of ";
  private static final int TROUBLE_LINES = 10;
  private static final int MOST_SOURCES = 8;

  private final long intervalNanos;
  private final TelemetrySink sink;
  private final AgentLog log;
  private final BooleanSupplier awake;
  private final Thread thread = OwnThreads.daemon("fedometer-telemetry", this);
  private volatile boolean ended;

  // The thread's own.
  private final Queue<Opening> unopened = new ArrayDeque<>();
  private final List<Source> sources = new ArrayList<>(MOST_SOURCES);
  private final Source sending;
  private Source pauses = Source.NONE;
  private GcEvents collections;
  private Hiccups hiccups;
  private DiskWatch disk;
  private boolean lastReading;
  private int troubles;

  private JvmTelemetry(
      long intervalMillis,
      boolean gcWanted,
      LongConsumer agent,
      TelemetrySink sink,
      AgentLog log,
      BooleanSupplier awake) {
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.sink = sink;
    this.log = log;
    this.awake = awake;
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
   * @param gcWanted whether to tell each pause for a garbage collection
   * @param agent tells the sink of the agent itself; takes the moment, in nanoseconds of {@link
   *     System#nanoTime}
   * @param awake whether Fedora's JVM has set up its logging: management beans use the JDK's
   *     loggers, and whoever uses them first decides whose they are. After a minute it is not asked
   *     any more
   */
  public static JvmTelemetry begin(
      long intervalMillis,
      boolean gcWanted,
      LongConsumer agent,
      TelemetrySink sink,
      AgentLog log,
      BooleanSupplier awake) {
    JvmTelemetry telemetry = new JvmTelemetry(intervalMillis, gcWanted, agent, sink, log, awake);
    telemetry.thread.start();
    return telemetry;
  }

  /** Reads a last time and ends all threads; waits for that, but not for ever. */
  public void end() throws InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join(END_MILLIS);
  }

  @Override
  public void run() {
    try {
      awaitTheirLogging();
      if (!ended) {
        readUntilEnded();
      }
    } catch (Throwable trouble) {
      log.trouble("telemetry ends", trouble);
    } finally {
      close();
    }
  }

  private void awaitTheirLogging() {
    long deadlineNanos = System.nanoTime() + ASLEEP_NANOS;
    while (!ended && !isAwake() && System.nanoTime() - deadlineNanos < 0) {
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  private boolean isAwake() {
    try {
      return awake.getAsBoolean();
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  /**
   * Opens what is not open yet; what finds no memory is tried again the next time. Loggers that are
   * made on the way belong to the whole JVM, not to this agent.
   */
  private void openSources() {
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      for (int left = unopened.size(); left > 0; left--) {
        Opening opening = unopened.poll();
        if (!opened(opening)) {
          unopened.add(opening);
        }
      }
    } finally {
      thread.setContextClassLoader(JvmTelemetry.class.getClassLoader());
    }
  }

  /** Whether it need not be tried again. */
  private boolean opened(Opening opening) {
    try {
      opening.action.run();
    } catch (OutOfMemoryError full) {
      failed(opening.name, full);
      return false;
    } catch (Throwable trouble) {
      failed(opening.name, trouble);
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
    DiskWatch begun = DiskWatch.ofFedoraHomeOrNull();
    if (begun != null) {
      Source source = new Source("disk", atNanos -> begun.read(sink));
      begun.start();
      disk = begun;
      sources.add(source);
    }
  }

  private void readUntilEnded() {
    long due = System.nanoTime();
    while (!ended) {
      openSources();
      readAll();
      due += intervalNanos;
      long now = System.nanoTime();
      if (now - due > 0) {
        // What was missed is not made up for.
        due = now;
      }
      for (long left = due - now; left > 0 && !ended; left = due - System.nanoTime()) {
        LockSupport.parkNanos(Math.min(left, PAUSES_NANOS));
        read(pauses, now);
      }
    }
    lastReading = true;
    readAll();
  }

  /** Allocates nothing of its own: memory may have run out, and will come back. */
  private void readAll() {
    long atNanos = System.nanoTime();
    for (int i = 0; i < sources.size(); i++) {
      read(sources.get(i), atNanos);
    }
    read(pauses, atNanos);
    read(sending, atNanos);
  }

  /** One source that fails, for want of memory perhaps, takes no other with it. */
  private void read(Source source, long atNanos) {
    try {
      source.reading.accept(atNanos);
    } catch (Throwable trouble) {
      failed(source.name, trouble);
    }
  }

  private void readPauses() {
    collections.read(sink, lastReading);
    long missed = collections.takeMissed();
    if (missed > 0) {
      log.line(
          Counted.of(missed, "pause") + " for garbage collection not told: too many came at once");
    }
  }

  /** The threads first, and with nothing that could want memory. */
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

  private void failed(String what, Throwable trouble) {
    troubles++;
    if (troubles <= TROUBLE_LINES) {
      log.trouble(what, trouble);
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

package org.fedometer.agent.core.telemetry;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.fedometer.agent.core.log.AgentLog;
import org.fedometer.agent.core.ship.TelemetrySink;

/**
 * Reads at even intervals what Fedora's JVM tells of itself; one daemon thread, from {@link #begin}
 * to {@link #end}, and beside it one for hiccups and one for the disk. Nothing happens on Fedora's
 * threads. What cannot be read is left out, with a line in the agent's log.
 */
public final class JvmTelemetry implements Runnable {

  private static final long STEP_NANOS = 100_000_000;
  private static final long LONGEST_SLEEP_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long END_MILLIS = 2_000;

  /** Pauses are told so often at least: few can wait. */
  private static final long PAUSES_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final int TROUBLE_LINES = 10;

  private final long intervalNanos;
  private final boolean gcWanted;
  private final TelemetrySink sink;
  private final AgentLog log;
  private final BooleanSupplier awake;
  private final Thread thread = new Thread(this, "fedometer-telemetry");
  private volatile boolean ended;

  // The thread's own; null where the JVM has none.
  private JvmBeans beans;
  private ProcessBeans process;
  private GcEvents collections;
  private Hiccups hiccups;
  private DiskWatch disk;
  private int troubles;

  private JvmTelemetry(
      long intervalMillis,
      boolean gcWanted,
      TelemetrySink sink,
      AgentLog log,
      BooleanSupplier awake) {
    this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    this.gcWanted = gcWanted;
    this.sink = sink;
    this.log = log;
    this.awake = awake;
    thread.setDaemon(true);
    thread.setContextClassLoader(JvmTelemetry.class.getClassLoader());
  }

  /**
   * Starts the thread.
   *
   * @param gcWanted whether to tell each pause for a garbage collection
   * @param awake whether Fedora's JVM has set up its logging: management beans use the JDK's
   *     loggers, and whoever uses them first decides whose they are. After a minute it is not asked
   *     any more
   */
  public static JvmTelemetry begin(
      long intervalMillis,
      boolean gcWanted,
      TelemetrySink sink,
      AgentLog log,
      BooleanSupplier awake) {
    JvmTelemetry telemetry = new JvmTelemetry(intervalMillis, gcWanted, sink, log, awake);
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
        open();
        readUntilEnded();
      }
    } catch (Throwable trouble) {
      log.trouble("telemetry ends", trouble);
    } finally {
      close();
    }
  }

  private void awaitTheirLogging() {
    long deadline = System.nanoTime() + LONGEST_SLEEP_NANOS;
    while (!ended && !awake.getAsBoolean() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(STEP_NANOS);
    }
  }

  /** Loggers that are made on the way belong to the whole JVM, not to this agent. */
  private void open() {
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      attempt("JVM", () -> beans = new JvmBeans());
      attempt("process", () -> process = new ProcessBeans());
      if (gcWanted) {
        attempt("garbage collections", () -> collections = GcEvents.begin());
      }
    } finally {
      thread.setContextClassLoader(JvmTelemetry.class.getClassLoader());
    }
    attempt(
        "hiccups",
        () -> {
          hiccups = new Hiccups();
          hiccups.start();
        });
    attempt(
        "disk",
        () -> {
          disk = DiskWatch.ofFedoraHomeOrNull();
          if (disk != null) {
            disk.start();
          }
        });
  }

  private void readUntilEnded() {
    long due = System.nanoTime();
    while (!ended) {
      read(false);
      due += intervalNanos;
      long now = System.nanoTime();
      if (now - due > 0) {
        // What was missed is not made up for.
        due = now;
      }
      for (long left = due - now; left > 0 && !ended; left = due - System.nanoTime()) {
        LockSupport.parkNanos(Math.min(left, PAUSES_NANOS));
        readPauses(false);
      }
    }
    read(true);
  }

  private void read(boolean last) {
    long atNanos = System.nanoTime();
    if (beans != null) {
      attempt("JVM", () -> beans.read(atNanos, sink));
    }
    if (process != null) {
      attempt("process", () -> process.read(atNanos, sink));
    }
    if (hiccups != null) {
      attempt("hiccups", () -> hiccups.read(atNanos, sink));
    }
    if (disk != null) {
      attempt("disk", () -> disk.read(sink));
    }
    readPauses(last);
    attempt("sending", sink::flush);
  }

  private void readPauses(boolean last) {
    if (collections != null) {
      attempt("garbage collections", () -> collections.read(sink, last));
      long missed = collections.takeMissed();
      if (missed > 0) {
        log.line(missed + " pauses for garbage collection were not told, too many came at once");
      }
    }
  }

  private void close() {
    if (collections != null) {
      attempt("garbage collections", collections::end);
    }
    if (hiccups != null) {
      attempt("hiccups", hiccups::end);
    }
    if (disk != null) {
      attempt("disk", disk::end);
    }
  }

  /** One source that fails, for want of memory perhaps, takes no other with it. */
  private void attempt(String what, Runnable reading) {
    try {
      reading.run();
    } catch (Throwable trouble) {
      troubles++;
      if (troubles <= TROUBLE_LINES) {
        log.trouble("telemetry of " + what, trouble);
      }
    }
  }
}

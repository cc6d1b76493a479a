package org.fedometer.experiments.telemetry;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.fedometer.experiments.threads.DaemonThreads;
import org.fedometer.profiles.stack.Stack;
import org.fedometer.wire.Counted;
import org.fedometer.wire.FailureText;
import org.fedometer.wire.client.CollectorClient;

/**
 * Reads at even intervals, on its own thread, the usage of Fedora, its database, this process, and
 * their disks. On another thread, every fifth time, it reads the database's counters. Sends all to
 * the collector. Unreadable values are omitted and noted; no failure here ends a run.
 *
 * <p>Opened and closed by one thread at a time; has a reading at both ends, unless aborted.
 */
public final class StackTelemetry implements AutoCloseable {

  private static final long SEND_TIMEOUT_MILLIS = 10_000;

  /** Queries have a cost for the database; reading /proc has none. */
  private static final int READINGS_PER_QUERY = 5;

  /** Exceeds the time that a reading waits for queue capacity, for names and for values. */
  private static final Duration END_TIMEOUT = Duration.ofMillis(2 * SEND_TIMEOUT_MILLIS + 5_000);

  private final Map<String, ProcessMonitor> processes = new LinkedHashMap<>();
  private final Readings.Target target;

  /** Both threads add to it; its lock guards it and {@code unsent}. */
  private final Readings readings = new Readings();

  private final List<String> notes = new ArrayList<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("fedometer-telemetry"));

  /** Null if no disk can be read. */
  private BlockDevices disks;

  private DatabaseMonitor database;
  private long unsent;
  private boolean closed;

  @FunctionalInterface
  interface DiskSource {
    BlockDevices open() throws IOException;
  }

  private StackTelemetry(Readings.Target target) {
    this.target = target;
  }

  /** Connects to the database, reads once, and continues at an interval above zero until closed. */
  public static StackTelemetry open(Stack stack, CollectorClient collector, Duration interval) {
    return open(
        stack.fedoraPid(),
        stack.databasePid(),
        () -> BlockDevices.below(folders(stack)),
        stack::connectToDatabase,
        (type, payload) -> collector.send(type, payload, SEND_TIMEOUT_MILLIS),
        interval,
        DatabaseMonitor.Timeouts.DEFAULT);
  }

  static StackTelemetry open(
      OptionalLong fedora,
      OptionalLong server,
      DiskSource disks,
      DatabaseMonitor.Source database,
      Readings.Target target,
      Duration interval,
      DatabaseMonitor.Timeouts timeouts) {
    StackTelemetry telemetry = new StackTelemetry(target);
    fedora.ifPresent(pid -> telemetry.processes.put("fedora", ProcessMonitor.of(pid)));
    server.ifPresent(pid -> telemetry.processes.put("database", ProcessMonitor.withChildren(pid)));
    telemetry.processes.put("driver", ProcessMonitor.of(ProcessHandle.current().pid()));
    telemetry.disks = telemetry.opened(disks);
    telemetry.database =
        DatabaseMonitor.open(
            database,
            interval.multipliedBy(READINGS_PER_QUERY),
            telemetry::send,
            telemetry::note,
            timeouts);
    telemetry.read();
    telemetry.executor.scheduleAtFixedRate(
        new Paced(interval, telemetry::read),
        interval.toNanos(),
        interval.toNanos(),
        TimeUnit.NANOSECONDS);
    return telemetry;
  }

  /** Returns the homes of Fedora and its database, and further folders of the profile. */
  private static List<Path> folders(Stack stack) {
    List<Path> folders = new ArrayList<>(stack.state().foldersElsewhere().values());
    folders.add(stack.home());
    return folders;
  }

  private BlockDevices opened(DiskSource source) {
    try {
      return source.open();
    } catch (IOException e) {
      note("Reads and writes of disks are not in the telemetry: " + e.getMessage() + ".");
      return null;
    }
  }

  private void read() {
    try {
      // Outside the lock, which the other thread may hold while the collector blocks: counters must
      // match their time.
      long atNanos = System.nanoTime();
      Map<String, ProcessUse> uses = uses();
      Optional<BlockDevices.Use> moved = moved();
      synchronized (readings) {
        uses.forEach((name, use) -> add(atNanos, name, use));
        moved.ifPresent(use -> add(atNanos, use));
        send();
      }
    } catch (RuntimeException | Error e) {
      // A scheduled task that throws would silently never run again.
      processes.clear();
      disks = null;
      note("Telemetry of processes and disks ended early: " + FailureText.of(e));
    }
  }

  /** Returns the usage of existing processes; removes the others. */
  private Map<String, ProcessUse> uses() {
    Map<String, ProcessUse> uses = new LinkedHashMap<>();
    processes.forEach((name, process) -> process.read().ifPresent(use -> uses.put(name, use)));
    for (String name : List.copyOf(processes.keySet())) {
      if (!uses.containsKey(name)) {
        processes.remove(name);
        note("Telemetry of the process '" + name + "' ended early, as the process did.");
      }
    }
    return uses;
  }

  private Optional<BlockDevices.Use> moved() {
    if (disks == null) {
      return Optional.empty();
    }
    Optional<BlockDevices.Use> use = disks.read();
    if (use.isEmpty()) {
      disks = null;
      note("Telemetry of the disks ended early, as one of them is gone.");
    }
    return use;
  }

  private void add(long atNanos, BlockDevices.Use use) {
    readings.add(atNanos, "system.disk.read", "By", use.readBytes());
    readings.add(atNanos, "system.disk.written", "By", use.writtenBytes());
  }

  private void add(long atNanos, String name, ProcessUse use) {
    readings.add(atNanos, name + ".process.cpu.time", "s", use.cpuNanos() / 1e9);
    if (use.memoryBytes() != ProcessUse.UNKNOWN) {
      readings.add(atNanos, name + ".process.memory.usage", "By", use.memoryBytes());
    }
    if (use.diskReadBytes() != ProcessUse.UNKNOWN) {
      readings.add(atNanos, name + ".process.disk.read", "By", use.diskReadBytes());
    }
  }

  private void send(List<DatabaseMonitor.Value> counted) {
    synchronized (readings) {
      counted.forEach(
          value -> readings.add(value.atNanos(), value.metric(), value.unit(), value.value()));
      send();
    }
  }

  private void send() {
    try {
      readings.send(target);
    } catch (IOException e) {
      unsent++;
    }
  }

  private void note(String text) {
    synchronized (notes) {
      notes.add(text);
    }
  }

  /** Returns what is missing in the telemetry, a sentence each; complete after {@link #close}. */
  public List<String> notes() {
    synchronized (notes) {
      return List.copyOf(notes);
    }
  }

  /** Reads a last time, and returns when nothing is running any more. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    executor.shutdown();
    boolean interrupted = Thread.interrupted();
    try {
      if (executor.awaitTermination(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        read();
      } else {
        executor.shutdownNow();
        note("Telemetry did not end within " + END_TIMEOUT.toSeconds() + " s and was abandoned.");
      }
      database.close();
      noteUnsent();
    } catch (InterruptedException e) {
      executor.shutdownNow();
      interrupted = true;
      // An interrupt ends the wait; the connection is closed all the same.
      database.abort();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Ends without a last reading, and waits neither for a hanging database nor for the collector.
   * Does nothing if repeated, or after {@link #close}.
   */
  public void abort() {
    if (closed) {
      return;
    }
    closed = true;
    executor.shutdown();
    database.abort();
  }

  private void noteUnsent() {
    synchronized (readings) {
      if (unsent > 0) {
        note(Counted.of(unsent, "reading") + " of the telemetry did not reach the collector.");
      }
    }
  }
}

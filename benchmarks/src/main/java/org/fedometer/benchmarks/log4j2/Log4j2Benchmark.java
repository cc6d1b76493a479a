package org.fedometer.benchmarks.log4j2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.benchmarks.process.HostProcess;
import org.fedometer.store.RunDeletion;

/**
 * JSON lines of stock SocketAppenders, taken in by the collector and by the socket server that
 * Log4j2 had until 2.8.2, each with 256 MB of heap on one core; what sends keeps to the others.
 *
 * <ul>
 *   <li>recorded: what an appender wrote is sent again as fast as it is taken, over several
 *       connections at once, so that the server is what bounds it
 *   <li>live: one program logs, as fast as it can
 * </ul>
 *
 * <p>TcpSocketServer writes a line for each event, by Log4j2's fastest appender, to a file that is
 * not synced. The collector has taken an event when it is durable. Passes alternate; the best of
 * each counts.
 */
public final class Log4j2Benchmark {
  private static final int RECORDED_EVENTS = 50_000;
  private static final int CONNECTIONS = 4;
  private static final int PASSES = 3;
  private static final int MAX_LIVE_EVENTS = 400_000;

  /** More than what TcpSocketServer's appender keeps in its buffer, which would never be seen. */
  private static final int TRAILING_EVENTS = 500;

  private static final String HEAP = "-Xmx256m";

  private final Path libraries;
  private final Path folder;
  private final long events;
  private RecordedEvents recorded;
  private RecordedEvents trailing;

  private Log4j2Benchmark(Path libraries, Path folder, long events) {
    this.libraries = libraries;
    this.folder = folder;
    this.events = events;
  }

  /** Arguments: folder with Log4j2 2.8.2 and Jackson; thousands of events a pass (2,000). */
  public static void main(String[] arguments) throws Exception {
    Path libraries = Path.of(arguments[0]);
    long events = 1_000 * (arguments.length > 1 ? Long.parseLong(arguments[1]) : 2_000);
    Path folder = Files.createTempDirectory("fedometer-bench");
    try {
      new Log4j2Benchmark(libraries, folder, events).run();
    } finally {
      RunDeletion.delete(folder);
    }
  }

  private void run() throws Exception {
    boolean pinned = HostProcess.canPin();
    System.out.printf(
        Locale.ROOT,
        "%d processors, Java %s; each server has %s and %s%n",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"),
        pinned ? "one of them" : "all of them (taskset is missing)",
        HEAP);
    String core = pinned ? "0" : "";
    if (pinned) {
      HostProcess.pinTo("1-" + (Runtime.getRuntime().availableProcessors() - 1));
    }
    recorded = RecordedEvents.of(port -> log(port, RECORDED_EVENTS), RECORDED_EVENTS);
    trailing = RecordedEvents.of(port -> log(port, TRAILING_EVENTS), TRAILING_EVENTS);
    System.out.printf(
        Locale.ROOT, "recorded: %.0f bytes an event, JsonLayout%n", recorded.bytesPerEvent());
    int times = (int) Math.max(1, events / ((long) CONNECTIONS * RECORDED_EVENTS));
    double bestOfCollector = 0;
    double bestOfLog4j2 = 0;
    double live = 0;
    double liveOfLog4j2 = 0;
    for (int pass = 1; pass <= PASSES; pass++) {
      try (LogServer server = LogServer.tcpSocketServer(core, HEAP, libraries, folder)) {
        bestOfLog4j2 = Math.max(bestOfLog4j2, replay(server, times, pass));
        liveOfLog4j2 = Math.max(liveOfLog4j2, live(server, pass));
      }
      try (LogServer server = LogServer.collector(core, HEAP, folder)) {
        bestOfCollector = Math.max(bestOfCollector, replay(server, times, pass));
        live = Math.max(live, live(server, pass));
      }
    }
    System.out.printf(
        Locale.ROOT, "live, one appender: %.1f x TcpSocketServer%n", live / liveOfLog4j2);
    System.out.printf(
        Locale.ROOT, "log4j2: %.1f x TcpSocketServer%n", bestOfCollector / bestOfLog4j2);
  }

  /** Events a second, after a round that warms the server up. */
  private double replay(LogServer server, int times, int pass)
      throws IOException, InterruptedException {
    awaitReceived(server, recorded.send(server.port(), CONNECTIONS, 1));
    long begin = System.nanoTime();
    long sent = recorded.send(server.port(), CONNECTIONS, times);
    long end = awaitReceived(server, sent);
    double rate = sent * 1e9 / (end - begin);
    System.out.printf(
        Locale.ROOT,
        "%s, recorded, pass %d: %,d events over %d connections, %,.0f events/s%n",
        server.name(),
        pass,
        sent,
        CONNECTIONS,
        rate);
    return rate;
  }

  private double live(LogServer server, int pass) throws IOException, InterruptedException {
    int sent = (int) Math.min(events, MAX_LIVE_EVENTS);
    long begin = System.nanoTime();
    log(server.port(), sent);
    long end = awaitReceived(server, sent);
    double rate = sent * 1e9 / (end - begin);
    System.out.printf(
        Locale.ROOT,
        "%s, live, pass %d: %,d events, %,.0f events/s%n",
        server.name(),
        pass,
        sent,
        rate);
    return rate;
  }

  private long awaitReceived(LogServer server, long sent) throws IOException, InterruptedException {
    long more = trailing.send(server.port(), 1, 1);
    long end = server.awaitReceived(sent);
    server.expectLater(more);
    return end;
  }

  private void log(int port, int count) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                HostProcess.java(),
                "-Dport=" + port,
                "-Dlog4j.configurationFile=" + LogServer.configuration("sender.xml", folder),
                "-cp",
                LogServer.classPath(libraries),
                SenderHost.class.getName(),
                String.valueOf(count)));
    Process sender = new ProcessBuilder(command).inheritIO().start();
    if (sender.waitFor() != 0) {
      throw new IOException("The program that logs has ended with " + sender.exitValue());
    }
  }
}

package org.fedometer.benchmarks.log4j2;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.benchmarks.collector.CollectorHost;
import org.fedometer.benchmarks.process.HostProcess;
import org.fedometer.store.RunDeletion;

/** A server under test, in a process of its own, and how many events it has taken. */
final class LogServer implements AutoCloseable {
  private static final long TIMEOUT_NANOS = 600_000_000_000L;

  private final String name;
  private final HostProcess process;
  private final int port;
  private final EventCount count;
  private final Path data;
  private long expected;

  private interface EventCount {
    long received() throws IOException, InterruptedException;
  }

  private LogServer(String name, HostProcess process, int port, EventCount count, Path data) {
    this.name = name;
    this.process = process;
    this.port = port;
    this.count = count;
    this.data = data;
  }

  static LogServer tcpSocketServer(String core, String heap, Path libraries, Path folder)
      throws IOException {
    Path received = folder.resolve("received.log");
    List<String> command = pinned(core);
    command.addAll(
        List.of(
            HostProcess.java(),
            heap,
            "-Dreceived=" + received,
            "-Dlog4j.configurationFile=" + configuration("server.xml", folder),
            "-cp",
            classPath(libraries),
            TcpSocketServerHost.class.getName()));
    HostProcess process = HostProcess.start(command, folder.resolve("server.err"));
    int port = Integer.parseInt(process.await("port"));
    return new LogServer("TcpSocketServer", process, port, new LinesOf(received), received);
  }

  static LogServer collector(String core, String heap, Path folder) throws IOException {
    Path store = folder.resolve("store");
    HostProcess process =
        HostProcess.start(core, CollectorHost.class, List.of(heap), store, CollectorHost.WITH_HTTP);
    int port = Integer.parseInt(process.await("port"));
    URI metrics = URI.create("http://127.0.0.1:" + process.await("http") + "/metrics");
    return new LogServer("collector", process, port, new MetricOf(metrics), store);
  }

  String name() {
    return name;
  }

  int port() {
    return port;
  }

  /**
   * Waits until these events, sent since the last call, are taken.
   *
   * @return when that was seen, {@code System.nanoTime()}
   */
  long awaitReceived(long more) throws IOException, InterruptedException {
    expected += more;
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    long received = count.received();
    while (received < expected) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(name + " has taken " + received + " of " + expected + " events");
      }
      Thread.sleep(5);
      received = count.received();
    }
    return System.nanoTime();
  }

  /** Adds events that were sent and are not awaited. */
  void expectLater(long more) {
    expected += more;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.close();
    RunDeletion.delete(data);
  }

  /** Log4j2 2.8.2 and what of ours runs beside it. */
  static String classPath(Path libraries) {
    return System.getProperty("java.class.path").split(File.pathSeparator)[0]
        + File.pathSeparator
        + libraries.resolve("*");
  }

  /** A resource as a file: the class path of these programs is not ours. */
  static Path configuration(String resource, Path folder) throws IOException {
    Path file = folder.resolve(resource);
    try (InputStream in = LogServer.class.getResourceAsStream(resource)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }

  private static List<String> pinned(String core) {
    return new ArrayList<>(core.isEmpty() ? List.of() : List.of("taskset", "-c", core));
  }

  /** Counts the lines of a file that grows. */
  private static final class LinesOf implements EventCount {
    private final Path file;
    private final byte[] buffer = new byte[1 << 20];
    private long position;
    private long lines;

    LinesOf(Path file) {
      this.file = file;
    }

    @Override
    public long received() throws IOException {
      try (InputStream in = Files.newInputStream(file)) {
        in.skipNBytes(position);
        int read;
        while ((read = in.read(buffer)) > 0) {
          position += read;
          for (int i = 0; i < read; i++) {
            if (buffer[i] == '\n') {
              lines++;
            }
          }
        }
      }
      return lines;
    }
  }

  private record MetricOf(URI metrics, HttpClient client) implements EventCount {
    private static final String NAME = "fedometer_log_lines_durable_total ";

    MetricOf(URI metrics) {
      this(metrics, HttpClient.newHttpClient());
    }

    @Override
    public long received() throws IOException, InterruptedException {
      String text =
          client
              .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      return text.lines()
          .filter(line -> line.startsWith(NAME))
          .map(line -> (long) Double.parseDouble(line.substring(NAME.length())))
          .findFirst()
          .orElse(0L);
    }
  }
}

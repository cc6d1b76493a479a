package org.fedometer.collector;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.collector.receive.TlsFiles;
import org.fedometer.collector.segmentlog.SegmentLogOptions;

/** A collector in a process of its own, which a test may kill. */
public final class CollectorProcess implements AutoCloseable {
  private static final String HTTP = "fedometer.test.http";

  private final Process process;

  private CollectorProcess(Process process) {
    this.process = process;
  }

  /**
   * In the child: store, port, segment size, idle exit (or 0) and seal age in milliseconds; perhaps
   * the files of its certificate and key.
   */
  public static void main(String[] arguments) throws Exception {
    EndpointOptions endpoints =
        EndpointOptions.at(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1])));
    if (System.getProperty(HTTP) != null) {
      endpoints =
          endpoints.withHttp(
              new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getProperty(HTTP))));
    }
    if (arguments.length > 5) {
      endpoints = endpoints.withTls(new TlsFiles(Path.of(arguments[5]), Path.of(arguments[6])));
    }
    CollectorOptions options =
        CollectorOptions.foreground(endpoints, Path.of(arguments[0]))
            .withSegmentLog(
                SegmentLogOptions.defaults()
                    .withSegmentBytes(Long.parseLong(arguments[2]))
                    .withSealAge(Duration.ofMillis(Long.parseLong(arguments[4])))
                    .withHeartbeat(Duration.ofMillis(300))
                    .withClock(OneDay.CLOCK));
    Duration idle = Duration.ofMillis(Long.parseLong(arguments[3]));
    if (!idle.isZero()) {
      options = options.withIdleExit(new IdleExit(idle, idle.multipliedBy(4)));
    }
    try (CollectorServer server = CollectorServer.start(options)) {
      server.awaitStop();
    }
  }

  static List<String> command(Path store, int port, long segmentBytes, Duration idle) {
    return command(store, port, segmentBytes, idle, Duration.ofSeconds(60));
  }

  private static List<String> command(
      Path store, int port, long segmentBytes, Duration idle, Duration sealAge) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        CollectorProcess.class.getName(),
        store.toString(),
        String.valueOf(port),
        String.valueOf(segmentBytes),
        String.valueOf(idle.toMillis()),
        String.valueOf(sealAge.toMillis()));
  }

  static CollectorProcess start(Path store, int port, long segmentBytes, Duration sealAge)
      throws IOException {
    return start(store, command(store, port, segmentBytes, Duration.ZERO, sealAge));
  }

  /** One that answers by HTTP, too. */
  public static CollectorProcess startWithHttp(Path store, int port, int httpPort)
      throws IOException {
    return startWithHttp(store, port, httpPort, 1 << 20);
  }

  static CollectorProcess startWithHttp(Path store, int port, int httpPort, long segmentBytes)
      throws IOException {
    List<String> command =
        new ArrayList<>(command(store, port, segmentBytes, Duration.ZERO, Duration.ofMinutes(1)));
    command.add(1, "-D" + HTTP + "=" + httpPort);
    return start(store, command);
  }

  /** Starts one that accepts only TLS connections and logs its warnings. */
  static CollectorProcess start(Path store, int port, TlsFiles tls) throws IOException {
    List<String> command = new ArrayList<>(command(store, port, 1 << 20, Duration.ZERO));
    command.add(1, "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    command.add(tls.key().file().toString());
    command.add(tls.key().pemKeyOrNull().toString());
    return start(store, command);
  }

  private static CollectorProcess start(Path store, List<String> command) throws IOException {
    return new CollectorProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(store.resolve("process.log").toFile()))
            .start());
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Limits the size of files it writes, like a full disk, or removes the limit.
   *
   * @param bytes a number or {@code unlimited}; without {@code prlimit} the caller skips its test
   */
  public void limitFiles(String bytes) throws Exception {
    Process limit =
        new ProcessBuilder(
                "/usr/bin/prlimit", "--pid", "" + process.pid(), "--fsize=" + bytes + ":unlimited")
            .inheritIO()
            .start();
    if (limit.waitFor() != 0) {
      throw new IOException("prlimit: exit code " + limit.exitValue());
    }
  }

  /** As kill -9 does, or a power cut as far as the process is concerned. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}

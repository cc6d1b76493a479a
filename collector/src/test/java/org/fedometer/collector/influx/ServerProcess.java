package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A third-party server as a separate process on loopback, which a test may kill. */
public final class ServerProcess implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final List<String> command;
  private final Path log;
  private final int port;
  private Process process;

  private ServerProcess(List<String> command, Path log, int port) {
    this.command = command;
    this.log = log;
    this.port = port;
  }

  /** InfluxDB 1.x, with its data below the folder. */
  public static ServerProcess influxDb(Path folder, boolean asksForUsers) throws IOException {
    Path program = installed("/usr/bin/influxd", "influxdb");
    int port = freePort();
    Path configuration = folder.resolve("influxdb.conf");
    Files.writeString(
        configuration,
        """
        reporting-disabled = true
        bind-address = "127.0.0.1:%d"
        [meta]
          dir = "%s/meta"
        [data]
          dir = "%2$s/data"
          wal-dir = "%2$s/wal"
        [monitor]
          store-enabled = false
        [subscriber]
          enabled = false
        [http]
          bind-address = "127.0.0.1:%d"
          auth-enabled = %b
          log-enabled = false
        """
            .formatted(freePort(), folder, port, asksForUsers));
    ServerProcess server =
        new ServerProcess(
            List.of(program.toString(), "-config", configuration.toString()),
            folder.resolve("influxd.log"),
            port);
    server.start();
    return server;
  }

  /** Starts VictoriaMetrics, which supports the write API of InfluxDB 2.x. */
  static ServerProcess victoriaMetrics(Path folder) throws IOException {
    Path program = installed("/usr/bin/victoria-metrics", "victoria-metrics");
    int port = freePort();
    ServerProcess server =
        new ServerProcess(
            List.of(
                program.toString(),
                "-httpListenAddr=127.0.0.1:" + port,
                "-storageDataPath=" + folder.resolve("data"),
                "-retentionPeriod=100y",
                "-memory.allowedBytes=64MB"),
            folder.resolve("victoria-metrics.log"),
            port);
    server.start();
    return server;
  }

  /** Skips the test where the program is missing; with FEDOMETER_REQUIRE_ALL=1 it fails. */
  private static Path installed(String path, String debianPackage) {
    Path program = Path.of(path);
    String missing =
        "%s is there: apt-get install --no-install-recommends %s".formatted(path, debianPackage);
    if (!"1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"))) {
      assumeThat(program).as(missing).isExecutable();
    }
    assertThat(program).as(missing).isExecutable();
    return program;
  }

  public void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    await()
        .atMost(60, TimeUnit.SECONDS)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> get("/ping") / 100 == 2);
  }

  /** As kill -9 does. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  private int get(String path) throws IOException, InterruptedException {
    return HTTP.send(
            HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(5)).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /**
   * Asks with GET.
   *
   * @param nameAndValue of a parameter, then those of the next
   */
  String request(String path, String... nameAndValue) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(url() + path + "?" + form(nameAndValue))).GET());
  }

  /** As {@link #request}, with POST. */
  String order(String path, String... nameAndValue) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form(nameAndValue))));
  }

  private static String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response =
        HTTP.send(
            request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
    return response.body();
  }

  private static String form(String... nameAndValue) {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < nameAndValue.length; i += 2) {
      form.append(i == 0 ? "" : "&")
          .append(nameAndValue[i])
          .append('=')
          .append(URLEncoder.encode(nameAndValue[i + 1], StandardCharsets.UTF_8));
    }
    return form.toString();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    kill();
  }
}

package org.fedometer.cli.runs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests and exit codes of {@code runs export}; the collector's tests have an InfluxDB. */
@Timeout(60)
class ExportCommandTest {
  @TempDir private Path store;
  private final StringWriter output = new StringWriter();

  @Test
  void aRunIsWrittenToTheDatabaseThatIsNamed() throws Exception {
    storeRun();
    List<String> written = new CopyOnWriteArrayList<>();
    HttpServer influx =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    influx.createContext(
        "/write",
        exchange -> {
          boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
          try (InputStream body =
              gzip ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            written.add(
                exchange.getRequestURI().getQuery()
                    + " "
                    + new String(body.readAllBytes(), StandardCharsets.UTF_8));
          }
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    influx.start();
    try {
      String url = "http://127.0.0.1:" + influx.getAddress().getPort();
      assertThat(export("big", "--influx", url, "--influx-database", "repository"))
          .isEqualTo(ExitCode.DONE);
    } finally {
      influx.stop(0);
    }
    assertThat(written)
        .singleElement()
        .asString()
        .contains("db=repository")
        .contains("fedometer_runs,", "choice_gc=g1", "run=big", "state=\"done\"");
  }

  @Test
  void reportsAnUnreachableInfluxdb() throws Exception {
    storeRun();

    int exitCode =
        export("big", "--influx", "http://127.0.0.1:1", "--influx-database", "repository");

    assertThat(exitCode).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(output.toString()).contains("127.0.0.1:1").doesNotContain("Exception");
  }

  private void storeRun() throws IOException {
    Path run = Files.createDirectories(store.resolve("runs/big"));
    Files.writeString(
        run.resolve("run.json"),
        """
        {"schema": 1, "id": "01JD0000000000000000000000", "name": "big", "state": "done",
         "workers": 4, "profile": {"name": "mulgara-derby", "choices": {"gc": "g1"}}}""");
  }

  private int export(String... arguments) {
    List<String> all = new ArrayList<>(List.of("runs", "export", "--store", store.toString()));
    all.addAll(List.of(arguments));
    return Main.commandLine()
        .setErr(new PrintWriter(output, true))
        .execute(all.toArray(String[]::new));
  }
}

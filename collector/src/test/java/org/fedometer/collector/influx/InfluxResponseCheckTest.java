package org.fedometer.collector.influx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fedometer.wire.tls.TestCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Responses that count as written, with both of InfluxDB's APIs, from servers that are not
 * InfluxDB.
 */
@Timeout(60)
class InfluxResponseCheckTest {
  private static final List<InfluxTarget.Destination> PLACES =
      List.of(
          new InfluxTarget.Database("f", "", "", ""), new InfluxTarget.Bucket("f", "org", "token"));
  private static final List<String> LINES = List.of("m v=1 1");

  @TempDir Path folder;
  private HttpServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  private static Stream<Arguments> failures() {
    String page = "<html>login</html>";
    return Stream.of(
        Arguments.of(200, "text/html", page, "200 OK with text/html instead of 204"),
        Arguments.of(200, "application/json", "{}", "instead of 204"),
        Arguments.of(201, "", "", "instead of 204"),
        Arguments.of(302, "", "", "a redirect to https://login.example.org/x"),
        Arguments.of(307, "", "", "a redirect to https://login.example.org/x"),
        Arguments.of(400, "text/html", page, "not InfluxDB's write API"),
        Arguments.of(400, "", "\n<!DOCTYPE html><html>", "not InfluxDB's write API"),
        Arguments.of(422, "text/html", page, "not InfluxDB's write API"),
        Arguments.of(502, "text/html", page, "502 Bad Gateway with text/html"),
        Arguments.of(
            400,
            "text/plain",
            "Client sent an HTTP request to an HTTPS server.",
            "begin --influx with https://"),
        Arguments.of(503, "", "", "it answers 503"),
        Arguments.of(503, "application/json", "{\"error\":\"busy\"}", "busy"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void explainsForeignResponses(int status, String type, String body, String reason)
      throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    respond(status, type, body);
    for (InfluxTarget.Destination place : PLACES) {
      try (InfluxWriter writer = InfluxWriter.to(new InfluxTarget(url("http"), place))) {
        assertThatThrownBy(() -> writer.write(LINES))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(reason)
            .hasMessageNotContaining("Exception");
      }
    }
  }

  @Test
  void acceptsOnlyNoContent() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    respond(204, "", "");
    for (InfluxTarget.Destination place : PLACES) {
      try (InfluxWriter writer = InfluxWriter.to(new InfluxTarget(url("http"), place))) {
        assertThatCode(() -> writer.write(LINES)).doesNotThrowAnyException();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "text/html,<html>Content Too Large</html>",
    "text/html,<html>Payload Too Large</html>",
    "application/json,{\"error\":\"Request Entity Too Large\"}",
    "'',''"
  })
  void whatIsTooLargeIsNotSentAgain(String type, String body) throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    respond(413, type, body);
    for (InfluxTarget.Destination place : PLACES) {
      try (InfluxWriter writer = InfluxWriter.to(new InfluxTarget(url("http"), place))) {
        assertThatThrownBy(() -> writer.write(LINES))
            .isInstanceOf(InfluxWriter.RefusedException.class)
            .hasMessageContaining("it answers 413");
      }
    }
  }

  @Test
  void trustsTheCertificateFileAndNamesUntrustedCertificates() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.selfSigned("influx", "ip:127.0.0.1");
    HttpsServer https =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    https.setHttpsConfigurator(new HttpsConfigurator(certificates.server("influx")));
    server = https;
    respond(204, "", "");
    Path ca = certificates.certificate("influx", folder.resolve("ca.pem"));
    for (InfluxTarget.Destination place : PLACES) {
      try (InfluxWriter writer = InfluxWriter.to(new InfluxTarget(url("https"), place, ca))) {
        assertThatCode(() -> writer.write(LINES)).doesNotThrowAnyException();
      }
      try (InfluxWriter writer = InfluxWriter.to(new InfluxTarget(url("https"), place))) {
        assertThatThrownBy(() -> writer.write(LINES))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll("its certificate (CN=", "not trusted", "--influx-ca");
      }
    }
    InfluxTarget target = new InfluxTarget(url("https"), PLACES.get(0), ca);
    assertThat(target.options()).contains("--influx-ca " + ca);
  }

  private void respond(int status, String type, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          Map.of("Content-Type", type, "Location", "https://login.example.org/x")
              .forEach(
                  (name, value) -> {
                    if (!value.isEmpty() && (!name.equals("Location") || status / 100 == 3)) {
                      exchange.getResponseHeaders().set(name, value);
                    }
                  });
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  private String url(String scheme) {
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }
}

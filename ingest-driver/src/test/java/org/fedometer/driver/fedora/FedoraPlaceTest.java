package org.fedometer.driver.fedora;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.fedometer.wire.tls.TestCertificates;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handling of a server in Fedora's place, or one that cannot be trusted. */
@Timeout(60)
class FedoraPlaceTest {
  private static final FedoraClientOptions OPTIONS =
      new FedoraClientOptions(
          2, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(10));

  @TempDir Path folder;
  private HttpServer server;

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html><b>Log in</b></html>",
        "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html><user/></html>",
        "<!-- <user/> --><html/>",
        "\uFEFF<html/>",
        "<users/>",
        "{\"user\": \"<user/>\"}",
        ""
      })
  void onlyXmlOfFedorasIsALogin(String body) throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer(200, "Content-Type", "text/html; charset=UTF-8", body);
    assertThatThrownBy(() -> login("http", null))
        .isInstanceOf(FedoraRefusalException.class)
        .hasMessageContainingAll("There is no Fedora at", "login page or a proxy");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFEFF<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- of 3.8.1 -->\n<user id=\"a\">",
        "<fedoraRepository xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">",
        "<?xml version=\"1.0\"?>\n<foxml:digitalObject VERSION=\"1.1\">"
      })
  void eachAnswerOfAFedoraIsALogin(String body) throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer(200, "Content-Type", "text/xml", body);
    assertThatCode(() -> login("http", null)).doesNotThrowAnyException();
  }

  @Test
  void reportsTheTargetOfARedirect() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer(302, "Location", "https://login.example.org/sso", "");
    assertThatThrownBy(() -> login("http", null))
        .isInstanceOf(FedoraRefusalException.class)
        .hasMessageContainingAll("302, a redirect to https://login.example.org/sso");
  }

  @Test
  void aCertificateIsTrustedByItsFileAndNamedWhereItIsNot() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.selfSigned("fedora", "ip:127.0.0.1");
    HttpsServer https =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    https.setHttpsConfigurator(new HttpsConfigurator(certificates.server("fedora")));
    server = https;
    answer(200, "Content-Type", "text/xml", "<user id=\"fedoraAdmin\"/>");
    Path ca = certificates.certificate("fedora", folder.resolve("ca.pem"));

    assertThatCode(() -> login("https", ca)).doesNotThrowAnyException();
    assertThatThrownBy(() -> login("https", null))
        .isInstanceOf(FedoraUnreachableException.class)
        .hasMessageContainingAll("its certificate (CN=", "is not trusted", "--fedora-ca");
  }

  private void login(String scheme, Path ca) throws Exception {
    URI url = URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/fedora");
    try (FedoraClient client =
        FedoraClient.open(
            new FedoraLogin(url, "fedoraAdmin", "secret".toCharArray(), ca), OPTIONS)) {
      client.newSession().login();
    }
  }

  private void answer(int status, String header, String value, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set(header, value);
          exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }
}

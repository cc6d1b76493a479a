package org.fedometer.driver.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.fedometer.datasets.ComposedObject;
import org.fedometer.datasets.ContentStream;
import org.fedometer.datasets.RepositoryObject;
import org.fedometer.driver.TinyDataset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentServerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final InetSocketAddress FREE_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Two objects; the second one's content is shorter than it claims. */
  private static final class TwoObjects extends TinyDataset {
    @Override
    public long size() {
      return 2;
    }

    @Override
    public ComposedObject object(long index) {
      ComposedObject object = super.object(index);
      if (index == 0) {
        return object;
      }
      return new ComposedObject(
          object.pid(),
          object.label(),
          List.of(new Short(object.content().get(0)), new Failing()),
          object.dublinCore(),
          object.relationships());
    }
  }

  private record Short(ContentStream declared) implements ContentStream {
    @Override
    public String id() {
      return "SHORT";
    }

    @Override
    public String label() {
      return "";
    }

    @Override
    public String mediaType() {
      return "text/plain";
    }

    @Override
    public long sizeBytes() {
      return declared.sizeBytes() + 1;
    }

    @Override
    public InputStream open() throws IOException {
      return declared.open();
    }
  }

  private record Failing() implements ContentStream {
    @Override
    public String id() {
      return "FAILING";
    }

    @Override
    public String label() {
      return "";
    }

    @Override
    public String mediaType() {
      return "text/plain";
    }

    @Override
    public long sizeBytes() {
      return 1;
    }

    @Override
    public InputStream open() {
      throw new IllegalStateException("no pool");
    }
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private ContentServer server;

  @BeforeEach
  void start() throws IOException {
    server = ContentServer.start(new TwoObjects(), FREE_PORT);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void contentComesWithItsTypeAndLength() throws Exception {
    HttpResponse<String> answer = ask("GET", "/objects/0/FULLTEXT");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("text of 0");
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain");
    assertThat(answer.headers().firstValue("Content-Length")).hasValue("9");
  }

  @Test
  void headReturnsTheHeadersOnly() throws Exception {
    HttpResponse<String> answer = ask("HEAD", "/objects/0/IMAGE");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.headers().firstValue("Content-Length")).hasValue("10");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/objects",
        "/objects/",
        "/objects/0",
        "/objects/0/",
        "/objects/0/NONE",
        "/objects/0/FULLTEXT/",
        "/objects/0/FULLTEXT?x=1",
        "/objects/0/FULLTEXT/../IMAGE",
        "/objects/0/%46ULLTEXT",
        "/objects/0/..%2f..%2fetc%2fpasswd",
        "/objects/../objects/0/FULLTEXT",
        "//objects/0/FULLTEXT",
        "/objects/00/FULLTEXT",
        "/objects/-1/FULLTEXT",
        "/objects/2/FULLTEXT",
        "/objects/9999999999999999999/FULLTEXT",
        "/objects/0/DC",
        "/OBJECTS/0/FULLTEXT"
      })
  void whatIsNotThereIsNotFound(String path) throws Exception {
    assertThat(rawStatus("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo(404);
  }

  @Test
  void nothingCanBeWritten() throws Exception {
    HttpResponse<String> answer = ask("POST", "/objects/0/FULLTEXT");

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
  }

  @Test
  void rejectsContentThatIsTooShort() {
    assertThatThrownBy(() -> ask("GET", "/objects/1/SHORT")).isInstanceOf(IOException.class);
  }

  /** Making it needs time that would be measured as Fedora's. */
  @Test
  void anObjectThatIsBeingSentIsNotMadeAnewForItsContent() throws Exception {
    RepositoryObject sent = new TinyDataset().object(1);
    try (ContentServer.RequestTracker ignored = server.track(1, sent)) {
      assertThat(ask("GET", "/objects/1/FULLTEXT").body()).isEqualTo("text of 1");
    }
    assertThat(ask("GET", "/objects/1/FULLTEXT").statusCode())
        .as("what the dataset itself makes has no such datastream")
        .isEqualTo(404);
  }

  @Test
  void contentThatCannotBeMadeIsAnError() throws Exception {
    try (ContentServer.RequestTracker watch = server.track(1, new TwoObjects().object(1))) {
      assertThat(ask("GET", "/objects/1/FAILING").statusCode()).isEqualTo(500);
      assertThat(watch.lastError("FAILING"))
          .hasValue("The dataset could not produce this object: no pool");
    }
  }

  @Test
  void servesConcurrentRequests() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      asked.add(
          http.sendAsync(
              request("GET", "/objects/0/" + (i % 2 == 0 ? "FULLTEXT" : "IMAGE")),
              HttpResponse.BodyHandlers.ofString()));
    }
    for (int i = 0; i < asked.size(); i++) {
      assertThat(asked.get(i).get().body()).isEqualTo(i % 2 == 0 ? "text of 0" : "image of 0");
    }
  }

  @Test
  void reportsAPortInUse() {
    InetSocketAddress taken =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.url().getPort());

    assertThatThrownBy(() -> ContentServer.start(new TwoObjects(), taken))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "The content server cannot listen on (localhost|127\\.0\\.0\\.1):[0-9]+: .*in use.*");
  }

  @Test
  void doesNotRespondAfterClose() {
    server.close();

    assertThatThrownBy(() -> ask("GET", "/objects/0/FULLTEXT"))
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void anAddressThatStandsForAllIsNoneThatFedoraCouldAsk() {
    assertThatThrownBy(
            () -> ContentOptions.standard().withServer(new InetSocketAddress("0.0.0.0", 80)))
        .hasMessage(
            "the content server cannot have the address '0.0.0.0'; give a name or address of"
                + " this machine that Fedora can reach");
    assertThatThrownBy(
            () ->
                ContentOptions.standard()
                    .withServer(InetSocketAddress.createUnresolved("no.such.host.invalid", 80)))
        .hasMessageStartingWith(
            "the content server cannot have the address 'no.such.host.invalid'");
  }

  private HttpRequest request(String method, String path) {
    return HttpRequest.newBuilder(URI.create(server.url() + path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .timeout(TIMEOUT)
        .build();
  }

  private HttpResponse<String> ask(String method, String path) throws Exception {
    return http.send(request(method, path), HttpResponse.BodyHandlers.ofString());
  }

  /** For paths that a client would normalize. */
  private int rawStatus(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.url().getPort())) {
      socket.setSoTimeout((int) TIMEOUT.toMillis());
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.US_ASCII));
      out.flush();
      byte[] head = socket.getInputStream().readNBytes("HTTP/1.1 404".length());
      return Integer.parseInt(new String(head, StandardCharsets.US_ASCII).substring(9));
    }
  }
}

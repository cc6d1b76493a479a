package org.fedometer.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.fedometer.driver.fedora.FedoraClient;
import org.fedometer.driver.fedora.FedoraClientOptions;
import org.fedometer.driver.fedora.FedoraLogin;
import org.fedometer.driver.fedora.FedoraRefusalException;
import org.fedometer.driver.fedora.FedoraSession;
import org.fedometer.driver.fedora.FedoraXml;
import org.fedometer.driver.fedora.ObjectCounter;
import org.fedometer.driver.fedora.TripleCounter;
import org.fedometer.driver.object.XmlDigest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nonsensical or malicious servers in Fedora's place. */
@Tag("slow")
@Timeout(120)
class FedoraNonsenseTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n";

  @TempDir Path folder;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private ServerSocket server;
  private ExecutorService threads;
  private final CountDownLatch over = new CountDownLatch(1);
  private FedoraClient client;
  private FedoraSession session;

  /** Answers whatever is asked after the login. */
  private volatile Script script;

  private interface Script {
    void answer(OutputStream out) throws IOException;
  }

  @BeforeEach
  void start() throws Exception {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads = Executors.newCachedThreadPool();
    threads.execute(this::accept);
    open(Duration.ofMinutes(1));
    script =
        out ->
            out.write((OK + "Content-Length: 7\r\n\r\n<user/>").getBytes(StandardCharsets.UTF_8));
    session.login();
  }

  private void open(Duration requestLimit) {
    client =
        FedoraClient.open(
            new FedoraLogin(
                URI.create("http://127.0.0.1:" + server.getLocalPort() + "/fedora"),
                "fedoraAdmin",
                "secret".toCharArray()),
            new FedoraClientOptions(
                4, Duration.ofSeconds(10), Duration.ofSeconds(30), requestLimit));
    session = client.newSession();
  }

  /** For what only the time ends. */
  private void cutRequestsSoon() {
    session.close();
    client.close();
    open(Duration.ofSeconds(2));
  }

  @AfterEach
  void stop() throws IOException {
    over.countDown();
    session.close();
    client.close();
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
  }

  @Test
  void headersWithoutAnEndAreGivenUp() {
    script = out -> forever(out, "HTTP/1.1 200 OK\r\n", "X-More: and more\r\n");

    assertNoAnswer("Maximum header count exceeded");
  }

  @Test
  void aHeaderWithoutAnEndIsGivenUp() {
    script = out -> forever(out, "HTTP/1.1 200 OK\r\nX-More: ", "x".repeat(1000));

    assertNoAnswer("Maximum line length limit exceeded");
  }

  @Test
  void provisionalAnswersWithoutAnEndAreCutWhenTheTimeIsOver() {
    cutRequestsSoon();
    script = out -> forever(out, "", "HTTP/1.1 100 Continue\r\n\r\n");

    assertNoAnswer();
  }

  @Test
  void anAnswerThatComesByteByByteIsCutWhenTheTimeIsOver() {
    cutRequestsSoon();
    script =
        out -> {
          out.write((OK + "\r\n<objectProfile>").getBytes(StandardCharsets.UTF_8));
          while (true) {
            out.write(' ');
            out.flush();
            pause();
          }
        };

    assertNoAnswer();
  }

  /** Not by its time, which is a minute, but by the connection's end. */
  @Test
  void aBodyShorterThanItsLengthIsNoAnswer() {
    script = hangingUpAfter(OK + "Content-Length: 1000\r\n\r\n<objectProfile pid='a:1'/>");

    assertThatThrownBy(() -> session.profile("a:1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Premature end of Content-Length delimited message body")
        .hasMessageNotContaining("XML")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
    assertThatThrownBy(() -> session.describe())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Premature end")
        .hasMessageNotContaining("XML");
  }

  @Test
  void aBodyShorterThanItsLengthIsWaitedForUntilTheTimeIsOver() {
    cutRequestsSoon();
    script =
        out ->
            out.write(
                (OK + "Content-Length: 1000\r\n\r\n<objectProfile pid='a:1'/>")
                    .getBytes(StandardCharsets.UTF_8));

    assertNoAnswer();
  }

  /** The second time would be the half minute that the client has for it. */
  @Test
  @Timeout(20)
  void anAnswerThatFallsSilentIsNotWaitedForTwice() {
    script =
        out -> out.write((OK + "Content-Length: 1000\r\n\r\n").getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(
            () ->
                session.fetch(
                    "/describe",
                    "Could not ask",
                    body -> {
                      throw new SocketTimeoutException("Read timed out");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("Could not ask: no answer in time: Read timed out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "99999999999999999999", "x"})
  void aLengthThatIsNoneIsNoAnswer(String length) {
    script =
        out ->
            out.write(
                (OK + "Content-Length: " + length + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));

    assertNoAnswer();
  }

  @ParameterizedTest
  @ValueSource(strings = {"301", "302", "303", "307", "308"})
  void reportsARedirectWithoutFollowingIt(String status) {
    script =
        out ->
            out.write(
                ("HTTP/1.1 "
                        + status
                        + " Elsewhere\r\nLocation: /fedora/describe?xml=true\r\n"
                        + "Content-Length: 0\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
    int before = heads.size();

    assertThatThrownBy(() -> session.describe())
        .isInstanceOf(FedoraRefusalException.class)
        .hasMessageContaining(status);

    assertThat(heads).hasSize(before + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html><body><p>Welcome<br></body></html>",
        "not found",
        "<a>",
        "<a b='1' b='2'/>",
        "\u0000\u0001",
        "<?xml version='1.0' encoding='no-such'?><a/>",
        "<?xml version='1.0' encoding='UTF-16'?><a/>"
      })
  void reportsAResponseThatIsNotXml(String body) {
    script = whole(body);

    for (Query question : queries()) {
      assertThatThrownBy(question::run)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Fedora's response cannot be read as XML");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "<pid>x:1</pid>, 'is longer than 64 MiB, the limit'",
    "text and more text, 'is longer than 64 MiB, the limit'",
    "<!-- -->, 'is longer than 64 MiB, the limit'",
    "<dsid a='b'/>, 'is longer than 64 MiB, the limit'",
    "<a>, Maximum Element Depth"
  })
  void xmlWithoutAnEndIsGivenUp(String more, String why) {
    script = out -> forever(out, OK + "\r\n<result>", more.repeat(2_000));

    assertThatThrownBy(() -> session.datastreamIds("x:1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why);
  }

  @Test
  void anAttributeWithoutAnEndIsGivenUp() {
    script = out -> forever(out, OK + "\r\n<result a='", "x".repeat(10_000));

    assertThatThrownBy(() -> session.datastreamIds("x:1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Maximum attribute size");
  }

  @Test
  void readsEndlessXmlUpToTheLimit() {
    for (String more : List.of("<!-- -->", "text and more text ", "<pid>x:1</pid>")) {
      assertThatThrownBy(
              () -> FedoraXml.forEachElement(new Endless("<pid>", more), e -> e.name().length()))
          .isInstanceOf(IOException.class)
          .hasMessage("Fedora's response is longer than 64 MiB, the limit");
    }
    assertThatThrownBy(() -> FedoraXml.forEachElement(new Endless("<pid>", "text"), e -> e.text()))
        .isInstanceOf(IOException.class)
        .hasMessage("Fedora's response is longer than 64 MiB, the limit");
    assertThatThrownBy(() -> XmlDigest.sha256(new Endless("<pid>", "text and more text ")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 64 million characters");
  }

  @Test
  void entitiesAreNeitherFetchedNorExpanded() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "topsecret");
    StringBuilder laughs = new StringBuilder("<!ENTITY l0 'ha'>");
    for (int i = 1; i < 30; i++) {
      laughs.append("<!ENTITY l%d '&l%d;&l%d;'>".formatted(i, i - 1, i - 1));
    }
    for (String answer :
        List.of(
            "<!DOCTYPE r [<!ENTITY x SYSTEM '"
                + secret.toUri()
                + "'>]><r><repositoryVersion>&x;"
                + "</repositoryVersion></r>",
            "<!DOCTYPE r [" + laughs + "]><r><repositoryVersion>&l29;</repositoryVersion></r>",
            "<!DOCTYPE r SYSTEM 'http://127.0.0.1:"
                + server.getLocalPort()
                + "/dtd'>"
                + "<r><repositoryVersion>1</repositoryVersion></r>")) {
      script = whole(answer);

      try {
        assertThat(session.version().orElse("")).isIn("", "1");
      } catch (IOException e) {
        assertThat(e.getMessage()).doesNotContain("topsecret").doesNotContain("haha");
      }
      assertThat(heads).noneMatch(head -> head.startsWith("GET /dtd"));
    }
  }

  @Test
  void cookiesByTheThousandAreNotKeptNorSentBack() throws Exception {
    for (int i = 0; i < 20; i++) {
      StringBuilder cookies = new StringBuilder();
      for (int j = 0; j < 100; j++) {
        cookies.append("Set-Cookie: C%d_%d=%s\r\n".formatted(i, j, "x".repeat(300)));
      }
      script = whole("<r/>", cookies.toString());
      session.describe();
    }

    assertThat(heads).allSatisfy(head -> assertThat(head.length()).isLessThan(2_000));
  }

  @Test
  void aSessionThatWentWithTooManyCookiesWasNotLostByFedora() throws Exception {
    StringBuilder cookies = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      cookies.append("Set-Cookie: C%d=x; Path=/\r\n".formatted(i));
    }
    for (String headers :
        List.of(
            "Set-Cookie: JSESSIONID=1; Path=/\r\n",
            cookies.toString(),
            "Set-Cookie: JSESSIONID=2; Path=/\r\n")) {
      script = whole("<r/>", headers);
      session.describe();
    }
    assertThat(client.sessionsLost()).isZero();

    script = whole("<r/>", cookies + "Set-Cookie: JSESSIONID=3; Path=/\r\n");
    session.describe();
    assertThat(client.sessionsLost()).isEqualTo(1);
  }

  @Test
  void aProxysCookieWithADateOfAnOlderFormIsSentBack() throws Exception {
    script =
        whole("<r/>", "Set-Cookie: ROUTE=a; Path=/; Expires=Thu, 01-Jan-2099 00:00:00 GMT\r\n");

    session.describe();
    session.describe();

    assertThat(heads.get(heads.size() - 1)).contains("Cookie: ROUTE=a");
  }

  @Test
  void anonymousPingsSendNoCookies() throws Exception {
    script = whole("<r/>", "Set-Cookie: JSESSIONID=1; Path=/\r\n");

    session.ping();
    session.ping();

    assertThat(heads.get(heads.size() - 1))
        .startsWith("GET /fedora/describe")
        .doesNotContainIgnoringCase("Cookie:")
        .doesNotContainIgnoringCase("Authorization:");
  }

  @Test
  void aSessionOfMegabytesIsRefusedAndOneOfKilobytesNotSentBack() throws Exception {
    script = whole("<r/>", "Set-Cookie: JSESSIONID=" + "x".repeat(3 << 20) + "\r\n");
    assertNoAnswer();

    script = whole("<r/>", "Set-Cookie: JSESSIONID=" + "x".repeat(30_000) + "\r\n");
    session.describe();
    session.describe();

    assertThat(heads).allSatisfy(head -> assertThat(head.length()).isLessThan(2_000));
  }

  @Test
  void aSearchThatNamesPageAfterPageWithoutAnObjectEnds() {
    script = whole("<result><listSession><token>on</token></listSession></result>");

    assertThatThrownBy(() -> new ObjectCounter(session).count("x", count -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("after an empty one");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "-5", "99999999999999999999", "1e9", "<html>\u001b[2J"})
  void reportsAnInvalidCount(String count) {
    script = whole(count);

    assertThatThrownBy(() -> new TripleCounter(session).count(false))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Could not count triples: Fedora answered '")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\u001b"));
  }

  private interface Query {
    Object run() throws IOException;
  }

  private List<Query> queries() {
    return List.of(
        () -> session.describe(),
        () -> session.version(),
        () -> session.profile("x:1"),
        () -> session.datastreamIds("x:1"),
        () -> session.datastreamProfile("x:1", "DC"),
        () -> session.isInFieldIndex("x:1"));
  }

  private void assertNoAnswer() {
    assertNoAnswer("");
  }

  private void assertNoAnswer(String why) {
    assertThatThrownBy(() -> session.describe())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1).hasSizeLessThan(1_000));
  }

  private static Script hangingUpAfter(String answer) {
    return out -> {
      out.write(answer.getBytes(StandardCharsets.UTF_8));
      out.flush();
      throw new IOException("hung up as the test wants it");
    };
  }

  private static Script whole(String body) {
    return whole(body, "");
  }

  private static Script whole(String body, String headers) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return out -> {
      out.write(
          (OK + headers + "Content-Length: " + bytes.length + "\r\n\r\n")
              .getBytes(StandardCharsets.UTF_8));
      out.write(bytes);
    };
  }

  /** A beginning, and then the same for ever. */
  private static final class Endless extends InputStream {
    private final byte[] begin;
    private final byte[] more;
    private long position;

    Endless(String begin, String more) {
      this.begin = begin.getBytes(StandardCharsets.UTF_8);
      this.more = more.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int read() {
      long at = position++;
      return at < begin.length ? begin[(int) at] : more[(int) ((at - begin.length) % more.length)];
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      for (int i = 0; i < length; i++) {
        target[offset + i] = (byte) read();
      }
      return length;
    }
  }

  /** Until the other side hangs up. */
  private static void forever(OutputStream out, String begin, String more) throws IOException {
    out.write(begin.getBytes(StandardCharsets.UTF_8));
    byte[] bytes = more.getBytes(StandardCharsets.UTF_8);
    while (true) {
      out.write(bytes);
    }
  }

  /** Between two bytes, unless the test is over. */
  private void pause() throws IOException {
    try {
      if (over.await(50, TimeUnit.MILLISECONDS)) {
        throw new IOException("the test is over");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        return; // The test is over.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          int b = in.read();
          if (b < 0) {
            return;
          }
          head.append((char) b);
        }
        heads.add(head.toString());
        script.answer(socket.getOutputStream());
        socket.getOutputStream().flush();
      }
    } catch (IOException e) {
      // The client has hung up, or the script has.
    }
  }
}

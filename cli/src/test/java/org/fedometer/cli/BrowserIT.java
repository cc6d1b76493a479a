package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.opentest4j.TestAbortedException;

/**
 * {@link Browser} detects faults of a page, shows pages as requested, and leaves nothing behind.
 */
@Tag("browser")
class BrowserIT {
  private static Browser browser;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException {
    browser = Browser.start();
  }

  @AfterAll
  static void end() throws IOException {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void asAtTheStart() {
    browser.wide();
    browser.light();
    browser.print(false);
    browser.reducedMotion(false);
    browser.javaScript(true);
  }

  @Test
  void aQuietPageHasNoErrorAndLoadsNothing() throws IOException {
    open("<p>Quiet</p>");
    assertThat(browser.consoleErrors()).isEmpty();
    assertThat(browser.loadedFromElsewhere()).isEmpty();
    assertThat(browser.axe()).isEmpty();
  }

  @Test
  void errorsOfThePageAreSeenUntilTheNextIsOpened() throws IOException {
    open(
        """
        <script>console.error('told')</script>
        <script>console.warn('only warned')</script>
        <script>throw new Error('thrown')</script>
        <script>Promise.reject(new Error('rejected'))</script>
        <img alt="nothing" src="nothing.png">
        """);
    await().until(() -> browser.consoleErrors().size() >= 4);
    assertThat(browser.consoleErrors())
        .hasSize(4)
        .anyMatch(each -> each.contains("told"))
        .anyMatch(each -> each.contains("Uncaught Error: thrown"))
        .anyMatch(each -> each.contains("Error: rejected"))
        .anyMatch(each -> each.contains("nothing.png"));

    open("<p>Quiet</p>");
    assertThat(browser.consoleErrors()).isEmpty();
  }

  @Test
  void recordsCrossOriginRequestsWithoutResponse() throws IOException {
    Path other = Files.writeString(folder.resolve("other.css"), "p { color: red }");
    open(
        """
        <link rel="stylesheet" href="other.css">
        <link rel="preconnect" href="https://early.example/">
        <img alt="a dot" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
        <img alt="outside" src="https://outside.example/picture.png">
        <script>
          fetch('http://192.0.2.7/telling').catch(() => {});
          try { new WebSocket('wss://outside.example/socket') } catch (e) {}
        </script>
        """);
    await().until(() -> browser.loadedFromElsewhere().size() >= 5);
    assertThat(browser.loadedFromElsewhere())
        .containsExactlyInAnyOrder(
            other.toUri().toString(),
            "https://early.example/",
            "https://outside.example/picture.png",
            "http://192.0.2.7/telling",
            "wss://outside.example/socket");
    assertThat(browser.consoleErrors()).anyMatch(each -> each.contains("ERR_NAME_NOT_RESOLVED"));
  }

  @Test
  void sameOriginRequestsAreNotCrossOrigin() throws IOException {
    HttpServer own = server();
    HttpServer other = server();
    try {
      serve(own, "/style.css", "text/css", "body { color: black }");
      serve(other, "/other.css", "text/css", "body { color: red }");
      serve(
          own,
          "/",
          "text/html",
          page(
              "<link rel='icon' href='data:,'><link rel='stylesheet' href='/style.css?a#b'>"
                  + "<link rel='stylesheet' href='"
                  + address(other)
                  + "/other.css'>"));
      browser.open(URI.create(address(own) + "/"));
      assertThat(browser.consoleErrors()).isEmpty();
      assertThat(browser.loadedFromElsewhere()).containsExactly(address(other) + "/other.css");
      assertThat(browser.data("return getComputedStyle(document.body).color"))
          .isEqualTo("rgb(255, 0, 0)");
    } finally {
      own.stop(0);
      other.stop(0);
    }
  }

  @Test
  void axeReportsAFieldWithoutLabel() throws IOException {
    open("<p>Who?</p><input id='who'>");
    assertThat(browser.axe())
        .singleElement()
        .asString()
        .startsWith("critical, label: Form elements must have labels.")
        .contains("<input id=\"who\">");
  }

  @Test
  void axeSeesColoursOfThePreferenceThatIsSet() throws IOException {
    open(
        """
        <style>
          body { background: #fff; color: #111 }
          @media (prefers-color-scheme: dark) { body { background: #111; color: #222 } }
        </style>
        <p>Legible by day</p>
        """);
    assertThat(browser.axe()).isEmpty();
    browser.dark();
    assertThat(browser.axe())
        .isNotEmpty()
        .allMatch(each -> each.startsWith("serious, color-contrast:"))
        .anyMatch(each -> each.contains("<p>Legible by day</p>"));
  }

  @Test
  void coloursMediumAndMotionReachThePage() throws IOException {
    open("<p>Asks</p>");
    String asked =
        """
        return ['(prefers-color-scheme: dark)', 'print', '(prefers-reduced-motion: reduce)']
            .map(each => matchMedia(each).matches)
        """;
    assertThat(browser.data(asked)).isEqualTo(List.of(false, false, false));
    browser.dark();
    assertThat(browser.data(asked)).isEqualTo(List.of(true, false, false));
    browser.print(true);
    assertThat(browser.data(asked)).isEqualTo(List.of(true, true, false));
    browser.reducedMotion(true);
    browser.print(false);
    assertThat(browser.data(asked)).isEqualTo(List.of(true, false, true));
    open("<p>Asks again</p>");
    assertThat(browser.data(asked)).isEqualTo(List.of(true, false, true));
  }

  @Test
  void thePageIsAsWideAsTheScreen() throws IOException {
    String size = "return [innerWidth, innerHeight]";
    open("<p>Measures</p>");
    assertThat(browser.data(size)).isEqualTo(List.of(1280L, 900L));
    browser.narrow();
    assertThat(browser.data(size)).isEqualTo(List.of(390L, 844L));
    browser.size(700, 500, false);
    assertThat(browser.data(size)).isEqualTo(List.of(700L, 500L));
  }

  @Test
  void aPageCanBeSeenWithoutItsScripts() throws IOException {
    browser.javaScript(false);
    open(
        "<p id='who'>nobody</p><noscript>Needs scripts</noscript>"
            + "<script>who.textContent = 'a script'</script>");
    assertThat(browser.data("return document.getElementById('who').textContent"))
        .isEqualTo("nobody");
    assertThat(browser.data("return document.body.innerText")).asString().contains("Needs scripts");
    browser.javaScript(true);
    open("<p id='who'>nobody</p><script>who.textContent = 'a script'</script>");
    assertThat(browser.data("return who.textContent")).isEqualTo("a script");
  }

  @Test
  void dataOfThePageComesAsObjects() throws IOException {
    open("<p>Data</p><script>window.figures = {count: 3, mean: 1.5, names: ['a', null]}</script>");
    Map<?, ?> values = (Map<?, ?>) browser.data("return window.figures");
    assertThat(values.get("count")).isEqualTo(3L);
    assertThat(values.get("mean")).isEqualTo(1.5);
    assertThat((List<?>) values.get("names")).isEqualTo(Arrays.asList("a", null));
    assertThat(browser.texts("return arguments[0].concat('c')", List.of("a", "b")))
        .containsExactly("a", "b", "c");
  }

  @Test
  void tabGoesFromTheBeginningToTheEnd() throws IOException {
    open(
        """
        <h1>Order</h1>
        <a href="#there">A link</a>
        <label>When <input type="date"></label>
        <button disabled>Never</button>
        <details><summary>More</summary><button>Folded away</button></details>
        <div role="checkbox" tabindex="0" aria-checked="false" aria-label="Ticked">x</div>
        <button>Last</button>
        """);
    List<Browser.Element> order = browser.tabOrder();
    assertThat(order.stream().map(Browser.Element::name))
        .containsExactly("A link", "When", "More", "Ticked", "Last");
    assertThat(browser.tabOrder()).as("the second time").isEqualTo(order);
  }

  @Test
  void keysReachTheFocusedElement() throws IOException {
    open(
        "<label>Name <input id='who'></label><button onclick='this.textContent = who.value'>"
            + "Take it</button>");
    browser.press(Keys.TAB, "Fedora");
    assertThat(browser.focused().name()).isEqualTo("Name");
    browser.press(Keys.SHIFT, Keys.HOME);
    browser.press("Trippi", Keys.TAB, Keys.SPACE);
    browser.waitFor("return document.querySelector('button').textContent === 'Trippi'");
    assertThat(browser.focused())
        .isEqualTo(new Browser.Element("button", "button", "Trippi"))
        .hasToString("button (button) \"Trippi\"");
    browser.press(Keys.SHIFT, Keys.TAB);
    assertThat(browser.focused().tag()).isEqualTo("input");
  }

  @Test
  void aPictureShowsTheWholePage() throws IOException {
    open("<div style='height: 3000px; background: linear-gradient(red, blue)'></div>");
    Path picture = folder.resolve("page.png");
    browser.screenshot(picture);
    var image = ImageIO.read(picture.toFile());
    assertThat(image.getHeight()).isGreaterThan(3000);
    assertThat(image.getWidth()).isEqualTo(1280);
    assertThat(image.getRGB(1260, 2990) & 0xFF).as("blue of the end").isGreaterThan(200);
  }

  @Test
  void nothingIsLeftOfABrowserWhoseTestFailed() throws IOException {
    List<ProcessHandle> processes = new ArrayList<>();
    Path[] home = new Path[1];
    assertThatThrownBy(
            () -> {
              try (Browser other = Browser.start()) {
                processes.addAll(other.processes());
                home[0] = other.folder();
                throw new AssertionError("as a test fails");
              }
            })
        .hasMessage("as a test fails");
    assertThat(processes).as("driver, browser, and its parts").hasSizeGreaterThan(3);
    assertThat(processes).noneMatch(BrowserProcesses::runs);
    assertThat(home[0]).doesNotExist();
    assertThat(new BrowserProcesses(home[0]).running()).isEmpty();
  }

  @Test
  void nothingIsLeftOfABrowserThatHasDied() throws IOException {
    Browser other = Browser.start();
    Set<ProcessHandle> processes = other.processes();
    processes.stream()
        .filter(process -> process.info().command().orElse("").endsWith("/chromium"))
        .forEach(ProcessHandle::destroyForcibly);
    other.close();
    assertThat(processes).noneMatch(BrowserProcesses::runs);
    assertThat(other.folder()).doesNotExist();
  }

  @Test
  void aMissingBrowserSkipsTheTestUnlessAllIsRequired() {
    Path missing = folder.resolve("chromium");
    assertThatThrownBy(() -> Browser.requireProgram(missing, "chromium", false))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("apt-get install --no-install-recommends chromium");
    assertThatThrownBy(() -> Browser.requireProgram(missing, "chromium", true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("apt-get install --no-install-recommends chromium");
  }

  private void open(String body) throws IOException {
    browser.open(Files.writeString(folder.resolve("page.html"), page(body)));
  }

  private static String page(String body) {
    return """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>A page of BrowserIT</title>
        <body>
        <main>
        <h1>A page</h1>
        %s
        </main>
        """
        .formatted(body);
  }

  private static HttpServer server() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    return server;
  }

  private static String address(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static void serve(HttpServer server, String path, String type, String text) {
    server.createContext(
        path,
        exchange -> {
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", type);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }
}

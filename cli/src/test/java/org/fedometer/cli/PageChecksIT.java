package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link PageChecks} accepts a good page, and reports each fault of a bad one. */
@Tag("browser")
class PageChecksIT {
  private static final String HOSTILE = "<img src=x onerror=window.hacked=1>";

  private static final String GOOD =
      """
      <h1>Good</h1>
      <nav><a href="#more">More</a> <button>Press</button></nav>
      <div role="tablist" aria-label="Views">
        <button role="tab" aria-selected="true">First</button>
        <button role="tab" aria-selected="false" tabindex="-1">Second</button>
      </div>
      <fieldset><legend>Which</legend>
        <label><input type="radio" name="which" checked> This</label>
        <label><input type="radio" name="which"> That</label>
      </fieldset>
      <label class="switch"><input type="checkbox"><span>Switch</span></label>
      <details><summary>Details</summary><a href="#more">Folded away</a></details>
      <button disabled>Not now</button>
      <div class="wide" role="region" aria-label="A wide table" tabindex="0">
        <div style="width: 900px">wide</div>
      </div>
      <p id="more" title="&lt;b>">&lt;img src=x onerror=window.hacked=1></p>
      <svg width="100" height="20" role="group" aria-label="A chart">
        <a href="#more" aria-label="A point"><circle cx="10" cy="10" r="8"/></a>
      </svg>
      """;

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

  @Test
  void aGoodPagePassesAndIsLeftWideAndLight() throws IOException {
    URI page = page("", GOOD);
    PageChecks.check(browser, page, PageChecks.LOADED, HOSTILE, "<b>");
    assertThat(
            browser.data("return [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]"))
        .asString()
        .isEqualTo("[1280, false]");
  }

  @Test
  void aPageThatGetsAButtonBehindTheFocusPasses() throws IOException {
    URI page =
        page(
            "",
            GOOD
                + """
                <div id=buttons><button>one</button></div>
                <script>
                  const buttons = document.getElementById('buttons');
                  buttons.firstChild.onfocus = () => {
                    if (buttons.children.length === 1) {
                      buttons.prepend(document.createElement('button'));
                      buttons.firstChild.textContent = 'late';
                    }
                  };
                </script>
                """);
    PageChecks.check(browser, page, PageChecks.LOADED);
  }

  @Test
  void acceptsAPageWithAStrictPolicy() throws IOException {
    URI page = page(policy("default-src 'none'; style-src 'unsafe-inline'"), GOOD);
    PageChecks.check(browser, page, PageChecks.LOADED, HOSTILE);
  }

  @Test
  void acceptsAPageWithEndlessEvents() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          byte[] bytes =
              html(
                      "<link rel='icon' href='data:,'>",
                      """
                      <h1>Live</h1>
                      <p id="told">Nothing yet</p>
                      <script>
                        new EventSource('/events').onmessage = e => { told.textContent = e.data };
                      </script>
                      """)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.createContext(
        "/events",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
          exchange.sendResponseHeaders(200, 0);
          exchange
              .getResponseBody()
              .write(("data: " + HOSTILE + "\n\n").getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    server.start();
    try {
      PageChecks.check(
          browser,
          URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort())),
          "return told.textContent !== 'Nothing yet'",
          HOSTILE);
    } finally {
      end.countDown();
      server.stop(0);
      threads.shutdown();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      textBlock =
          """
          <script>console.error('a fault told')</script> => a fault told
          <img alt='' src='http://192.0.2.7/picture.png'> => http://192.0.2.7/picture.png
          <div style='width: 500px'>wide</div> => <div style="width: 500px">wide
          <div class='scroll' style='overflow-x: auto'><p style='width: 1500px'>cut</p></div> => wide, light: tables that are cut
          <p style='color: light-dark(black, #222)'>Not by night</p> => wide, dark: what axe finds
          <p style='color: #ddd'>Not by day</p> => wide, light: what axe finds
          <input> => critical, label
          <div role='button' onclick='0'>Mouse only</div> => Mouse only
          <a href='#x' tabindex='-1'>Left out</a> => Left out
          <button style='outline: none'>Flat</button> => Flat looks the same with the focus
          <a href='#x' style='position: absolute; left: -99px'>Far</a> => Far has the focus and is not
          <script>window.hacked = 1</script> => something set window.hacked to 1
          <i title='<img src=x onerror=window.hacked=1>' onclick='window.hacked=1'>i</i> => made onclick
          """)
  void reportsABadPage(String fault, String message) throws IOException {
    URI page = page("", GOOD + fault);
    assertThatThrownBy(() -> PageChecks.check(browser, page, PageChecks.LOADED, HOSTILE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(message);
  }

  @Test
  void findsInjectedMarkup() throws IOException {
    URI page =
        page(
            policy("script-src 'none'"),
            GOOD + "<img src=x onerror=window.hacked=1 alt=''>&lt;b>bold&lt;/b> <b>bold</b>");
    AssertionError error =
        catchThrowableOfType(
            AssertionError.class,
            () -> PageChecks.check(browser, page, PageChecks.LOADED, HOSTILE, "<b>bold</b>"));
    assertThat(error)
        .hasMessageContaining(HOSTILE + " made the element <img")
        .hasMessageContaining("<b>bold</b> made the element <b>bold")
        .hasMessageNotContaining("something set window.hacked");
  }

  @Test
  void reportsAllFaultsTogether() throws IOException {
    URI page = page("", GOOD + "<input><div style='width: 500px'>wide</div>");
    assertThatThrownBy(() -> PageChecks.check(browser, page, PageChecks.LOADED))
        .hasMessageContaining("narrow, light: what is wider than the screen")
        .hasMessageContaining("narrow, dark: what axe finds")
        .hasMessageNotContaining("wide, light: what is wider than the screen");
  }

  private URI page(String head, String body) throws IOException {
    Path file = folder.resolve("page.html");
    Files.writeString(file, html(head, body));
    return file.toUri();
  }

  private static String policy(String policy) {
    return "<meta http-equiv='Content-Security-Policy' content=\"" + policy + "\">";
  }

  private static String html(String head, String body) {
    return """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        %s
        <title>A page of PageChecksIT</title>
        <style>
          :root { color-scheme: light dark }
          body { background: light-dark(white, #111); color: light-dark(#111, #eee); margin: 8px }
          .wide { overflow-x: auto }
          .switch input { opacity: 0 }
          .switch input:focus-visible + span { box-shadow: 0 0 0 3px #06c; transition: 0.2s }
        </style>
        <main>
        %s
        </main>
        """
        .formatted(head, body);
  }
}

package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.PageLoadStrategy;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.remote.http.ClientConfig;
import org.opentest4j.TestAbortedException;

/**
 * A Chromium without a window, with a profile of its own, for tests of pages: a test opens pages in
 * it, presses keys, and asks what it saw. It reaches loopback and files, and nothing else. For one
 * thread; a class of tests can share one, as each {@link #open} starts afresh but for the look,
 * which stays.
 */
final class Browser implements AutoCloseable {

  /** An element as screen readers announce it. */
  record Element(String tag, String role, String name) {
    @Override
    public String toString() {
      return "%s (%s) \"%s\"".formatted(role, tag, name);
    }
  }

  /** Width of the primary screen, in CSS pixels. */
  static final int WIDE = 1280;

  /** Width of a phone's screen, in CSS pixels. */
  static final int NARROW = 390;

  private static final int WIDE_HEIGHT = 900;
  private static final int NARROW_HEIGHT = 844;

  /** Chromium's limit of drawing, in pixels. */
  private static final int MAX_HEIGHT = 16_000;

  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration RESPONSE_TIMEOUT = Duration.ofMinutes(2);

  /** More than any page has: reaching it shows a cycle. */
  private static final int MAX_TABS = 2000;

  /** Stops that one element may have: the parts of a date, the buttons of a film. */
  private static final int MAX_STOPS_PER_ELEMENT = 12;

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path CHROMEDRIVER = Path.of("/usr/bin/chromedriver");
  private static final String AXE = resource("/axe.min.js");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<CharSequence> HELD =
      Set.of(Keys.SHIFT, Keys.CONTROL, Keys.ALT, Keys.META);

  /**
   * They warn of each Chromium newer than Selenium, and of its end; held, or they are collected.
   */
  private static final List<Logger> VERSIONS =
      List.of(
          Logger.getLogger("org.openqa.selenium.devtools.CdpVersionFinder"),
          Logger.getLogger("org.openqa.selenium.chromium.ChromiumDriver"),
          Logger.getLogger("org.openqa.selenium.remote.http.WebSocket"));

  static {
    VERSIONS.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  private final Path folder;
  private final BrowserProcesses processes;
  private final ChromeDriverService service;
  private final ChromeDriver driver;
  private final List<String> consoleErrors = new ArrayList<>();
  private final List<String> requests = new ArrayList<>();
  private URI page = URI.create("about:blank");
  private String medium = "";
  private String colorScheme = "light";
  private String motion = "no-preference";

  private Browser(
      Path folder, BrowserProcesses processes, ChromeDriverService service, ChromeDriver driver) {
    this.folder = folder;
    this.processes = processes;
    this.service = service;
    this.driver = driver;
  }

  /**
   * Starts one. Where Chromium or its driver is not installed the test is skipped; with {@code
   * FEDOMETER_REQUIRE_ALL=1} it fails.
   */
  static Browser start() throws IOException {
    boolean required = "1".equals(System.getenv("FEDOMETER_REQUIRE_ALL"));
    try {
      requireProgram(CHROMIUM, "chromium", required);
      requireProgram(CHROMEDRIVER, "chromium-driver", required);
    } catch (TestAbortedException e) {
      System.err.println("SKIPPED, for a machine without a browser: " + e.getMessage());
      throw e;
    }
    Path folder = Files.createTempDirectory("fedometer-browser");
    BrowserProcesses processes = new BrowserProcesses(folder);
    Path log = folder.resolve("chromedriver.log");
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(CHROMEDRIVER.toFile())
            .usingAnyFreePort()
            .withLogFile(log.toFile())
            // Confines its files, and identifies its processes.
            .withEnvironment(Map.of("HOME", folder.toString(), "TMPDIR", folder.toString()))
            .build();
    try {
      ChromeDriver driver =
          new ChromeDriver(
              service,
              options(folder.resolve("profile")),
              ClientConfig.defaultConfig().readTimeout(RESPONSE_TIMEOUT));
      Browser browser = new Browser(folder, processes, service, driver);
      driver.manage().timeouts().scriptTimeout(RESPONSE_TIMEOUT);
      browser.wide();
      browser.applyMediaFeatures();
      return browser;
    } catch (RuntimeException e) {
      String output = Files.exists(log) ? Files.readString(log) : "";
      service.stop();
      processes.end(Set.of());
      delete(folder);
      throw new IllegalStateException("Chromium did not start; its driver said:\n" + output, e);
    }
  }

  /** Skips the test, or fails it where all is required, if a program is not there. */
  static void requireProgram(Path program, String debianPackage, boolean required) {
    String message =
        "%s is there: apt-get install --no-install-recommends %s".formatted(program, debianPackage);
    if (!required) {
      assumeThat(program).as(message).isExecutable();
    }
    assertThat(program).as(message).isExecutable();
  }

  private static ChromeOptions options(Path profile) {
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toString());
    options.setPageLoadStrategy(PageLoadStrategy.NORMAL);
    options.setCapability("goog:loggingPrefs", logs);
    options.setExperimentalOption(
        "perfLoggingPrefs", Map.of("enableNetwork", true, "enablePage", false));
    options.addArguments(
        "--headless=new",
        // Its sandbox is not for root, who runs tests in containers.
        "--no-sandbox",
        "--user-data-dir=" + profile,
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-sync",
        "--disable-breakpad",
        "--disable-gpu",
        // The one of a container is too small.
        "--disable-dev-shm-usage",
        "--no-proxy-server",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        "--lang=en",
        "--window-size=%d,%d".formatted(WIDE, WIDE_HEIGHT));
    return options;
  }

  /** Opens a page, waits until it is loaded, and clears records of earlier pages. */
  void open(URI address) {
    driver.get("about:blank");
    readLogs();
    consoleErrors.clear();
    requests.clear();
    page = address;
    driver.get(address.toString());
  }

  /** As {@link #open(URI)}. */
  void open(Path file) {
    open(file.toUri());
  }

  /** A screen of 1280 x 900, which a browser has from the start. */
  void wide() {
    size(WIDE, WIDE_HEIGHT, false);
  }

  /** A phone's screen of 390 x 844. */
  void narrow() {
    size(NARROW, NARROW_HEIGHT, true);
  }

  /**
   * A screen of that many CSS pixels, at once.
   *
   * @param phone whether pages without a viewport of their own are laid out wider and scaled down
   */
  void size(int width, int height, boolean phone) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
  }

  /** Emulates a preference for light colors, the initial state. */
  void light() {
    colorScheme = "light";
    applyMediaFeatures();
  }

  /** Emulates a preference for dark colors. */
  void dark() {
    colorScheme = "dark";
    applyMediaFeatures();
  }

  /** Emulates whether reduced motion is preferred. */
  void reducedMotion(boolean reduced) {
    motion = reduced ? "reduce" : "no-preference";
    applyMediaFeatures();
  }

  /** Selects whether the page is shown as printed. */
  void print(boolean printed) {
    medium = printed ? "print" : "";
    applyMediaFeatures();
  }

  private void applyMediaFeatures() {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            medium,
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", colorScheme),
                Map.of("name", "prefers-reduced-motion", "value", motion))));
  }

  /** Selects whether scripts of pages opened from now on run; those of {@link #data} always do. */
  void javaScript(boolean runs) {
    driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !runs));
  }

  /**
   * Returns a script's result: null, a Boolean, Long, Double or String, a {@link WebElement}, a
   * List or a Map of these.
   *
   * @param script statements, with a {@code return}
   * @param arguments values of {@code arguments} in the script, of the same types
   */
  Object data(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** Strings that a script returns as an array. */
  List<String> texts(String script, Object... arguments) {
    return ((List<?>) data(script, arguments)).stream().map(String::valueOf).toList();
  }

  /**
   * Waits until a script returns something true.
   *
   * @param script statements, with a {@code return}; while it throws it is not true
   */
  void waitFor(String script, Object... arguments) {
    try {
      Awaitility.await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .atMost(TIMEOUT)
          .ignoreException(JavascriptException.class)
          .until(
              () -> Boolean.TRUE.equals(data("return !!(() => { " + script + "\n})()", arguments)));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "not within %s in %s: %s; errors of the page: %s"
              .formatted(TIMEOUT, page, script, consoleErrors()),
          e);
    }
  }

  /** Waits until nothing moves but what moves for ever. */
  void waitForRest() {
    waitFor(
        """
        return document.readyState === 'complete' && document.getAnimations().every(each =>
            each.playState !== 'running' || each.effect.getComputedTiming().endTime === Infinity);
        """);
  }

  /**
   * Returns the page's errors since it was opened: console.error, uncaught exceptions, refused and
   * failed loads. A page served without an icon includes the failed load of /favicon.ico.
   */
  List<String> consoleErrors() {
    readLogs();
    return List.copyOf(consoleErrors);
  }

  /**
   * Addresses outside the page's own origin that were asked for since it was opened, whether there
   * was an answer or not, or that it wants to be connected with. A file's origin is the file alone.
   */
  List<String> loadedFromElsewhere() {
    readLogs();
    // No request is made for these, but the other side learns of the page.
    List<String> connections =
        texts(
            """
            return [...document.querySelectorAll('link[rel~=preconnect i], link[rel~=dns-prefetch i]')]
                .map(each => each.href)
            """);
    return Stream.concat(requests.stream(), connections.stream())
        .filter(request -> !isSameOrigin(request))
        .distinct()
        .toList();
  }

  private boolean isSameOrigin(String request) {
    if (request.matches("(?s)(data|blob|about):.*")) {
      return true;
    }
    if ("file".equals(page.getScheme())) {
      try {
        return request.startsWith("file:")
            && Path.of(URI.create(request.replaceFirst("[?#].*", ""))).equals(Path.of(page));
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
    // A web socket has the origin of its handshake.
    return request
        .replaceFirst("^ws", "http")
        .startsWith("%s://%s/".formatted(page.getScheme(), page.getRawAuthority()));
  }

  private void readLogs() {
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
        consoleErrors.add(entry.getMessage());
      }
    }
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      try {
        JsonNode event = JSON.readTree(entry.getMessage()).path("message");
        JsonNode parameters = event.path("params");
        switch (event.path("method").asText()) {
          case "Network.requestWillBeSent" ->
              requests.add(parameters.path("request").path("url").asText());
          case "Network.webSocketCreated", "Network.webTransportCreated" ->
              requests.add(parameters.path("url").asText());
          default -> {
            // Answers, and the pieces of them.
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Presses keys on the keyboard, one after the other.
   *
   * @param keys {@link Keys} or text; Shift, Ctrl, Alt and Meta are held until the last is pressed
   */
  void press(CharSequence... keys) {
    Actions actions = new Actions(driver);
    Deque<CharSequence> held = new ArrayDeque<>();
    for (CharSequence key : keys) {
      if (HELD.contains(key)) {
        actions.keyDown(key);
        held.push(key);
      } else {
        actions.sendKeys(key);
      }
    }
    held.forEach(actions::keyUp);
    actions.perform();
  }

  /** Returns the element with the focus; the body if none has it. */
  Element focused() {
    return describe(driver.switchTo().activeElement());
  }

  /** Returns the element as screen readers announce it. */
  Element describe(WebElement element) {
    return new Element(element.getTagName(), element.getAriaRole(), element.getAccessibleName());
  }

  /** All that Tab goes to, from the page's beginning, in that order. */
  List<Element> tabOrder() {
    List<Element> order = new ArrayList<>();
    tabThrough(element -> order.add(describe(element)));
    return order;
  }

  /** Presses Tab from the page's beginning to its end, or to where it goes round. */
  void tabThrough(Consumer<WebElement> visit) {
    // Tab continues from the last focused element, even without focus.
    data(
        """
        const body = document.body, before = body.getAttribute('tabindex');
        scrollTo(0, 0);
        body.setAttribute('tabindex', '-1');
        body.focus();
        before === null ? body.removeAttribute('tabindex') : body.setAttribute('tabindex', before);
        """);
    Set<WebElement> seen = new HashSet<>();
    WebElement last = null;
    int stopsInLast = 0;
    for (int i = 0; i < MAX_TABS; i++) {
      press(Keys.TAB);
      WebElement focused = driver.switchTo().activeElement();
      if (focused.equals(last)) {
        if (++stopsInLast > MAX_STOPS_PER_ELEMENT) {
          return;
        }
      } else if (isPage(focused) || !seen.add(focused)) {
        return;
      } else {
        last = focused;
        stopsInLast = 1;
        visit.accept(focused);
      }
    }
    throw new AssertionError("Tab finds no end in " + page);
  }

  private boolean isPage(WebElement element) {
    return Boolean.TRUE.equals(
        data(
            "return arguments[0] === document.body || arguments[0] === document.documentElement",
            element));
  }

  /** The first element that a CSS selector finds. */
  WebElement element(String selector) {
    WebElement found = (WebElement) data("return document.querySelector(arguments[0])", selector);
    assertThat(found).as("%s in %s", selector, page).isNotNull();
    return found;
  }

  /** Writes the whole page as a PNG, with the screen's width and as long as it is. */
  void screenshot(Path file) throws IOException {
    Map<?, ?> layout = (Map<?, ?>) driver.executeCdpCommand("Page.getLayoutMetrics", Map.of());
    Map<?, ?> size = (Map<?, ?>) layout.get("cssContentSize");
    Map<String, Object> result =
        driver.executeCdpCommand(
            "Page.captureScreenshot",
            Map.of(
                "format",
                "png",
                "captureBeyondViewport",
                true,
                "clip",
                Map.of(
                    "x",
                    0,
                    "y",
                    0,
                    "width",
                    // Without the bar that scrolls it: in a picture there is none.
                    Math.max(number(size.get("width")), number(data("return innerWidth"))),
                    "height",
                    Math.min(MAX_HEIGHT, number(size.get("height"))),
                    "scale",
                    1)));
    Files.write(file, Base64.getDecoder().decode((String) result.get("data")));
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  /** Returns axe's findings of impact serious or critical: a sentence for each element. */
  List<String> axe() {
    data(AXE);
    // Not by its AxeBuilder, which opens a second page for the sake of frames from elsewhere.
    Object found =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run(document, {resultTypes: ['violations'], preload: false}).then(
                results => done(results.violations.flatMap(rule => rule.nodes
                    .filter(node => ['serious', 'critical'].includes(node.impact))
                    .map(node => `${node.impact}, ${rule.id}: ${rule.help}. ${node.html} at `
                        + `${node.target.join(' ')}: ${node.failureSummary.replace(/\\s+/g, ' ')}`))),
                error => done(String(error)));
            """);
    if (!(found instanceof List<?> messages)) {
      throw new IllegalStateException("axe failed in " + page + ": " + found);
    }
    return messages.stream().map(String::valueOf).toList();
  }

  /** For what this class has no word for. */
  ChromeDriver driver() {
    return driver;
  }

  /** Where all its files are while it runs. */
  Path folder() {
    return folder;
  }

  /** Those that run for it now: the driver, Chromium, and the many that are Chromium. */
  Set<ProcessHandle> processes() {
    return processes.running();
  }

  /** Ends it; none of its processes runs and none of its files is there afterwards. */
  @Override
  public void close() throws IOException {
    Set<ProcessHandle> known = processes.running();
    try {
      driver.quit();
    } catch (WebDriverException e) {
      // It has died before.
    } finally {
      service.stop();
      processes.end(known);
      delete(folder);
    }
  }

  private static String resource(String name) {
    try (InputStream in = Browser.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

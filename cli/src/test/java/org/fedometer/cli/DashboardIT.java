package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.RunQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The dashboard in a browser while a collector receives runs. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration RUN_TIMEOUT = Duration.ofMinutes(8);
  private static final int MAX_TABS = 200;
  private static final int MAX_BYTES = 300_000;
  private static final String TOKEN = "open sesame";
  private static final String NO_RESPONSE = "The collector does not answer";

  /** When the imported runs began, in milliseconds since 1970; a bucket begins then, too. */
  private static final long BEGAN_MILLIS = 1_700_000_000_000L;

  /** Helpers of the scripts below. */
  private static final String SCRIPT_HELPERS =
      """
      const texts = selector => [...document.querySelectorAll(selector)].map(e => e.textContent);
      const rows = name => [...document.querySelectorAll(`table[data-csv="${name}"] tbody tr`)]
          .map(row => [...row.cells].map(cell => cell.textContent));
      const tile = name => [...document.querySelectorAll('dl.tiles > div')]
          .find(e => e.querySelector('dt').textContent === name)?.querySelector('dd').firstChild
          .textContent;
      const chart = id => Fedometer.charts.get(id).spec;
      const badge = () => document.querySelector('.badge')?.textContent;
      """;

  /** The page of a run has what it is going to have. */
  private static final String RUN_IS_SHOWN =
      SCRIPT_HELPERS + "return rows('sources').length > 0 && texts('#about ~ div dt').length > 2";

  private Path folder;
  private Browser browser;
  private Fedometer fedometer;
  private Fedometer.Call collector;
  private int port;
  private URI dashboard;

  @BeforeAll
  void aCollectorWithTwoRuns(@TempDir Path own) throws Exception {
    browser = Browser.start();
    folder = own;
    fedometer = new Fedometer(folder);
    collector =
        fedometer.startWithStore("collect", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0");
    port = portOf(collector.address());
    dashboard = URI.create("http://" + collector.httpAddress() + "/");
    List<Fedometer.Call> imports =
        List.of(imported("slow", 60, 1000, 20, 0), imported("quick", 60, 500, 40, 3));
    for (Fedometer.Call call : imports) {
      call.await(TIMEOUT).expect(ExitCode.DONE);
    }
  }

  @AfterAll
  void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (collector != null) {
      stop(collector);
    }
  }

  /** Imports equidistant ingests of equal duration; further ones failed. */
  private Fedometer.Call imported(
      String name, int objects, int everyMillis, int tookMillis, int failed) throws Exception {
    StringBuilder csv =
        new StringBuilder("timeStamp,elapsed,label,responseCode,responseMessage,success\n");
    for (int i = 0; i < objects + failed; i++) {
      boolean fails = i >= objects;
      csv.append(BEGAN_MILLIS + (fails ? 0 : (long) i * everyMillis))
          .append(',')
          .append(tookMillis)
          .append(",POST,")
          .append(fails ? "500," + SentRun.MESSAGE + ",false" : "201,Created,true")
          .append('\n');
    }
    Path file = Files.writeString(folder.resolve(name + ".jtl"), csv);
    return fedometer.startWithStore(
        "runs",
        "import",
        "--format",
        "jmeter",
        file.toString(),
        "--ingest-label",
        "POST",
        "--name",
        name,
        "--collector",
        "127.0.0.1:" + port);
  }

  /** Uses a rate, so that a fast machine also needs long enough to observe it. */
  @Test
  void followsARunWithoutReloading() throws Exception {
    Fedometer.Call run =
        fedometer.startWithStore(
            "run",
            "--collector",
            "127.0.0.1:" + port,
            "--profile",
            "mulgara-derby",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--dataset",
            "patents:small",
            "--objects",
            "400",
            "--rate",
            "25",
            "--name",
            "watched");
    browser.open(dashboard);
    browser.data("window.loaded = 'once'");
    awaitWhile(
        run,
        SCRIPT_HELPERS
            + "return rows('runs').some(row => row[0] === 'watched' && row[1] === 'running')");
    tabTo("watched");
    browser.press(Keys.ENTER);
    awaitWhile(
        run,
        SCRIPT_HELPERS
            + """
            const ingested = Number(tile('objects').replaceAll(',', ''));
            return badge() === 'running' && ingested > 0 && ingested < 400
                && document.querySelector('progress').value > 0
                && document.querySelector('progress').value < 100
                && Number(tile('objects a second')) > 0 && /:/.test(tile('left'))
                && chart('chart-throughput').series[0].values.some(value => value > 0)
                && chart('chart-latency').series.every(each => each.values.some(ms => ms > 0))
                && chart('chart-stages').series.length > 5
                && document.querySelectorAll('#machine ~ .charts canvas').length > 3
                && rows('stages').some(row => row[0] === 'ingest.validate' && row[1] !== '0')
                && rows('sources').some(row => row[1] === 'agent' && row[2] === 'yes')
                && rows('sources').some(row => row[1] === 'driver' && row[2] === 'yes')
            """);

    run.await(RUN_TIMEOUT).expect(ExitCode.DONE);
    browser.waitFor(
        SCRIPT_HELPERS
            + """
            const {series, x} = chart('chart-throughput');
            return badge() === 'done' && tile('objects') === '400'
                && Math.abs(10 * series[0].values.reduce((a, b) => a + b, 0) - 400) < 1e-6
            """);
    assertThat(browser.data("return window.loaded")).as("the page is the same").isEqualTo("once");
    assertThat(browser.consoleErrors()).isEmpty();
    assertThat(browser.loadedFromElsewhere()).isEmpty();

    JsonNode report = fedometer.startWithStore("report", "watched", "--json").await(TIMEOUT).json();
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(400);
    assertThat(rows("watched", "SELECT count(*) FROM requests WHERE status = 201"))
        .containsExactly("400");
    assertThat(browser.data(SCRIPT_HELPERS + "return tile('failed requests')")).isEqualTo("0");
    assertThat(browser.data(SCRIPT_HELPERS + "return Fedometer.charts.has('chart-failed')"))
        .isEqualTo(false);
    assertChartsMatchCollector("watched");

    Map<String, String> totals = new TreeMap<>();
    rows("watched", "SELECT stage || ' ' || sum(count)::BIGINT FROM totals GROUP BY stage")
        .forEach(row -> totals.put(row.split(" ")[0], row.split(" ")[1]));
    assertThat(stageCounts()).hasSizeGreaterThan(20).isEqualTo(totals);
    assertThat(browser.texts(SCRIPT_HELPERS + "return rows('logs').map(row => row[4])"))
        .as("what its log has at WARN and above")
        .containsAll(
            rows("watched", "SELECT message FROM logs WHERE level IN ('WARN', 'ERROR', 'FATAL')"));

    PageChecks.check(browser, page("run/watched"), RUN_IS_SHOWN, "watched", "http.request");
  }

  /** The page's numbers are those of the collector, and the collector's those of the requests. */
  private void assertChartsMatchCollector(String run) throws Exception {
    JsonNode history = get("api/history?run=" + run);
    List<Double> objects = numbers(history.at("/objects"));
    assertThat(objects.stream().mapToDouble(each -> each).sum()).isEqualTo(400);
    assertThat(numbers(history.at("/failed"))).allMatch(each -> each == 0);
    assertThat(history.at("/bucketSeconds").asInt()).isEqualTo(10);
    // The charts begin with the first request.
    int first = (int) objects.stream().takeWhile(each -> each == 0).count();
    assertThat(values("chart-throughput", 0).stream().map(each -> each * 10).toList())
        .isEqualTo(objects.subList(first, objects.size()));
    int line = 0;
    for (String percentile : List.of("p50", "p95", "p99", "max")) {
      assertThat(values("chart-latency", line++))
          .as(percentile)
          .isEqualTo(numbers(history.get(percentile)).subList(first, objects.size()));
    }
  }

  private Map<String, String> stageCounts() {
    Map<String, String> counts = new TreeMap<>();
    browser
        .texts(
            """
            return [...document.querySelectorAll('table[data-csv=stages] tbody tr')]
                .map(row => row.cells[0].textContent + ' ' + row.cells[1].dataset.value)
            """)
        .forEach(row -> counts.put(row.split(" ")[0], row.split(" ")[1]));
    return counts;
  }

  @Test
  void twoRunsAreFoundChosenAndComparedWithTheKeyboardAlone() {
    browser.open(dashboard);
    browser.waitFor(SCRIPT_HELPERS + "return rows('runs').length >= 2");
    tabTo("Filter");
    browser.press("imported");
    browser.waitFor(SCRIPT_HELPERS + "return rows('runs').length === 2");
    for (String name : List.of("slow", "quick")) {
      tabTo("Compare " + name);
      browser.press(Keys.SPACE);
    }
    tabTo("Compare the two chosen");
    browser.press(Keys.ENTER);
    browser.waitFor(SCRIPT_HELPERS + "return rows('comparison').length > 0 && chart('chart-p99')");

    assertThat(browser.data("return location.hash")).isEqualTo("#/compare/slow/quick");
    Map<?, ?> values =
        (Map<?, ?>)
            browser.data(
                SCRIPT_HELPERS
                    + "return Object.fromEntries(rows('comparison').map(r => [r[0], r]))");
    assertThat(values.get("objects")).isEqualTo(List.of("objects", "60", "60", "1.00"));
    assertThat(values.get("failed requests")).isEqualTo(List.of("failed requests", "0", "3", "–"));
    assertThat(values("chart-rates", 0)).isNotEmpty().allMatch(each -> each == 1);
    assertThat(values("chart-rates", 1)).isNotEmpty().allMatch(each -> each == 2);
    assertThat(browser.data(SCRIPT_HELPERS + "return chart('chart-rates').x.kind"))
        .isEqualTo("objects");
    assertThat(values("chart-p50", 0))
        .allSatisfy(each -> assertThat(each).isCloseTo(20, within(0.5)));
    assertThat(values("chart-p50", 1))
        .allSatisfy(each -> assertThat(each).isCloseTo(40, within(0.5)));

    tabTo("time");
    browser.press(Keys.SPACE);
    browser.waitFor(SCRIPT_HELPERS + "return chart('chart-rates').x.kind === 'time'");
    assertThat(values("chart-rates", 0)).allMatch(each -> each == 1);
    assertThat(values("chart-rates", 1).stream().filter(each -> each != null))
        .as("the half of the time that the other took")
        .hasSizeBetween(150, 151)
        .allMatch(each -> each == 2);
    assertThat(values("chart-rates", 1).subList(151, 300)).containsOnlyNulls();
  }

  @Test
  void listAndComparisonAreAccessible() {
    PageChecks.check(
        browser, dashboard, SCRIPT_HELPERS + "return rows('runs').length >= 2", "slow", "quick");
    PageChecks.check(
        browser,
        page("compare/slow/quick"),
        SCRIPT_HELPERS + "return rows('comparison').length > 0 && Fedometer.charts.size === 3",
        "slow",
        "quick");
  }

  @Test
  void escapesNamesDuringAndAfterARun() throws Exception {
    String[] texts = {
      SentRun.NAME,
      SentRun.PID,
      SentRun.MESSAGE,
      SentRun.LOGGED,
      SentRun.LOGGER,
      SentRun.STAGE,
      SentRun.SOURCE,
      SentRun.DATASET,
      SentRun.OPERATION
    };
    try (SentRun run = SentRun.begin(port, 100)) {
      run.ingest(30);
      browser.open(page("run/" + SentRun.NAME));
      browser.waitFor(SCRIPT_HELPERS + "return tile('objects') === '30'");
      run.fail();
      browser.waitFor(
          SCRIPT_HELPERS
              + "return rows('errors').length === 1 && rows('logs').length === 1"
              + " && chart('chart-throughput').series.length === 3");
      assertThat(browser.data(SCRIPT_HELPERS + "return [badge(), tile('failed requests')]"))
          .isEqualTo(List.of("running", "1"));
      assertThat(browser.data(SCRIPT_HELPERS + "return document.querySelector('progress').value"))
          .isEqualTo(30L);
      PageChecks.check(
          browser,
          page("run/" + SentRun.NAME),
          RUN_IS_SHOWN + " && rows('errors').length === 1",
          texts);
      browser.open(dashboard);
      browser.waitFor(
          SCRIPT_HELPERS + "return rows('runs').some(row => row[0] === arguments[0])",
          SentRun.NAME);
      assertThat(browser.data("return document.querySelector('main em, main i') === null"))
          .isEqualTo(true);

      browser.open(page("run/" + SentRun.NAME));
      browser.waitFor(SCRIPT_HELPERS + "return tile('objects') === '30'");
      run.ingest(20);
      run.end();
      browser.waitFor(
          SCRIPT_HELPERS + "return badge() === 'done-with-errors' && tile('objects') === '50'");
      assertThat(browser.data(SCRIPT_HELPERS + "return rows('stages').map(row => row.slice(0, 2))"))
          .asInstanceOf(InstanceOfAssertFactories.LIST)
          .containsExactlyInAnyOrder(List.of(SentRun.STAGE, "50"), List.of("http.request", "50"));
      assertThat(browser.consoleErrors()).isEmpty();
      assertThat(browser.data("return window.hacked === undefined")).isEqualTo(true);
    }
  }

  @Test
  void escapesLogEventsOfAMonitoringRun() throws Exception {
    String event =
        new ObjectMapper()
            .writeValueAsString(
                Map.of(
                    "log.level", "ERROR", "log.logger", SentRun.LOGGER, "message", SentRun.LOGGED));
    try (Socket socket = new Socket("127.0.0.1", port)) {
      OutputStream out = socket.getOutputStream();
      out.write((event + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      browser.open(dashboard);
      browser.waitFor(
          SCRIPT_HELPERS + "return rows('runs').some(row => row[0].startsWith('monitoring-'))");
      browser.data(
          "[...document.querySelectorAll('main a')]"
              + ".find(e => e.textContent.startsWith('monitoring-')).click()");
      browser.waitFor(SCRIPT_HELPERS + "return rows('logs').length === 1");
      List<?> line = (List<?>) browser.data(SCRIPT_HELPERS + "return rows('logs')[0]");
      assertThat(line.get(1)).isEqualTo("ERROR");
      assertThat(line.get(3)).isEqualTo(SentRun.LOGGER);
      assertThat(line.get(4)).isEqualTo(SentRun.LOGGED);
      assertThat(browser.data("return window.hacked === undefined")).isEqualTo(true);
    }
  }

  @Test
  void theFirstPageIsSmallAndComplete() {
    browser.open(dashboard);
    browser.waitFor(SCRIPT_HELPERS + "return rows('runs').length >= 2");
    List<String> loaded =
        browser.texts("return performance.getEntriesByType('resource').map(each => each.name)");
    assertThat(loaded)
        .extracting(each -> URI.create(each).getPath())
        .contains("/assets/charts.js", "/assets/uplot.js", "/assets/style.css", "/api/runs");
    Object bytes =
        browser.data(
            """
            return [...performance.getEntriesByType('navigation'),
                ...performance.getEntriesByType('resource')]
                .reduce((sum, each) => sum + each.decodedBodySize, 0)
            """);
    assertThat(((Number) bytes).longValue()).isBetween(50_000L, (long) MAX_BYTES);
    assertThat(browser.loadedFromElsewhere()).isEmpty();
    assertThat(browser.consoleErrors()).isEmpty();
  }

  @Test
  void pageRecoversWhenTheCollectorReturns() throws Exception {
    Path store = folder.resolve("away");
    Fedometer.Call first = collector(store, "127.0.0.1:0", "127.0.0.1:0");
    String address = first.address();
    String http = first.httpAddress();
    URI away = URI.create("http://" + http + "/");
    try (SentRun run = SentRun.begin(portOf(address), 100)) {
      run.ingest(10);
      browser.open(away.resolve("#/run/" + SentRun.NAME));
      browser.data("window.loaded = 'once'");
      browser.waitFor(SCRIPT_HELPERS + "return tile('objects') === '10'");
      stop(first);
      browser.waitFor(
          "return document.getElementById('status').textContent.startsWith(arguments[0])",
          NO_RESPONSE);
      Fedometer.Call second = collector(store, address, http);
      try {
        second.address();
        run.ingest(15);
        browser.waitFor(
            SCRIPT_HELPERS
                + "return tile('objects') === '25'"
                + " && document.getElementById('status').textContent === ''");
        assertThat(values("chart-throughput", 0)).anyMatch(each -> each != null && each > 0);
        assertThat(browser.data("return window.loaded")).isEqualTo("once");
        run.end();
        browser.waitFor(SCRIPT_HELPERS + "return badge() === 'done-with-errors'");
      } finally {
        stop(second);
      }
      // A collector that has not received the run has only its metadata.
      Fedometer.Call third = collector(store, address, http);
      try {
        third.address();
        browser.open(away.resolve("#/run/" + SentRun.NAME));
        browser.waitFor(
            SCRIPT_HELPERS + "return tile('objects') === '25' && rows('stages').length === 2");
        browser.open(away);
        browser.waitFor(SCRIPT_HELPERS + "return rows('runs').length === 1");
      } finally {
        stop(third);
      }
      browser.waitFor(
          "return document.getElementById('status').textContent.startsWith(arguments[0])",
          NO_RESPONSE);
      assertThat(browser.data(SCRIPT_HELPERS + "return rows('runs').length"))
          .as("what it knew")
          .isEqualTo(1L);
    }
  }

  @Test
  void reportsARenderingErrorAsItsOwn() {
    for (String what : List.of("run/slow", "compare/slow/quick")) {
      browser.open(dashboard);
      browser.data("Fedometer.chart = () => { throw new Error('no ink'); };");
      browser.data("location.hash = '#/' + arguments[0];", what);
      browser.waitFor(
          "return document.getElementById('status').textContent === arguments[0]",
          "Something went wrong on this page: no ink");
    }
  }

  @Test
  void remoteAccessNeedsTheTokenAndKeepsItOutOfUrls() throws Exception {
    // All addresses: the collector treats clients as remote.
    Fedometer.Call guarded =
        collector(
            folder.resolve("guarded"),
            "127.0.0.1:0",
            "0.0.0.0:0",
            "--insecure",
            "--token-file",
            Files.writeString(folder.resolve("token"), TOKEN).toString());
    try {
      URI page = URI.create("http://127.0.0.1:" + portOf(guarded.httpAddress()) + "/");
      browser.open(page);
      browser.waitFor("return document.getElementById('login').open");
      assertThat(browser.focused().name()).isEqualTo("Token");
      assertThat(browser.axe()).isEmpty();
      browser.press("open barley", Keys.ENTER);
      browser.waitFor(
          "return document.getElementById('login').open && document.getElementById('login-error')"
              + ".textContent === \"The collector does not accept this token.\"");
      assertThat(browser.data(SCRIPT_HELPERS + "return rows('runs').length")).isEqualTo(0L);
      browser.press(TOKEN, Keys.ENTER);
      browser.waitFor(SCRIPT_HELPERS + "return texts('main p').includes('No run yet.')");
      assertThat(browser.data("return document.getElementById('login').open")).isEqualTo(false);
      assertTokenIsInNoUrl();

      browser.data("sessionStorage.clear()");
      browser.open(page.resolve("#token=open%20sesame"));
      browser.waitFor(SCRIPT_HELPERS + "return texts('main p').includes('No run yet.')");
      assertTokenIsInNoUrl();
    } finally {
      stop(guarded);
    }
  }

  private void assertTokenIsInNoUrl() {
    assertThat(
            browser.texts(
                """
                return [location.href, document.referrer, document.cookie,
                    ...performance.getEntriesByType('resource').map(each => each.name)]
                """))
        .noneMatch(each -> each.contains("sesame"));
  }

  // ---- asking ----

  private Fedometer.Call collector(Path store, String address, String http, String... more)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("collect", "--listen", address, "--http", http, "--store", store.toString()));
    arguments.addAll(List.of(more));
    return fedometer.start(arguments.toArray(String[]::new));
  }

  private static void stop(Fedometer.Call call) throws Exception {
    call.process().destroy();
    call.await(TIMEOUT);
  }

  private static int portOf(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private URI page(String place) {
    return dashboard.resolve("#/" + place);
  }

  /** Presses Tab until the element with this name has the focus; wraps around. */
  private void tabTo(String name) {
    for (int i = 0; i < MAX_TABS; i++) {
      browser.press(Keys.TAB);
      if (browser.focused().name().equals(name)) {
        return;
      }
    }
    throw new AssertionError("Tab does not get to " + name);
  }

  /** Waits for the page to show something for as long as a run goes on. */
  private void awaitWhile(Fedometer.Call run, String script) {
    Awaitility.await()
        .pollInSameThread()
        .atMost(RUN_TIMEOUT)
        .failFast(
            () ->
                assertThat(run.process().isAlive())
                    .as("the run goes on; it said:\n%s", run.err())
                    .isTrue())
        .until(
            () ->
                Boolean.TRUE.equals(
                    browser.data(
                        "try { return !!(() => {" + script + "\n})() } catch { return false }")));
  }

  /** Returns the values of a chart's line, null for gaps. */
  private List<Double> values(String chart, int line) {
    Object[] values =
        ((List<?>)
                browser.data(
                    SCRIPT_HELPERS + "return chart(arguments[0]).series[arguments[1]].values",
                    chart,
                    line))
            .stream().map(each -> each == null ? null : ((Number) each).doubleValue()).toArray();
    return Collections.unmodifiableList(
        Arrays.asList(Arrays.copyOf(values, values.length, Double[].class)));
  }

  private static List<Double> numbers(JsonNode column) {
    List<Double> numbers = new ArrayList<>();
    column.forEach(each -> numbers.add(each.isNull() ? null : each.asDouble()));
    return numbers;
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(dashboard.resolve(path)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }

  private List<String> rows(String run, String sql) throws Exception {
    return RunQueries.rows(fedometer.store(), run, sql);
  }
}

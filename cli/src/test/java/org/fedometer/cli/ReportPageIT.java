package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * The page of {@code report --html} in a browser: for a real run with failed objects, one with a
 * hostile sender, and an imported one.
 */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportPageIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration RUN_TIMEOUT = Duration.ofMinutes(8);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int OBJECTS = 150;

  /** Numbers of objects with content that is not to be had. */
  private static final List<Integer> BAD = List.of(40, 90);

  private static final String FOXML =
      """
      <foxml:digitalObject VERSION="1.1" PID="page:%d" xmlns:foxml="info:fedora/fedora-system:def/foxml#">
        <foxml:objectProperties>
          <foxml:property NAME="info:fedora/fedora-system:def/model#state" VALUE="Active"/>
          <foxml:property NAME="info:fedora/fedora-system:def/model#label" VALUE="page"/>
        </foxml:objectProperties>
        %s
      </foxml:digitalObject>
      """;

  private static final String UNAVAILABLE =
      """
      <foxml:datastream ID="C" STATE="A" CONTROL_GROUP="M">
        <foxml:datastreamVersion ID="C.0" LABEL="C" MIMETYPE="text/plain">
          <foxml:contentLocation TYPE="URL" REF="http://127.0.0.1:1/nothing"/>
        </foxml:datastreamVersion>
      </foxml:datastream>
      """;

  /** Helpers of the scripts below. */
  private static final String SCRIPT_HELPERS =
      """
      const data = JSON.parse(document.getElementById('data').textContent);
      const chart = id => Fedometer.charts.get('chart-' + id);
      const values = (id, line) => chart(id).spec.series[line].values;
      const readout = id => document.querySelector(`#chart-${id} .readout`);
      const range = id => [chart(id).uplot.scales.x.min, chart(id).uplot.scales.x.max];
      // The range of all charts that share an axis; a column of the film has a width.
      const ends = one => {
        const x = one.spec.x.values;
        return [x[0], x.at(-1) + (one.spec.heat ? x[1] - x[0] : 0)];
      };
      const common = id => {
        const all = [...Fedometer.charts.values()].filter(one => one.spec.group === chart(id).spec.group
            && one.spec.x.kind === chart(id).spec.x.kind && one.spec.x.values.length > 0);
        return [Math.min(...all.map(one => ends(one)[0])), Math.max(...all.map(one => ends(one)[1]))];
      };
      const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
      const table = name => document.querySelector(`table[data-csv="${name}"]`);
      const cells = name => [...table(name).tBodies[0].rows].filter(row => row.cells.length > 1)
          .map(row => [...row.cells].map(cell => cell.dataset.value ?? cell.textContent.trim()));
      const focus = selector => document.querySelector(selector).focus();
      """;

  private Path folder;
  private Browser browser;
  private Fedometer fedometer;
  private Fedometer.Call collector;
  private JsonNode report;
  private Path page;

  @BeforeAll
  void aRunWithFailures(@TempDir Path own) throws Exception {
    browser = Browser.start();
    folder = own;
    fedometer = new Fedometer(folder);
    Path objects = Files.createDirectory(folder.resolve("foxml"));
    for (int i = 0; i < OBJECTS; i++) {
      Files.writeString(
          objects.resolve("%03d.xml".formatted(i)),
          FOXML.formatted(i, BAD.contains(i) ? UNAVAILABLE : ""));
    }
    collector = fedometer.startWithStore("collect", "--listen", "127.0.0.1:0");
    fedometer
        .startWithStore(
            "run",
            "--collector",
            collector.address(),
            "--profile",
            "mulgara-derby",
            "--set",
            Fedometer.QUICK_COMPILER,
            "--dataset",
            "foxml:" + objects,
            "--name",
            "failing")
        .await(RUN_TIMEOUT)
        .expect(ExitCode.DONE_WITH_ERRORS);
    page = folder.resolve("failing.html");
    report = reportOf("failing", page, ExitCode.DONE_WITH_ERRORS);
  }

  @AfterAll
  void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (collector != null) {
      collector.process().destroy();
      collector.await(TIMEOUT);
    }
  }

  @BeforeEach
  void open() {
    browser.print(false);
    browser.open(page);
    browser.waitForRest();
  }

  /** Writes the page, and returns the report's JSON. */
  private JsonNode reportOf(String run, Path html, int exitCode) throws Exception {
    return fedometer
        .startWithStore("report", run, "--json", "--html", html.toString())
        .await(TIMEOUT)
        .expect(exitCode)
        .json();
  }

  @Test
  void theDataOfThePageIsThatOfTheReport() {
    assertThat(report.at("/objects/ingested").asLong()).isEqualTo(OBJECTS - BAD.size());
    assertThat(report.at("/requests/failed").asLong()).isGreaterThanOrEqualTo(BAD.size());
    assertThat(browser.data(SCRIPT_HELPERS + "return [data.name, data.state]"))
        .isEqualTo(List.of("failing", report.at("/state").asText()));
    assertThat(browser.data(SCRIPT_HELPERS + "return data.time.objects.at(-1)"))
        .isEqualTo(report.at("/objects/ingested").asLong());
    assertThat(browser.data(SCRIPT_HELPERS + "return data.time.failed.reduce((a, b) => a + b, 0)"))
        .isEqualTo(report.at("/requests/failed").asLong());
    assertThat(browser.data(SCRIPT_HELPERS + "return data.errors.of"))
        .isEqualTo(report.at("/requests/failed").asLong());
    assertThat(
            browser.data(
                SCRIPT_HELPERS + "return data.heat.cells.reduce((sum, cell) => sum + cell[2], 0)"))
        .as("each ingest is in one cell")
        .isEqualTo(
            report.at("/operations/0/count").asLong() - report.at("/operations/0/failed").asLong());
    assertThat(
            browser.texts(
                SCRIPT_HELPERS + "return data.stages.names.filter(name => name !== 'others')"))
        .isNotEmpty()
        .isSubsetOf(names(report.at("/stages")));
  }

  @Test
  void theChartsShowTheDataOfThePage() {
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + """
                    return same(chart('throughput').spec.x.values, data.time.t)
                        && same(values('throughput', 0), data.time.rate)
                        && ['p50', 'p95', 'p99', 'max', 'mean', 'min'].every((name, i) =>
                            same(values('latency', i), data.time[name]))
                        && same(values('failed', 0), data.time.failed)
                        && same(chart('heat').spec.heat.cells, data.heat.cells)
                        && data.stages.self.every((own, i) => same(values('stages', i), own))
                    """))
        .isEqualTo(true);
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + "return same(chart('throughput').uplot.data.at(-1), data.time.rate)"))
        .as("what is drawn")
        .isEqualTo(true);
    assertThat(
            browser.texts(
                """
                return [...document.querySelectorAll('.chart')].filter(figure => {
                  const canvas = figure.querySelector('canvas');
                  return !canvas || !canvas.getContext('2d')
                      .getImageData(0, 0, canvas.width, canvas.height).data.some(part => part > 0);
                }).map(figure => figure.id)
                """))
        .as("charts that are blank")
        .isEmpty();
    assertThat(browser.data("return Fedometer.charts.size"))
        .asString()
        .matches("1[0-9]|[2-9][0-9]");
  }

  @Test
  void tablesMatchTheReport() {
    List<List<String>> stages = new ArrayList<>();
    for (JsonNode stage : report.at("/stages")) {
      stages.add(
          List.of(
              stage.at("/name").asText(),
              stage.at("/count").asText(),
              stage.at("/failed").asText()));
    }
    assertThat(browser.data(SCRIPT_HELPERS + "return cells('stages').map(row => row.slice(0, 3))"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSizeGreaterThan(20)
        .containsExactlyInAnyOrderElementsOf(stages);
    Map<?, ?> own =
        (Map<?, ?>)
            browser.data(
                SCRIPT_HELPERS
                    + "return Object.fromEntries(cells('stages').map(r => [r[0], Number(r[4])]))");
    for (JsonNode stage : report.at("/stages")) {
      assertThat(((Number) own.get(stage.at("/name").asText())).doubleValue() * 1000)
          .as(stage.at("/name").asText())
          .isCloseTo(stage.at("/selfMillis").asDouble(), within(1e-3));
    }
    List<?> speed =
        (List<?>)
            browser.data(
                SCRIPT_HELPERS
                    + "return cells('speed').find(row => row[0] === 'all, to last answer').map(Number)");
    assertThat(((Number) speed.get(1)).longValue())
        .isEqualTo(report.at("/throughput/ingest/objects").asLong());
    assertThat(((Number) speed.get(5)).doubleValue())
        .isCloseTo(report.at("/latency/p95Millis").asDouble(), within(1e-5));
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + "return cells('failures').reduce((sum, row) => sum + Number(row[1]), 0)"))
        .isEqualTo(report.at("/requests/failed").asLong());
    assertThat(
            browser.texts(
                SCRIPT_HELPERS
                    + "return [...new Set(cells('errors').flat().filter(each => each.startsWith('page:')))]"))
        .containsExactlyInAnyOrderElementsOf(BAD.stream().map(i -> "page:" + i).toList());
  }

  @Test
  void theAxisOfObjectsHasTheDataByObjectsAndForgetsWhatWasZoomed() {
    browser.data(SCRIPT_HELPERS + "focus('#chart-throughput .plot')");
    browser.press("+");
    browser.waitFor(SCRIPT_HELPERS + "return chart('throughput').zoomed && chart('stages').zoomed");
    browser.data("document.querySelector('[data-over=objects]').focus()");
    browser.press(Keys.SPACE);
    browser.waitFor(SCRIPT_HELPERS + "return chart('throughput').spec.x.kind === 'objects'");
    assertThat(
            browser.data(
                SCRIPT_HELPERS + "return same(values('throughput', 0), data.objects.rate)"))
        .isEqualTo(true);
    assertThat(browser.data(SCRIPT_HELPERS + "return same(values('latency', 2), data.objects.p99)"))
        .isEqualTo(true);
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + """
                    const x = chart('throughput').spec.x.values;
                    return same(x, data.objects.n) && same(range('throughput'), common('throughput'))
                    """))
        .as("all of it")
        .isEqualTo(true);
    assertThat(
            browser.texts(
                "return [...document.querySelectorAll('[data-over]')].map(e => e.ariaPressed)"))
        .containsExactly("false", "true");
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + """
                    const x = chart('stages').spec.x.values;
                    return x.every((value, i) => i === 0 || value > x[i - 1])
                        && x.at(-1) <= data.time.objects.at(-1) + 1
                    """))
        .as("stages lie over objects, too")
        .isEqualTo(true);
    browser.data("document.querySelector('[data-over=time]').focus()");
    browser.press(Keys.ENTER);
    browser.waitFor(SCRIPT_HELPERS + "return same(values('throughput', 0), data.time.rate)");
    assertThat(browser.consoleErrors()).isEmpty();
  }

  @Test
  void aChartIsReadAndZoomedWithTheKeyboard() {
    browser.data(SCRIPT_HELPERS + "focus('#chart-latency .plot')");
    assertThat(browser.focused().name()).startsWith("Latency: chart.");
    browser.press(Keys.HOME);
    assertTheReadoutIsOf(0);
    browser.press(Keys.ARROW_RIGHT);
    assertTheReadoutIsOf(1);
    browser.press(Keys.END);
    browser.press(Keys.ARROW_LEFT);
    assertThat(
            browser.data(
                SCRIPT_HELPERS + "return chart('latency').index === data.time.t.length - 2"))
        .isEqualTo(true);
    assertThat(
            browser.texts(
                SCRIPT_HELPERS
                    + "return ['latency', 'throughput'].map(id => readout(id).ariaLive)"))
        .as("only the one that is read is read out")
        .containsExactly("polite", "off");

    browser.press("+", "+");
    browser.waitFor(
        SCRIPT_HELPERS
            + """
            const [from, to] = range('latency');
            return to - from < data.time.t.at(-1) / 2 && same(range('throughput'), [from, to])
                && same(range('failed'), [from, to])
            """);
    browser.press(Keys.HOME);
    assertTheReadoutIsOf(0);
    assertThat(browser.data(SCRIPT_HELPERS + "return range('latency')[0] <= data.time.t[0]"))
        .as("what is read is to be seen")
        .isEqualTo(true);
    browser.press("0");
    browser.waitFor(
        SCRIPT_HELPERS
            + "return ['latency', 'throughput', 'failed'].every(id =>"
            + " same(range(id), common(id)))");
    assertThat(browser.consoleErrors()).isEmpty();
  }

  private void assertTheReadoutIsOf(int index) {
    browser.waitFor(
        SCRIPT_HELPERS
            + """
            const i = arguments[0], text = readout('latency').textContent;
            return chart('latency').index === i
                && text.startsWith(Fedometer.elapsed(data.time.t[i]))
                && ['p50', 'p95', 'p99'].every(name =>
                    text.includes(`${name} ${Fedometer.format(data.time[name][i], 'ms')}`))
                && !text.includes('mean')
            """,
        index);
  }

  @Test
  void hidesAndShowsALineByKeyboard() {
    String pressed =
        SCRIPT_HELPERS
            + """
            return [...document.querySelectorAll('#chart-latency .legend button')]
                .map(button => button.textContent + ' ' + button.ariaPressed)
            """;
    assertThat(browser.texts(pressed))
        .containsExactly(
            "p50 true", "p95 true", "p99 true", "longest true", "mean false", "shortest false");
    final Object lines =
        browser.data(SCRIPT_HELPERS + "return chart('latency').uplot.series.length");
    browser.data(SCRIPT_HELPERS + "focus('#chart-latency .legend li:nth-child(2) button')");
    browser.press(Keys.SPACE);
    browser.waitFor(
        SCRIPT_HELPERS + "return chart('latency').uplot.series.length === arguments[0] - 1", lines);
    assertThat(browser.texts(pressed)).contains("p95 false", "p50 true");
    assertThat(browser.focused().name()).as("it keeps the keyboard").isEqualTo("p95");
    browser.press(Keys.SPACE);
    browser.waitFor(
        SCRIPT_HELPERS + "return chart('latency').uplot.series.length === arguments[0]", lines);
  }

  @Test
  void filesForSpreadsheetsHoldWhatChartsAndTablesShow() {
    String throughput = csvOf("#chart-throughput a.csv");
    List<?> t = (List<?>) browser.data(SCRIPT_HELPERS + "return data.time.t");
    List<?> rate = (List<?>) browser.data(SCRIPT_HELPERS + "return data.time.rate");
    List<String> lines = throughput.lines().toList();
    assertThat(lines.get(0)).startsWith("seconds,objects a second");
    assertThat(lines).hasSize(t.size() + 1);
    for (int i = 0; i < t.size(); i++) {
      String[] fields = lines.get(i + 1).split(",", -1);
      assertThat(Double.parseDouble(fields[0])).isEqualTo(((Number) t.get(i)).doubleValue());
      assertThat(fields[1].isEmpty() ? null : Double.valueOf(fields[1]))
          .isEqualTo(rate.get(i) == null ? null : ((Number) rate.get(i)).doubleValue());
    }

    String stages = csvOf("#stages ~ .tools a.csv");
    assertThat(stages.lines().findFirst())
        .hasValueSatisfying(
            line -> assertThat(line).startsWith("stage,calls,failed,total (s),self (s)"));
    for (JsonNode stage : report.at("/stages")) {
      assertThat(stages)
          .contains(
              "\n%s,%d,%d,"
                  .formatted(
                      stage.at("/name").asText(),
                      stage.at("/count").asLong(),
                      stage.at("/failed").asLong()));
    }
    assertThat(browser.consoleErrors()).isEmpty();
  }

  /** Returns the file's content of a link that is followed by keyboard. */
  private String csvOf(String selector) {
    browser.data(
        SCRIPT_HELPERS
            + """
            window.made = null;
            const make = URL.createObjectURL;
            URL.createObjectURL = blob => {
              URL.createObjectURL = make;
              blob.text().then(text => { window.made = text });
              return make(blob);
            };
            focus(arguments[0]);
            """,
        selector);
    browser.press(Keys.ENTER);
    browser.waitFor("return window.made !== null");
    return String.valueOf(browser.data("return window.made"));
  }

  @Test
  void theDataOfAChartIsReadAsATable() {
    browser.data(SCRIPT_HELPERS + "focus('#chart-latency summary')");
    browser.press(Keys.ENTER);
    browser.waitFor("return document.querySelector('#chart-latency table')");
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + "return document.querySelectorAll('#chart-latency tbody tr').length === data.time.t.length"))
        .isEqualTo(true);
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + """
                    return [...document.querySelectorAll('#chart-latency tbody tr')].every((row, i) =>
                        row.cells[0].textContent === String(data.time.t[i])
                        && row.cells[3].textContent === String(data.time.p99[i] ?? '–'))
                    """))
        .isEqualTo(true);
    browser.press(Keys.ENTER);
    browser.waitFor("return !document.querySelector('#chart-latency table')");
  }

  @Test
  void sortsStagesByKeyboard() {
    String calls = SCRIPT_HELPERS + "return cells('stages').map(row => row[0])";
    final List<String> before = browser.texts(calls);
    // The section's title and what belongs to it.
    String outside =
        SCRIPT_HELPERS
            + """
            const rows = [...table('stages').tBodies[0].rows];
            const title = rows.findIndex(row => row.classList.contains('section'));
            return title < 0 ? [] : rows.slice(title + 1).map(row => row.cells[0].textContent.trim()).sort()
            """;
    final List<String> outsideBefore = browser.texts(outside);
    assertThat(outsideBefore).as("stages outside requests").isNotEmpty();
    browser.data(
        SCRIPT_HELPERS
            + "[...table('stages').querySelectorAll('th button')].find(e => e.textContent === 'calls').focus()");
    browser.press(Keys.ENTER);
    browser.waitFor(
        SCRIPT_HELPERS
            + "return table('stages').querySelector('[aria-sort=descending]')?.textContent === 'calls'");
    assertSorted(-1);
    assertThat(browser.texts(outside)).isEqualTo(outsideBefore);
    browser.press(Keys.ENTER);
    browser.waitFor(
        SCRIPT_HELPERS
            + "return table('stages').querySelector('[aria-sort=ascending]')?.textContent === 'calls'");
    assertSorted(1);
    assertThat(browser.texts(outside)).isEqualTo(outsideBefore);
    assertThat(browser.texts(calls)).containsExactlyInAnyOrderElementsOf(before);
  }

  private void assertSorted(int direction) {
    assertThat(
            browser.data(
                SCRIPT_HELPERS
                    + """
                    const parts = [[]];
                    for (const row of table('stages').tBodies[0].rows) {
                      if (row.classList.contains('section')) parts.push([]);
                      else parts.at(-1).push(Number(row.cells[1].dataset.value));
                    }
                    return parts.every(part => part.every((value, i) =>
                        i === 0 || arguments[0] * (value - part[i - 1]) >= 0))
                    """,
                direction))
        .as("in order of calls")
        .isEqualTo(true);
  }

  @Test
  void zoomsTheIcicleByKeyboard() {
    String share =
        """
        const node = document.querySelectorAll('.icicle .node')[3], root = document.querySelector('.icicle');
        return node.getBoundingClientRect().width / root.getBoundingClientRect().width
        """;
    final double before = ((Number) browser.data(share)).doubleValue();
    assertThat(browser.data("return document.querySelectorAll('.icicle .node')[3].ariaLabel"))
        .asString()
        .contains("on average in an ingest");
    browser.data("document.querySelectorAll('.icicle .node')[3].focus()");
    browser.press(Keys.ENTER);
    browser.waitFor("return (() => {" + share + "})() > 0.98");
    browser.press(Keys.ENTER);
    browser.waitFor("return Math.abs((() => {" + share + "})() - arguments[0]) < 0.001", before);
  }

  @Test
  void theColoursAreChosenWithTheKeyboard() {
    String look =
        "return [document.documentElement.dataset.theme ?? 'auto', getComputedStyle(document.body).backgroundColor]";
    final List<String> before = browser.texts(look);
    browser.data("document.getElementById('theme').focus()");
    browser.press(Keys.SPACE, Keys.SPACE);
    browser.waitFor("return document.documentElement.dataset.theme === 'dark'");
    assertThat(browser.focused().name()).isEqualTo("Colours: dark");
    assertThat(browser.texts(look).get(1)).isNotEqualTo(before.get(1));
    browser.press(Keys.SPACE);
    browser.waitFor("return document.documentElement.dataset.theme === undefined");
    assertThat(browser.texts(look)).isEqualTo(before);
  }

  @Test
  void printsExpandedAndLight() {
    browser.dark();
    try {
      String closed = "return document.querySelectorAll('details[data-print]:not([open])').length";
      final Object before = browser.data(closed);
      assertThat(before).isNotEqualTo(0L);
      browser.data(
          """
          window.printed = null;
          addEventListener('beforeprint', () => {
            window.printed = [document.querySelectorAll('details[data-print]:not([open])').length,
                document.documentElement.dataset.theme];
          });
          """);
      byte[] paper =
          Base64.getDecoder()
              .decode(
                  (String)
                      browser.driver().executeCdpCommand("Page.printToPDF", Map.of()).get("data"));
      assertThat(new String(paper, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
      assertThat(browser.data("return window.printed")).isEqualTo(List.of(0L, "light"));
      browser.waitFor("return document.documentElement.dataset.theme === undefined");
      assertThat(browser.data(closed)).as("as before").isEqualTo(before);
      browser.print(true);
      assertThat(
              browser.texts(
                  """
                  return ['nav.page', '.tools', '.skip'].filter(each =>
                      getComputedStyle(document.querySelector(each)).display !== 'none')
                  """))
          .as("what is of no use on paper")
          .isEmpty();
    } finally {
      browser.light();
      browser.print(false);
    }
  }

  @Test
  void showsNumbersAndTablesWithoutScripts() {
    browser.javaScript(false);
    try {
      browser.open(page);
      assertThat(browser.data("return document.body.innerText"))
          .asString()
          .contains("Charts and CSV files need JavaScript; tables and numbers do not.")
          .contains("ingest.validate")
          .contains("page:40");
      assertThat(browser.data("return document.querySelectorAll('.icicle .node').length > 5"))
          .isEqualTo(true);
    } finally {
      browser.javaScript(true);
    }
  }

  @Test
  void pageIsAccessibleAndSelfContained() {
    PageChecks.check(
        browser, page.toUri(), "return Fedometer.charts.size >= 10", "failing", "page:40");
  }

  @Test
  void twoPagesOfOneFolderAreEqual() throws Exception {
    Path again = folder.resolve("again.html");
    reportOf("failing", again, ExitCode.DONE_WITH_ERRORS);
    assertThat(Files.readString(again)).isEqualTo(Files.readString(page));
  }

  @Test
  void escapesNamesOfSenders() throws Exception {
    try (SentRun run = SentRun.begin(port(), 100)) {
      run.ingest(30);
      run.fail();
      run.end();
    }
    Path hostile = folder.resolve("hostile.html");
    reportOf(SentRun.NAME, hostile, ExitCode.DONE_WITH_ERRORS);
    PageChecks.check(
        browser,
        hostile.toUri(),
        PageChecks.LOADED,
        SentRun.NAME,
        SentRun.PID,
        SentRun.MESSAGE,
        SentRun.STAGE,
        SentRun.DATASET,
        SentRun.OPERATION);
    assertThat(csvOf("#errors ~ .tools:last-of-type a.csv"))
        .as("no formula")
        .contains(",'" + SentRun.PID + ",");
  }

  @Test
  void anImportedRunHasAPageOfWhatWasMeasured() throws Exception {
    StringBuilder durations = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      durations.append(i % 2 == 0 ? "10\n" : "30\n");
    }
    fedometer
        .startWithStore(
            "runs",
            "import",
            "--format",
            "durations",
            Files.writeString(folder.resolve("measured.txt"), durations).toString(),
            "--collector",
            "127.0.0.1:" + port(),
            "--name",
            "imported")
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
    Path imported = folder.resolve("imported.html");
    JsonNode text = reportOf("imported", imported, ExitCode.DONE);
    assertThat(text.at("/latency/meanMillis").asDouble()).isEqualTo(20);
    browser.open(imported);
    browser.waitForRest();
    assertThat(browser.data(SCRIPT_HELPERS + "return data.time.objects.at(-1)")).isEqualTo(200L);
    assertThat(browser.data(SCRIPT_HELPERS + "return values('throughput', 0)[1]")).isEqualTo(50L);
    assertThat(
            browser.texts(
                "return [...document.querySelectorAll('nav.page li')].map(e => e.textContent)"))
        .contains("Measured", "Throughput")
        .doesNotContain("Stages", "Machine", "Errors", "Checks");
    assertThat(browser.axe()).isEmpty();
    assertThat(browser.consoleErrors()).isEmpty();
    assertThat(browser.loadedFromElsewhere()).isEmpty();
  }

  private int port() {
    String address = collector.address();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static List<String> names(JsonNode stages) {
    List<String> names = new ArrayList<>();
    stages.forEach(stage -> names.add(stage.at("/name").asText()));
    return names;
  }
}

package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Navigation in the dashboard: addresses and focus. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardNavigationIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String LISTED =
      "return document.querySelector('h1')?.textContent === 'Runs'"
          + " && document.querySelectorAll('tbody tr').length === 1";
  private static final String READOUT =
      "return document.querySelector('#chart-own .readout').textContent";

  private Browser browser;
  private Fedometer.Call collector;
  private SentRun run;
  private URI dashboard;

  @BeforeAll
  void aCollectorWithARun(@TempDir Path folder) throws Exception {
    browser = Browser.start();
    collector =
        new Fedometer(folder)
            .startWithStore("collect", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0");
    String address = collector.address();
    dashboard = URI.create("http://" + collector.httpAddress() + "/");
    run = SentRun.begin(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)), 100);
    run.ingest(10);
  }

  @AfterAll
  void end() throws Exception {
    if (run != null) {
      run.close();
    }
    if (browser != null) {
      browser.close();
    }
    if (collector != null) {
      collector.process().destroy();
      collector.await(TIMEOUT);
    }
  }

  @Test
  void invalidUrlShowsTheListOfRuns() {
    for (String address : new String[] {"#token=%zz", "#content", "#/nowhere/%zz"}) {
      browser.driver().get("about:blank");
      browser.driver().get(dashboard + address);
      browser.waitFor(LISTED);
    }
    browser.driver().get(dashboard + "#/run/..%2Fx");
    browser.waitFor(
        "return document.querySelector('main').textContent.includes('or no longer, in this store')");
  }

  @Test
  void removesATokenFromTheUrl() {
    browser.open(dashboard);
    browser.waitFor(LISTED);
    browser.data("location.hash = '#token=open%20sesame'");
    browser.waitFor("return sessionStorage.getItem('fedometer-token') === 'open sesame'");
    browser.waitFor(LISTED);
    assertThat(browser.data("return location.hash")).isEqualTo("#/");
    browser.data("sessionStorage.clear()");
  }

  @Test
  void worksWithoutBrowserStorage() {
    Map<String, Object> script =
        browser
            .driver()
            .executeCdpCommand(
                "Page.addScriptToEvaluateOnNewDocument",
                Map.of(
                    "source",
                    "Object.defineProperty(window, 'sessionStorage',"
                        + " { get() { throw new DOMException('no', 'SecurityError'); } })"));
    try {
      browser.open(dashboard);
      browser.waitFor(LISTED);
    } finally {
      browser.driver().executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", script);
    }
  }

  @Test
  void newPageResetsTheFocus() {
    browser.open(dashboard);
    browser.waitFor(LISTED);
    browser.element("tbody a").sendKeys(Keys.ENTER);
    browser.waitFor("return document.getElementById('stages') !== null");
    assertThat(browser.data("return document.activeElement.id")).isEqualTo("content");
  }

  @Test
  void keepsTheFocusInAGrowingChart() {
    browser.open(dashboard);
    browser.waitFor(LISTED);
    browser.data(
        "document.querySelector('main').append(Fedometer.figure('chart-own', 'Own', null, true))");
    grow(8);
    browser.data("document.querySelector('#chart-own .plot').focus()");
    browser.press(Keys.HOME, Keys.ARROW_RIGHT);
    String read = (String) browser.data(READOUT);
    assertThat(read).isEqualTo("0:10: 1.00");
    browser.data(
        """
        window.said = 0;
        new MutationObserver(() => window.said++).observe(
            document.querySelector('#chart-own .readout'),
            { childList: true, characterData: true, subtree: true });
        """);

    grow(30);

    browser.waitFor("return Fedometer.charts.get('chart-own').uplot.scales.x.max >= 290");
    assertThat(browser.data(READOUT)).isEqualTo(read);
    assertThat(browser.data("return window.said")).as("times that it was said again").isEqualTo(0L);
    browser.press(Keys.ARROW_RIGHT);
    assertThat(browser.data(READOUT)).isEqualTo("0:20: 2.00");
  }

  /** Gives the chart so many values, as the collector does while a run goes on. */
  private void grow(int buckets) {
    browser.data(
        """
        const values = Array.from({ length: arguments[0] }, (_, i) => i);
        Fedometer.chart('chart-own', {
            x: { kind: 'time', values: values.map(i => 10 * i), origin: null },
            y: { unit: '' },
            series: [{ name: 'own', values, colour: 'c1' }] });
        """,
        buckets);
  }
}

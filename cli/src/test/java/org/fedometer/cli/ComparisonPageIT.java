package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page of {@code compare --html} in a browser: two imported runs, one twice as fast. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComparisonPageIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final int OBJECTS = 600;

  private static final String SCRIPT_HELPERS =
      """
      const chart = id => Fedometer.charts.get('chart-runs-' + id).spec;
      const row = (table, name) =>
          [...document.querySelector(`table[data-csv="${table}"]`).tBodies[0].rows]
              .find(each => each.cells[0].textContent.trim() === name);
      const value = (table, name, column) =>
          Number(row(table, name).cells[column].dataset.value);
      """;

  private Path folder;
  private Browser browser;
  private Fedometer fedometer;
  private Path page;
  private JsonNode comparison;

  @BeforeAll
  void twoRuns(@TempDir Path own) throws Exception {
    browser = Browser.start();
    folder = own;
    fedometer = new Fedometer(folder);
    imported("slow", 20);
    imported("quick", 10);
    page = folder.resolve("comparison.html");
    comparison =
        fedometer
            .startWithStore(
                "compare", "slow=slow", "quick=quick", "--json", "--html", page.toString())
            .await(TIMEOUT)
            .expect(ExitCode.DONE)
            .json();
  }

  /** Times within a tenth of the given one, one request after the other. */
  private void imported(String name, int millis) throws Exception {
    Random random = new Random(1);
    StringBuilder durations = new StringBuilder();
    for (int i = 0; i < OBJECTS; i++) {
      durations.append(millis * (0.9 + 0.2 * random.nextDouble())).append('\n');
    }
    Path file = Files.writeString(folder.resolve(name + ".txt"), durations);
    fedometer
        .startWithStore("runs", "import", "--format", "durations", file.toString(), "--name", name)
        .await(TIMEOUT)
        .expect(ExitCode.DONE);
  }

  @AfterAll
  void end() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void pageMatchesJson() {
    browser.open(page);
    browser.waitForRest();
    JsonNode throughput = comparison.at("/comparisons/0/throughput");
    double ratio = throughput.at("/ratio").asDouble();
    assertThat(ratio).isCloseTo(2, within(0.1));
    for (int column : List.of(3, 4, 5)) {
      String name = column == 3 ? "ratio" : column == 4 ? "low" : "high";
      assertThat(number("return value('ratios-B', 'objects/s', %d)".formatted(column)))
          .as(name)
          .isCloseTo(throughput.at("/" + name).asDouble(), within(1e-5));
    }
    assertThat(
            browser.data(
                SCRIPT_HELPERS + "return row('ratios-B', 'objects/s').cells[6].textContent.trim()"))
        .asString()
        .endsWith(throughput.at("/verdict").asText());
    assertThat(browser.data("return document.querySelector('#ratios').parentElement.innerText"))
        .asString()
        .containsIgnoringCase("within-run");
  }

  @Test
  void drawsTimelinesOfBothRuns() {
    browser.open(page);
    browser.waitForRest();
    assertThat(
            browser.texts(
                SCRIPT_HELPERS + "return chart('throughput').series.map(each => each.name)"))
        .containsExactly("A slow", "B quick");
    assertThat(number("return chart('p50').series[0].values[3]")).isCloseTo(20, within(2.0));
    assertThat(number("return chart('p50').series[1].values[3]")).isCloseTo(10, within(1.0));
    assertThat(number("return chart('throughput').series[1].values[3]"))
        .isCloseTo(100, within(10.0));

    browser.data("document.querySelector('button[data-over=time]').focus(); return 0");
    browser.press(Keys.SPACE);

    browser.waitFor(SCRIPT_HELPERS + "return chart('throughput').x.kind === 'time'");
    assertThat(number("return chart('throughput').series[0].values[2]")).isCloseTo(50, within(5.0));
    assertThat(browser.consoleErrors()).isEmpty();
  }

  @Test
  void pageIsAccessibleAndSelfContained() {
    PageChecks.check(browser, page.toUri(), "return Fedometer.charts.size === 3", "slow", "quick");
  }

  private double number(String script) {
    return ((Number) browser.data(SCRIPT_HELPERS + script)).doubleValue();
  }
}

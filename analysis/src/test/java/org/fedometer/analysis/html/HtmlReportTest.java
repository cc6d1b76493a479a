package org.fedometer.analysis.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.OtherDigits;
import org.fedometer.analysis.SampleRun;
import org.fedometer.analysis.TestRun;
import org.fedometer.analysis.report.Check;
import org.fedometer.analysis.report.ReportSummary;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.RunDocument.ObjectCounts;
import org.fedometer.store.RunDocument.Phase;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run's page matches its text, and escapes the run's content as text. */
class HtmlReportTest {
  private static final long MILLI = 1_000_000;
  private static final String HOSTILE = "</script><img src=x onerror=\"window.hacked=1\">&amp;";

  @TempDir Path directory;

  private static String page(TestRun run) throws Exception {
    run.seal();
    RunFolder folder = run.folder();
    Files.write(folder.documentFile(), RunDocumentJson.write(run.document()));
    return HtmlReport.of(folder, RunReport.of(folder), "1.2.3");
  }

  private static JsonNode data(Document page) throws Exception {
    return new ObjectMapper().readTree(page.getElementById("data").data());
  }

  private static List<String> row(Document page, String table, String first) {
    Element row =
        page.select("table[data-csv=" + table + "] tbody tr").stream()
            .filter(each -> each.child(0).text().equals(first))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no row " + first + " in " + table));
    return row.children().eachText();
  }

  @Test
  void showsSizesOfContentThatAreFarApart() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      run.sql("UPDATE requests SET content_bytes = 2000000 WHERE object_index < 100");
      run.sql("UPDATE requests SET content_bytes = 10 WHERE object_index >= 100");
      Document page = Jsoup.parse(page(run));

      assertThat(page.select("nav a[href=#content-sizes]").text()).isEqualTo("Sizes");
      assertThat(page.select("h2#content-sizes").text()).isEqualTo("Ingests by size of content");
      assertThat(row(page, "content-sizes", "1 to 10 MB")).contains("100", "200 MB");
    }
  }

  @Test
  void agreesWithTheTextReport() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      Document page = Jsoup.parse(page(run));
      RunReport report = run.report();

      assertThat(page.title()).isEqualTo("Run calm-heron – Fedometer");
      assertThat(page.select("h1").text()).isEqualTo("Run calm-heron");
      assertThat(page.select(".badge").text()).isEqualTo(ReportSummary.outcome(report));
      for (Check check : Check.of(report)) {
        assertThat(row(page, "checks", check.name())).contains(check.detail());
      }
      RunReport.Pace ingest = report.speed().ingest();
      assertThat(row(page, "speed", "all, to last answer"))
          .contains(
              NumberFormats.count(ingest.objects()),
              NumberFormats.rate(ingest.objectsPerSecond()),
              NumberFormats.duration(ingest.latency().p99Nanos()),
              NumberFormats.duration(ingest.latency().maxNanos()));
      for (RunReport.Stage stage : report.stages().list()) {
        assertThat(row(page, "stages", stage.name()))
            .contains(
                NumberFormats.count(stage.count()),
                NumberFormats.duration(stage.selfNanos()),
                NumberFormats.duration(stage.p99Nanos()));
      }
      JsonNode objects = data(page).path("time").path("objects");
      assertThat(objects.get(objects.size() - 1).asLong()).isEqualTo(ingest.objects());
    }
  }

  @Test
  void reportsASlowIngestWithoutSamples() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      run.sql("DELETE FROM samples");
      run.sql("DELETE FROM traces");

      assertThat(Jsoup.parse(page(run)).select("#slowest ~ details p").eachText())
          .contains("No record of it from inside Fedora.");
    }
  }

  @Test
  void numbersInTablesCanBeReckonedWith() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      Document page = Jsoup.parse(page(run));

      double shares =
          page.select("table[data-csv=stages] tbody tr").stream()
              .filter(row -> row.children().size() > 5)
              .map(row -> row.child(5).attr("data-value"))
              .filter(value -> !value.isEmpty())
              .mapToDouble(Double::parseDouble)
              .sum();

      assertThat(shares).isBetween(0.999, 1.001);
    }
  }

  @Test
  void isTheSamePageEachTime() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);

      assertThat(page(run)).isEqualTo(page(run));
    }
  }

  @Test
  void isTheSamePageInEveryCountry() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      run.hosts("boot", "boot");
      String usual = page(run);
      RunFolder folder = run.folder();

      String there = OtherDigits.answer(() -> HtmlReport.of(folder, RunReport.of(folder), "1.2.3"));

      assertThat(there).isEqualTo(usual);
    }
  }

  @Test
  void loadsNothingAndAllowsOnlyItsOwnScripts() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      Document page = Jsoup.parse(page(run));

      assertThat(page.select("[src], link, iframe, object, embed, form")).isEmpty();
      assertThat(page.select("a[href]").eachAttr("href")).allMatch(link -> link.startsWith("#"));
      String policy = page.select("meta[http-equiv=Content-Security-Policy]").attr("content");
      assertThat(policy).startsWith("default-src 'none'; script-src 'sha256-");
      for (Element script : page.select("script:not([type])")) {
        byte[] digest =
            MessageDigest.getInstance("SHA-256")
                .digest(script.data().getBytes(StandardCharsets.UTF_8));
        assertThat(policy).contains(Base64.getEncoder().encodeToString(digest));
      }
      assertThat(page.select("script:not([type])")).hasSize(3);
    }
  }

  @Test
  void everySectionIsInItsNavigation() throws Exception {
    try (TestRun run = new TestRun()) {
      SampleRun.fill(run);
      Document page = Jsoup.parse(page(run));

      assertThat(page.select("nav a").eachAttr("href"))
          .containsExactlyElementsOf(
              page.select("h2").eachAttr("id").stream().map(id -> "#" + id).toList());
    }
  }

  @Test
  void whatOthersWroteIsText() throws Exception {
    try (TestRun run = new TestRun()) {
      run.phases = List.of(new Phase("ingest", 0, 4_000 * MILLI));
      run.objects = new ObjectCounts(2, 1, 1, 1L, 1, 1000);
      run.moreVersions = Map.of(HOSTILE, HOSTILE);
      run.notes = List.of(HOSTILE);
      run.workload = Map.of("content", HOSTILE);
      run.ingested(0, 100 * MILLI, 900 * MILLI);
      run.request(1, 1, 1_100 * MILLI, 900 * MILLI, 500, HOSTILE);
      run.sample(HOSTILE, HOSTILE, 1, 100 * MILLI, 5 * MILLI, 5 * MILLI);
      run.sql("UPDATE requests SET pid = '" + HOSTILE + "'");
      String html = page(run);
      Document page = Jsoup.parse(html);

      assertThat(page.select("img, [onerror]")).isEmpty();
      assertThat(page.select("script")).hasSize(4);
      assertThat(html).doesNotContain("</script><img");
      assertThat(row(page, "failures", "ingest")).contains(HOSTILE);
      assertThat(page.select("table[data-csv=errors] td").eachText()).contains(HOSTILE);
      assertThat(page.select("table[data-csv=stages] th").eachText()).contains(HOSTILE);
      assertThat(data(page).path("errors").path("message").get(0).asText()).isEqualTo(HOSTILE);
    }
  }

  @Test
  void whatSteersATerminalOrTurnsTheWritingIsWrittenOut() throws Exception {
    String steering = "a\u001b[31m\u0007\u009b\u202eb\u2066c\u200bd\ufeff";
    try (TestRun run = new TestRun()) {
      run.phases = List.of(new Phase("ingest", 0, 4_000 * MILLI));
      run.objects = new ObjectCounts(2, 1, 1, 1L, 1, 1000);
      run.notes = List.of(steering);
      run.ingested(0, 100 * MILLI, 900 * MILLI);
      run.request(1, 1, 1_100 * MILLI, 900 * MILLI, 500, steering);
      String html = page(run);

      assertThat(html).contains("a\\u001b[31m\\u0007\\u009b\\u202eb\\u2066c\\u200bd\\ufeff");
      assertThat(html).doesNotContainPattern("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");
      assertThat(data(Jsoup.parse(html)).path("errors").path("message").get(0).asText())
          .isEqualTo(steering);
    }
  }

  @Test
  void aRunThatFailedEarlyHasAPageOfWhatThereIs() throws Exception {
    try (TestRun run = new TestRun()) {
      run.state = "failed";
      Document page = Jsoup.parse(page(run));

      assertThat(page.select(".badge.bad").text()).startsWith("failed");
      assertThat(page.select("#timeline, #stages, #slowest, #growth, #errors, #machine")).isEmpty();
      assertThat(page.select("#environment")).hasSize(1);
    }
  }

  @Test
  void writesAPageForAMonitoringRun() throws Exception {
    try (TestRun run = new TestRun()) {
      run.sample("http.request", "http-1", 1, 100 * MILLI, 5 * MILLI, 5 * MILLI);
      run.seal();
      RunFolder folder = run.folder();

      Document page = Jsoup.parse(HtmlReport.of(folder, RunReport.of(folder), "1.2.3"));

      assertThat(page.select("h1").text()).startsWith("Monitoring ");
      assertThat(row(page, "stages", "http.request")).contains("1");
      assertThat(page.select("#speed")).isEmpty();
    }
  }
}

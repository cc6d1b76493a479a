package org.fedometer.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.fedometer.analysis.html.HtmlReport;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.analysis.timeline.RunPaces;
import org.fedometer.store.RunStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ComparisonPageTest {

  @TempDir private Path folder;

  private StoredRun run(String name) {
    return new StoredRun(folder, name);
  }

  private Lineup lineup(String... arguments) throws Exception {
    return Lineup.of(RunStore.at(folder), List.of(arguments), null);
  }

  private static ProfileComparison compared(Lineup lineup) throws Exception {
    return ProfileComparison.of(lineup, Choices.DEFAULT);
  }

  private static String page(Lineup lineup, ProfileComparison comparison, String... gates)
      throws Exception {
    List<Gate> parsed = List.of(gates).stream().map(Gate::parse).toList();
    return HtmlReport.of(comparison, lineup, Gate.results(parsed, comparison), "1.2.3");
  }

  private String page(String... arguments) throws Exception {
    Lineup lineup = lineup(arguments);
    return page(lineup, compared(lineup));
  }

  private static JsonNode json(String page) throws Exception {
    List<String> found = all(page, "<script type=\"application/json\" id=\"data\">(.*?)</script>");
    assertThat(found).hasSize(1);
    return new ObjectMapper().readTree(found.get(0));
  }

  private static List<String> all(String page, String pattern) {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(page)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  /** Values of a table's cells as its CSV has them. */
  private static List<String> values(String page, String table) {
    List<String> body = all(page, "<table data-csv=\"" + table + "\".*?<tbody>(.*?)</tbody>");
    assertThat(body).as(table).hasSize(1);
    return all(body.get(0), "data-value=\"([^\"]*)\"");
  }

  private static List<String> sections(String page) {
    return all(page, "<h2 id=\"([a-z]+)\">");
  }

  /** Three runs each, in turns; the second profile indexes in half the time. */
  private void anExperiment(String first, String second) throws Exception {
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (String label : List.of(first, second)) {
        StoredRun run =
            run("e." + repetition + (label.equals(first) ? ".a" : ".b"))
                .of(label.equals(first) ? "slow" : "fast");
        run.labels = List.of(first, second);
        run.in("e", label, repetition, repetition);
        run.indexMillis = label.equals(first) ? 10 : 5;
        run.write();
      }
    }
  }

  @Test
  void thePageHasTheComparisonsNumbersAndItsSectionsInTheirOrder() throws Exception {
    anExperiment("first", "second");
    Lineup lineup = lineup("e");
    ProfileComparison comparison = compared(lineup);
    Contender contender = comparison.contenders().get(0);

    String page = page(lineup, comparison, "throughput < 0.97", "p50 better");

    assertThat(sections(page))
        .containsExactly(
            "compared",
            "gates",
            "ratios",
            "runs",
            "stages",
            "resources",
            "timeline",
            "growth",
            "differences",
            "remarks",
            "traceability");
    List<String> ratios = values(page, "ratios-B");
    for (RatioEstimate estimate : contender.service()) {
      assertThat(ratios)
          .contains(
              Double.toString(estimate.ratio()),
              Double.toString(estimate.low()),
              Double.toString(estimate.high()),
              Double.toString(estimate.adjustedPValue()));
    }
    List<String> stages = values(page, "stages-B");
    for (StageDifference stage : contender.stages()) {
      assertThat(stages)
          .contains(
              Double.toString(stage.differenceNanos() / 1e3),
              Double.toString(stage.bounds().low() / 1e3),
              Double.toString(stage.bounds().high() / 1e3));
    }
    List<String> runs = values(page, "runs");
    for (MeasuredRun run : contender.sides().contender()) {
      assertThat(runs)
          .contains(
              Double.toString(run.part().service().statistics().value(Metric.THROUGHPUT)),
              Double.toString(run.part().service().statistics().value(Metric.P99) / 1e6));
    }
    assertThat(page)
        .contains("▲ better", "✓ passed", "✗ failed", "1 of 2 gates failed.", "Experiment e")
        .contains(ComparisonSummary.of(contender, comparison.choices()).replace("'", "&#39;"));
    for (Recommendation recommendation : comparison.recommendations()) {
      assertThat(page).contains(ComparisonSummary.of(recommendation));
    }
    assertThat(all(page, "(<circle class=\"dot\")")).hasSize(4 * 6);
    assertThat(all(page, "(<line class=\"pair\")")).hasSize(4 * 3);
    assertThat(all(page, "<main id=\"content\">(.*)</main>").get(0))
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void drawsTimelinesOfAllRunsOverCommonAxes() throws Exception {
    StoredRun longer = run("longer").of("one");
    longer.objects = 900;
    longer.write();
    run("shorter").of("other").write();
    Lineup lineup = lineup("longer", "shorter");
    RunPaces paces =
        RunPaces.of(
            lineup.inOrder().stream()
                .map(profile -> profile.runs().get(0))
                .map(run -> new RunPaces.Source(run.view(), run.document()))
                .toList());

    JsonNode json = json(page(lineup, compared(lineup)));

    assertThat(json.at("/bucketObjects").asLong()).isEqualTo(paces.bucketObjects()).isEqualTo(10);
    assertThat(json.at("/bucketSeconds").asLong()).isEqualTo(paces.bucketSeconds()).isEqualTo(1);
    assertThat(json.at("/runs/0/name").asText()).isEqualTo("A longer");
    assertThat(json.at("/runs/0/colour").asText()).isNotEqualTo(json.at("/runs/1/colour").asText());
    assertThat(json.at("/runs/0/objects/p50")).hasSize(90);
    assertThat(json.at("/runs/1/objects/p50")).hasSize(30);
    for (int run = 0; run < 2; run++) {
      RunPaces.Pace pace = paces.runs().get(run);
      assertThat(pace.time().objects().at(pace.time().objects().size() - 1))
          .isEqualTo(run == 0 ? 900 : 300);
      for (int i = 0; i < pace.objects().rate().size(); i++) {
        double drawn = json.at("/runs/" + run + "/objects/p99/" + i).asDouble();
        double known = pace.objects().latency().p99().at(i);
        assertThat(drawn).isBetween(known * 0.999, known * 1.001);
      }
    }
  }

  @Test
  void twoPagesOfTheSameFoldersAreEqual() throws Exception {
    anExperiment("first", "second");

    assertThat(page("e")).isEqualTo(page("e"));
  }

  @Test
  void labelsStatesAndTextsOfRunsAreTextOnly() throws Exception {
    String hostile = "<img src=x onerror=\"alert('1')\"></script>&";
    anExperiment("first", hostile);
    StoredRun alone = run("alone").of("slow</title><script>alert(2)</script>");
    alone.state = "<b>failed</b>";
    alone.write();

    for (String page : List.of(page("e"), page("alone", "e.1.b"))) {
      assertThat(page).doesNotContain("<img", "<b>", "<script>alert", "</title><script");
      assertThat(all(page, "(<script)")).hasSize(4);
      assertThat(all(page, "(</script>)")).hasSize(4);
      json(page);
    }
    assertThat(page("e")).contains("&lt;img src=x onerror=");
  }

  @Test
  void withOneRunEachPageAndTextNameTheWithinRunScope() throws Exception {
    run("one").of("slow").write();
    StoredRun faster = run("two").of("fast");
    faster.indexMillis = 5;
    faster.write();
    Lineup lineup = lineup("one", "two");
    ProfileComparison comparison = compared(lineup);
    String text = TextProfileComparison.of(comparison, new TextStyle(10_000, true, false));

    String page = page(lineup, comparison);

    assertThat(text).contains("within these runs", "Within-run: does not cover");
    assertThat(all(page, "(within these runs)")).hasSameSizeAs(all(text, "(within these runs)"));
    assertThat(page)
        .contains("Within-run: does not cover run-to-run variation")
        .contains("A profile with one run shows no run-to-run variation")
        .contains("no interval: single runs");
  }

  @Test
  void showsResponseTimesInASeparateSection() throws Exception {
    for (String name : List.of("one", "two")) {
      StoredRun run = run(name).of(name);
      run.ratePerSecond = 100.0;
      run.write();
    }

    String page = page("one", "two");

    assertThat(sections(page)).containsSubsequence("ratios", "responses", "runs");
    assertThat(values(page, "response-B")).hasSize(4 * 7);
    assertThat(page).contains("response time p99");
  }

  @Test
  void whatIsNotKnownIsNotShown() throws Exception {
    StoredRun bare = run("bare").of("one");
    bare.samples = false;
    bare.telemetry = false;
    bare.write();
    StoredRun nothing = run("nothing").of("other");
    nothing.objects = 0;
    nothing.write();
    StoredRun nothingElse = run("nothing-else").of("third");
    nothingElse.objects = 0;
    nothingElse.write();

    String some = page("bare", "nothing");
    String none = page("nothing", "nothing-else");

    assertThat(sections(some))
        .containsExactly(
            "compared",
            "ratios",
            "runs",
            "resources",
            "timeline",
            "growth",
            "differences",
            "remarks",
            "traceability");
    assertThat(sections(none))
        .containsExactly(
            "compared", "ratios", "runs", "resources", "differences", "remarks", "traceability");
    for (String page : List.of(some, none)) {
      assertThat(page).contains("B cannot be compared with A").doesNotContain(">null<");
    }
  }

  @Test
  void manyProfilesAreAllThereOnAPageOfBoundedSize() throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= 27; i++) {
      StoredRun run = run("run-" + i).of("profile-" + i);
      run.objects = 120;
      run.write();
      names.add("run-" + i);
    }

    String page = page(names.toArray(String[]::new));

    assertThat(page).contains("Z against A", "27 against A", "profile-27");
    assertThat(all(page, "(data-csv=\"ratios-)")).hasSize(26);
    assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(3_000_000);
  }
}

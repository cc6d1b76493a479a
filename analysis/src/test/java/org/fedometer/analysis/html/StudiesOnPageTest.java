package org.fedometer.analysis.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocument.LoadStep;
import org.fedometer.store.RunDocument.Percentiles;
import org.fedometer.store.RunDocumentJson;
import org.fedometer.store.RunFolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages are made of a folder on disk, by the templates that a reader gets. */
class StudiesOnPageTest {

  private static final String HOSTILE = "</script><script>alert(1)</script><b onclick='x'>";
  private static final String DATA = "<script type=\"application/json\" id=\"data\">";

  @TempDir Path directory;
  private RunFolder run;

  @BeforeEach
  void folder() throws Exception {
    run = new RunFolder(Files.createDirectory(directory.resolve("calm-heron")));
  }

  @Test
  void aRunWithoutStudiesHasNoSectionOfThem() throws Exception {
    String page = page();

    assertThat(page)
        .doesNotContain("id=\"scale\"", "id=\"datastreams\"", "id=\"steps\"", "id=\"kiviat\"");
    JsonNode data = data(page);
    assertThat(data.path("kind").asText()).isEqualTo("run");
    assertThat(data.path("scale").isNull()).isTrue();
    assertThat(data.path("datastreams").isNull()).isTrue();
    assertThat(data.path("steps").isNull()).isTrue();
    assertThat(data.path("curves").isNull()).isTrue();
  }

  @Test
  void aScaleStudyIsAPlotTablesAndData() throws Exception {
    write("scale-study.json", scale("find-objects"));

    String page = page();

    assertThat(page)
        .contains("<a href=\"#scale\">Scale study</a>")
        .contains("class=\"kiviat full\"", "class=\"kiviat compact\"")
        .contains("data-csv=\"break-even\"", "data-csv=\"timings\"")
        .contains("find-objects: above 0.1 s from 200 objects on")
        .contains("2 timed requests failed for good")
        .contains("limits were passed by 1 operation (0.1 s).");
    JsonNode scale = data(page).path("scale");
    assertThat(scale.path("sizes").toString()).isEqualTo("[100,200]");
    assertThat(scale.path("operations").get(0).toString())
        .isEqualTo(
            "{\"name\":\"find-objects\",\"mean\":[50.0,150.0],\"min\":[1.0,1.0],"
                + "\"max\":[900.0,900.0],\"failed\":[0,0]}");
    assertThat(scale.path("operations").get(2).path("mean").toString()).isEqualTo("[7.0,null]");
    assertThat(scale.path("operations").get(2).path("failed").toString()).isEqualTo("[0,2]");
  }

  @Test
  void namesOfAStudyAreTextAndNoMarkup() throws Exception {
    write("scale-study.json", scale(HOSTILE));
    write(
        "datastream-study.json",
        "{\"added\":3,\"limit\":\"%s\",\"additions\":[]}".formatted(HOSTILE));

    String page = page();

    assertThat(page).doesNotContain("<script>alert", "<b onclick");
    assertThat(page).contains("&lt;b onclick=");
    assertThat(data(page).path("scale").path("operations").get(0).path("name").asText())
        .isEqualTo(HOSTILE);
  }

  @Test
  void aDamagedStudyIsASentence() throws Exception {
    write("scale-study.json", "{\"timings\":[{\"operation\":\"" + HOSTILE + "\",\"objects\":0}]}");
    write("datastream-study.json", "<script>alert(1)</script>");

    String page = page();

    assertThat(page)
        .contains("scale-study.json of the run cannot be read: “objects” is not a number from 1 to")
        .contains("datastream-study.json of the run cannot be read: it is not JSON.")
        .doesNotContain("<script>alert", "id=\"chart-scale\"", "id=\"chart-datastreams\"");
    assertThat(data(page).path("scale").isNull()).isTrue();
  }

  @Test
  void showsHowADatastreamStudyReachedItsLimit() throws Exception {
    write(
        "datastream-study.json",
        "{\"added\":382,\"limit\":\"OutOfMemoryError\",\"additions\":[{\"datastreams\":200,\"count\":200,"
            + "\"meanMillis\":570,\"minMillis\":20,\"maxMillis\":3000}]}");

    String page = page();

    assertThat(page)
        .contains(
            "382 datastreams were added to one object; then a limit was reached: OutOfMemoryError")
        .contains("id=\"chart-datastreams\"", "data-csv=\"additions\"");
    assertThat(data(page).path("datastreams").path("max").toString()).isEqualTo("[3000.0]");
  }

  @Test
  void stepsOfARampAreDrawnWithoutTheirWarmUp() throws Exception {
    RunDocument.Load load =
        new RunDocument.Load(
            "Too slow.",
            20.0,
            List.of(
                step("warm-up", null, 50, 0, 0),
                step("clean", 20.0, 200, 0, 0),
                step("errors", 40.0, 300, 7, 90)),
            List.of(),
            List.of());
    Files.write(
        run.documentFile(),
        RunDocumentJson.write(RunDocument.builder("calm-heron", "done").load(load).build()));

    String page = page();

    assertThat(page)
        .contains("id=\"chart-steps-rate\"", "id=\"chart-steps-bad\"", "Highest clean rate: 20.0");
    JsonNode steps = data(page).path("steps");
    assertThat(steps.path("by").asText()).isEqualTo("rate");
    assertThat(steps.path("asked").toString()).isEqualTo("[20.0,40.0]");
    assertThat(steps.path("reached").toString()).isEqualTo("[20.0,30.0]");
    assertThat(steps.path("outcome").toString()).isEqualTo("[\"clean\",\"errors\"]");
    assertThat(steps.path("failed").toString()).isEqualTo("[0,7]");
    assertThat(steps.path("late").toString()).isEqualTo("[0,90]");
    assertThat(steps.path("p99").toString()).isEqualTo("[30.0,30.0]");
    assertThat(steps.path("highestCleanRate").asDouble()).isEqualTo(20);
  }

  @Test
  void drawsAStepWithoutAnOutcome() throws Exception {
    RunDocument.Load load =
        new RunDocument.Load(
            null, null, List.of(step(null, 20.0, 200, 0, 0)), List.of(), List.of());
    Files.write(
        run.documentFile(),
        RunDocumentJson.write(RunDocument.builder("calm-heron", "done").load(load).build()));

    assertThat(data(page()).path("steps").path("outcome").toString()).isEqualTo("[null]");
  }

  private static LoadStep step(String outcome, Double rate, long ingested, long failed, long late) {
    Percentiles response = new Percentiles(10, 20, 30, 40);
    return new LoadStep(
        outcome,
        4,
        rate,
        0,
        10_000_000_000L,
        10,
        ingested,
        failed,
        late,
        new Percentiles(1, 2, 3, 4),
        response);
  }

  private static String scale(String first) {
    String timing =
        "{\"objects\":%d,\"operation\":\"%s\",\"count\":%d,\"failed\":%d,\"meanMillis\":%d,\"minMillis\":1,\"maxMillis\":900}";
    return "{\"timings\":["
        + String.join(
            ",",
            timing.formatted(100, first, 5, 0, 50),
            timing.formatted(200, first, 5, 0, 150),
            timing.formatted(100, "get-dc", 5, 0, 5),
            timing.formatted(200, "get-dc", 5, 0, 6),
            timing.formatted(100, "purge", 5, 0, 7),
            timing.formatted(200, "purge", 0, 2, 0))
        + "]}";
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(run.path().resolve(name), text);
  }

  private String page() throws Exception {
    return HtmlReport.of(run, RunReport.of(run), "1");
  }

  private static JsonNode data(String page) throws Exception {
    int from = page.indexOf(DATA) + DATA.length();
    return new ObjectMapper().readTree(page.substring(from, page.indexOf("</script>", from)));
  }
}

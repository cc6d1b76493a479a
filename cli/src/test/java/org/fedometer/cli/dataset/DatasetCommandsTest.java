package org.fedometer.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.fedometer.cli.InProcess;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets without a repository: the commands of {@code dataset}. */
class DatasetCommandsTest {
  private static final String GOOD =
      "<wo-patent-document><bibliographic-data><publication-reference><document-id>"
          + "<country>WO</country><doc-number>1</doc-number></document-id>"
          + "</publication-reference><invention-title>A lid</invention-title>"
          + "</bibliographic-data></wo-patent-document>";

  @TempDir private Path folder;

  @Test
  void theListHasEachDatasetAndItsParameters() throws Exception {
    String out = InProcess.fedometer("dataset", "list").out();

    assertThat(out)
        .containsPattern("(?m)^patents +generated patents, as the FIZ study had them$")
        .containsPattern("(?m)^nested +a parent and its children;")
        .containsPattern("(?m)^patents +scale +paper, us-fulltext, small +paper +how large")
        .containsPattern("(?m)^foxml +dir +a directory +- +where the files are")
        .containsPattern("(?m)^ndltd +levels +1 to 3 +1 +how deep");
    assertThat(InProcess.fedometer("dataset", "list").out()).isEqualTo(out);

    JsonNode json = InProcess.fedometer("dataset", "list", "--json").json();
    assertThat(json)
        .extracting(dataset -> dataset.path("name").asText())
        .containsExactlyElementsOf(Datasets.names());
    JsonNode foxml = json.get(2);
    assertThat(foxml.at("/parameters/0/default").isNull()).isTrue();
    assertThat(foxml.at("/parameters/2/values").asText()).isEqualTo("kept, new");
  }

  @Test
  void oneDatasetIsShownWithItsParametersAndItsPage() throws Exception {
    assertThat(InProcess.fedometer("dataset", "show", "files").out())
        .startsWith("files: a unique file of a fixed size an object\n")
        .containsPattern("(?m)^bytes +0 to 1000000000000 +1000000 +size of each file$")
        .contains("docs/datasets.md")
        .doesNotContain("patents");
    assertThat(InProcess.fedometer("dataset", "show", "nested").out())
        .contains("It has no parameters.");

    JsonNode json = InProcess.fedometer("dataset", "show", "ndltd", "--json").json();
    assertThat(json.path("name").asText()).isEqualTo("ndltd");
    assertThat(json.at("/parameters/0/default").asText()).isEqualTo("W4");
  }

  @Test
  void aDatasetThatIsNearlyOneIsGuessed() {
    assertRefused("; perhaps you mean patents", "dataset", "show", "patnets");
    assertRefused("there is no dataset 'novels'; there are: ", "dataset", "show", "novels");
  }

  @Test
  void allOfADatasetThatEndsAreGeneratedAndDescribed() throws Exception {
    Path bag = folder.resolve("bag");

    assertThat(
            InProcess.fedometer(
                    "dataset", "generate", "--dataset", "ndltd:W1", "--output", bag.toString())
                .out())
        .startsWith("119 objects, ");
    assertThat(InProcess.fedometer("dataset", "describe", "--dataset", "ndltd:W1").out())
        .contains("119 objects measured", "585 to 5,361 B, mean 1,359 B")
        .doesNotContain("DEFLATES");
  }

  @Test
  void generatedObjectsHavePidsOfTheNamespace() throws Exception {
    Path bag = folder.resolve("bag");

    InProcess.fedometer(
        "dataset",
        "generate",
        "--dataset",
        "patents:small",
        "--objects",
        "2",
        "--namespace",
        "lab",
        "--output",
        bag.toString());

    assertThat(bag.resolve("data/0000000/lab_WO-1.xml"))
        .content()
        .contains("PID=\"lab:WO-1\"", "info:fedora/lab:publications-");
    assertThat(bag.resolve("bag-info.txt")).content().contains("pidNamespace: lab\n");
    assertRefused(
        "'a b' cannot be a PID namespace",
        "dataset",
        "generate",
        "--dataset",
        "patents",
        "--objects",
        "1",
        "--namespace",
        "a b",
        "--output",
        folder.resolve("other").toString());
  }

  @Test
  void describeShowsTheSampleBesideTheStudy() {
    InProcess result =
        InProcess.fedometer(
            "dataset", "describe", "--dataset", "patents:small", "--objects", "200");

    assertThat(result.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(result.out().lines().findFirst().orElseThrow())
        .startsWith("patents scale=small seed=1 dc=per-object real-pdf=false textPoolSha256=");
    assertThat(result.out())
        .contains("200 objects measured, from number 0 on")
        .containsPattern("triples +\\d+ +5\\d +5\\d\\.\\d +\\d+ +6\\d +31 to 69, mean 54")
        .containsPattern("FULLTEXT .* 0\\.3\\d{2} +0\\.34 to 0\\.40")
        .containsPattern("TRIPLES FROM +BELOW +VALUES")
        .contains("########")
        .doesNotContain("DC FIELDS FROM");
  }

  @Test
  void describeJsonHasTheSameNumbers() throws Exception {
    InProcess result =
        InProcess.fedometer(
            "dataset",
            "describe",
            "--dataset",
            "patents:small",
            "--objects",
            "50",
            "--offset",
            "7",
            "--json");

    JsonNode json = new ObjectMapper().readTree(result.out());
    assertThat(json.path("dataset").asText()).isEqualTo("patents");
    assertThat(json.path("parameters").path("scale").asText()).isEqualTo("small");
    assertThat(json.path("from").asInt()).isEqualTo(7);
    assertThat(json.path("objects").asInt()).isEqualTo(50);
    JsonNode triples = json.path("measures").get(0);
    assertThat(triples.path("name").asText()).isEqualTo("triples");
    assertThat(triples.path("min").asInt()).isGreaterThanOrEqualTo(34);
    int counted = 0;
    for (JsonNode bar : triples.path("histogram")) {
      counted += bar.path("count").asInt();
    }
    assertThat(counted).isEqualTo(50);
    assertThat(json.path("deflation").get(0).path("ratio").asDouble()).isBetween(0.1, 0.5);
  }

  @Test
  void generateDoesNotOverwriteABag() throws Exception {
    Path bag = folder.resolve("bag");
    String[] command = {
      "dataset",
      "generate",
      "--dataset",
      "patents:small",
      "--objects",
      "3",
      "--output",
      bag.toString()
    };

    InProcess result = InProcess.fedometer(command);

    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.DONE);
    assertThat(result.out()).startsWith("3 objects, ").endsWith(" in " + bag + "\n");
    assertThat(bag.resolve("bagit.txt"))
        .hasContent("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
    assertThat(bag.resolve("data/0000000/patent_WO-2.xml")).isNotEmptyFile();
    byte[] manifest = Files.readAllBytes(bag.resolve("manifest-sha256.txt"));

    InProcess again = InProcess.fedometer(command);

    assertThat(again.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(again.err()).contains(bag + " is not empty");
    assertThat(bag.resolve("manifest-sha256.txt")).hasBinaryContent(manifest);
  }

  @Test
  void aGeneratedBagIsDescribedAsTheFoxmlThatItIs() throws Exception {
    Path bag = folder.resolve("bag");
    InProcess.fedometer(
        "dataset",
        "generate",
        "--dataset",
        "patents:small",
        "--objects",
        "20",
        "--output",
        bag.toString());

    InProcess read =
        InProcess.fedometer(
            "dataset", "describe", "--dataset", "foxml:" + bag, "--objects", "20", "--json");

    assertThat(read.exitCode()).as(read.err()).isEqualTo(ExitCode.DONE);
    JsonNode made =
        new ObjectMapper()
            .readTree(
                InProcess.fedometer(
                        "dataset",
                        "describe",
                        "--dataset",
                        "patents:small",
                        "--objects",
                        "20",
                        "--json")
                    .out());
    JsonNode found = new ObjectMapper().readTree(read.out());
    assertThat(found.path("parameters").path("files").asInt()).isEqualTo(20);
    for (String measure : new String[] {"triples", "content", "foxml request"}) {
      assertThat(measure(found, measure))
          .isEqualTo(measure(made, measure))
          .isNotEqualTo(MissingNode.getInstance());
    }
    assertThat(found.path("deflation").get(0).path("ratio"))
        .isEqualTo(made.path("deflation").get(0).path("ratio"));
  }

  private static JsonNode measure(JsonNode description, String name) {
    for (JsonNode measure : description.path("measures")) {
      if (measure.path("name").asText().equals(name)) {
        return measure.path("mean");
      }
    }
    return MissingNode.getInstance();
  }

  @Test
  void rejectsInvalidDocumentsUnlessSkipped() throws Exception {
    Path patents = Files.createDirectory(folder.resolve("patents"));
    Files.writeString(patents.resolve("bad.xml"), "<html/>");
    Files.writeString(patents.resolve("good.xml"), GOOD);
    String[] command = {
      "dataset", "describe", "--dataset", "patents-xml:" + patents, "--objects", "1"
    };
    assertRefused("bad.xml is not a known patent document", command);

    InProcess result =
        InProcess.fedometer(
            Stream.concat(Arrays.stream(command), Stream.of("--skip-invalid"))
                .toArray(String[]::new));

    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.DONE);
    assertThat(result.out()).contains("documents=1", "skipped=1");
    assertThat(result.err())
        .contains("left out 1 file that", "\n  bad.xml is not a known patent document");
  }

  @Test
  void namesSkippedFilesInTextAndJson() throws Exception {
    Path patents = patentsWithBroken(25);
    String dataset = "patents-xml:" + patents;

    InProcess described =
        InProcess.fedometer(
            "dataset",
            "describe",
            "--dataset",
            dataset,
            "--objects",
            "1",
            "--skip-invalid",
            "--json");
    JsonNode skipped = new ObjectMapper().readTree(described.out()).path("skipped");
    Path bag = folder.resolve("bag");
    InProcess generated =
        InProcess.fedometer(
            "dataset",
            "generate",
            "--dataset",
            dataset,
            "--skip-invalid",
            "--objects",
            "1",
            "--output",
            bag.toString());

    assertThat(skipped).hasSize(25);
    assertThat(skipped.get(24).path("path").asText()).isEqualTo("bad-\u001b[2J-34.xml");
    assertThat(skipped.get(24).path("reason").asText())
        .startsWith("is not a known patent document");
    for (InProcess result : List.of(described, generated)) {
      assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.DONE);
      assertThat(result.err().lines()).hasSize(26);
      assertThat(result.err())
          .contains("bad-\\u001b[2J-10.xml is no", "bad-\\u001b[2J-34.xml is no")
          .doesNotContain("\u001b");
    }
    assertThat(bag.resolve("skipped.txt")).content().hasLineCount(25);
  }

  @Test
  void namesOrphanedCompanionFiles() throws Exception {
    Path patents = patentsWithBroken(0);
    Files.writeString(patents.resolve("good.pdf"), "%PDF-1.4");
    Files.writeString(patents.resolve("good.PDF"), "%PDF-1.4");

    InProcess result =
        InProcess.fedometer(
            "dataset", "describe", "--dataset", "patents-xml:" + patents, "--objects", "1");

    assertThat(result.err())
        .isEqualTo(
            "fedometer: good.xml has more than one PDF or image; ignored: good.PDF"
                + System.lineSeparator());
    assertThat(result.out()).contains("spareCompanions=1");
  }

  @Test
  void theNameOfADirectorySteersNoTerminal() throws Exception {
    Path odd = folder.resolve("odd\u001b[2J");
    Files.move(patentsWithBroken(0), odd);

    InProcess result =
        InProcess.fedometer(
            "dataset", "describe", "--dataset", "patents-xml:" + odd, "--objects", "1");

    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.DONE);
    assertThat(result.out()).contains("dir=" + folder + "/odd\\u001b[2J ");
  }

  /** One document that is good, and others whose names would clear the screen. */
  private Path patentsWithBroken(int broken) throws Exception {
    Path patents = Files.createDirectory(folder.resolve("patents"));
    for (int i = 0; i < broken; i++) {
      Files.writeString(patents.resolve("bad-\u001b[2J-" + (10 + i) + ".xml"), "<html/>");
    }
    Files.writeString(patents.resolve("good.xml"), GOOD);
    return patents;
  }

  @Test
  void rejectsInvalidArguments() {
    String out = folder.resolve("x").toString();
    assertRefused("there is no dataset 'novels'", "dataset", "describe", "--dataset", "novels");
    assertRefused(
        "; perhaps you mean patents", "dataset", "describe", "--dataset", "patnets:small");
    assertRefused(
        "; perhaps you mean scale", "dataset", "describe", "--dataset", "patents:scal=small");
    assertRefused(
        "--objects 0", "dataset", "describe", "--dataset", "patents:small", "--objects", "0");
    assertRefused(
        "--offset -1", "dataset", "describe", "--dataset", "patents:small", "--offset", "-1");
    assertRefused(
        "--objects 0",
        "dataset",
        "generate",
        "--dataset",
        "patents",
        "--objects",
        "0",
        "--output",
        out);
    assertRefused("--output", "dataset", "generate", "--dataset", "patents", "--objects", "1");
    assertRefused(
        "--skip-invalid applies to the datasets",
        "dataset",
        "describe",
        "--dataset",
        "patents:small",
        "--skip-invalid");
    assertRefused(
        "--objects is missing", "dataset", "generate", "--dataset", "patents", "--output", out);
    assertRefused(
        "there is no object 500",
        "dataset",
        "describe",
        "--dataset",
        "ndltd:W1",
        "--offset",
        "500");
    assertThat(folder).isEmptyDirectory();
  }

  private static void assertRefused(String reason, String... arguments) {
    InProcess result = InProcess.fedometer(arguments);
    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains(reason).doesNotContain("Exception");
    assertThat(result.out()).isEmpty();
  }
}

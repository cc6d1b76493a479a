package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets without a repository: {@code describe} and {@code generate}. */
class DatasetCommandsTest {
  @TempDir private Path folder;

  private record Answer(int exitCode, String out, String err) {}

  @Test
  void describeShowsTheSampleBesideTheStudy() {
    Answer answer = call("describe", "--dataset", "patents:small", "--sample", "200");

    assertThat(answer.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(answer.out().lines().findFirst().orElseThrow())
        .startsWith("patents scale=small seed=1 dc=per-object real-pdf=false textPoolSha256=");
    assertThat(answer.out())
        .contains("200 objects measured, from number 0 on")
        .containsPattern("triples +\\d+ +5\\d +5\\d\\.\\d +\\d+ +6\\d +31 to 69, mean 54")
        .containsPattern("FULLTEXT .* 0\\.3\\d{2} +0\\.34 to 0\\.40")
        .containsPattern("TRIPLES FROM +BELOW +VALUES")
        .contains("########")
        .doesNotContain("DC FIELDS FROM");
  }

  @Test
  void describeAnswersProgramsWithTheSameFigures() throws Exception {
    Answer answer =
        call("describe", "--dataset", "patents:small", "--sample", "50", "--from", "7", "--json");

    JsonNode json = new ObjectMapper().readTree(answer.out());
    assertThat(json.path("dataset").asText()).isEqualTo("patents");
    assertThat(json.path("parameters").path("scale").asText()).isEqualTo("small");
    assertThat(json.path("from").asInt()).isEqualTo(7);
    assertThat(json.path("objects").asInt()).isEqualTo(50);
    JsonNode triples = json.path("measures").get(0);
    assertThat(triples.path("name").asText()).isEqualTo("triples");
    assertThat(triples.path("least").asInt()).isGreaterThanOrEqualTo(34);
    int counted = 0;
    for (JsonNode bar : triples.path("histogram")) {
      counted += bar.path("count").asInt();
    }
    assertThat(counted).isEqualTo(50);
    assertThat(json.path("deflation").get(0).path("ratio").asDouble()).isBetween(0.1, 0.5);
  }

  @Test
  void generateWritesABagOnceAndLeavesItAloneThen() throws Exception {
    Path bag = folder.resolve("bag");
    String[] command = {
      "generate", "--dataset", "patents:small", "--objects", "3", "--out", bag.toString()
    };

    Answer answer = call(command);

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(ExitCode.DONE);
    assertThat(answer.out()).startsWith("3 objects, ").endsWith(" in " + bag + "\n");
    assertThat(bag.resolve("bagit.txt"))
        .hasContent("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
    assertThat(bag.resolve("data/0000000/patent_WO-2.xml")).isNotEmptyFile();
    byte[] manifest = Files.readAllBytes(bag.resolve("manifest-sha256.txt"));

    Answer again = call(command);

    assertThat(again.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(again.err()).contains(bag + " is not empty");
    assertThat(bag.resolve("manifest-sha256.txt")).hasBinaryContent(manifest);
  }

  @Test
  void badDocumentsAreRefusedUnlessTheUserLeavesThemOut() throws Exception {
    Path patents = Files.createDirectory(folder.resolve("patents"));
    Files.writeString(patents.resolve("bad.xml"), "<html/>");
    Files.writeString(
        patents.resolve("good.xml"),
        "<wo-patent-document><bibliographic-data><publication-reference><document-id>"
            + "<country>WO</country><doc-number>1</doc-number></document-id>"
            + "</publication-reference><invention-title>A lid</invention-title>"
            + "</bibliographic-data></wo-patent-document>");
    String[] command = {"describe", "--dataset", "patents-xml:" + patents, "--sample", "1"};
    assertRefused("bad.xml is no patent document", command);

    Answer answer =
        call(Stream.concat(Arrays.stream(command), Stream.of("--skip-bad")).toArray(String[]::new));

    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(ExitCode.DONE);
    assertThat(answer.out()).contains("documents=1", "skipped=1");
  }

  @Test
  void whatCannotBeIsAnsweredInOneSentence() {
    String out = folder.resolve("x").toString();
    assertRefused("there is no dataset 'novels'", "describe", "--dataset", "novels");
    assertRefused("--sample 0", "describe", "--dataset", "patents:small", "--sample", "0");
    assertRefused("--from -1", "describe", "--dataset", "patents:small", "--from", "-1");
    assertRefused(
        "--objects 0", "generate", "--dataset", "patents", "--objects", "0", "--out", out);
    assertRefused("--out", "generate", "--dataset", "patents", "--objects", "1");
    assertThat(folder).isEmptyDirectory();
  }

  private static void assertRefused(String reason, String... arguments) {
    Answer answer = call(arguments);
    assertThat(answer.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(answer.err()).contains(reason).doesNotContain("Exception");
    assertThat(answer.out()).isEmpty();
  }

  private static Answer call(String... arguments) {
    PrintStream standardOutput = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringWriter err = new StringWriter();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      int exitCode = Main.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
      return new Answer(exitCode, out.toString(StandardCharsets.UTF_8), err.toString());
    } finally {
      System.setOut(standardOutput);
    }
  }
}

package org.fedometer.cli.runs;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunDocumentJson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line of compare; the runs have ingested nothing. */
class CompareCommandTest {

  @TempDir private Path folder;

  private final PrintStream originalOut = System.out;
  private final PrintStream originalErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void twoRuns() throws Exception {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    write("one");
    write("two");
  }

  @AfterEach
  void restoreStreams() {
    System.setOut(originalOut);
    System.setErr(originalErr);
  }

  private void write(String name) throws Exception {
    Path run = Files.createDirectories(folder.resolve("store/runs").resolve(name));
    RunDocument document =
        RunDocument.builder(name, "done")
            .profile(new RunDocument.Profile("profile-" + name, Map.of(), Map.of()))
            .workers(4)
            .build();
    Files.write(run.resolve("run.json"), RunDocumentJson.write(document));
  }

  private int compare(String... arguments) {
    List<String> line = new ArrayList<>(List.of("compare"));
    line.addAll(List.of(arguments));
    line.addAll(List.of("--store", folder.resolve("store").toString()));
    return Main.commandLine().execute(line.toArray(String[]::new));
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private JsonNode json(String text) throws Exception {
    JsonNode json = new ObjectMapper().readTree(text);
    assertThat(json.at("/comparisons/0/baseline").asText()).isEqualTo("profile-one");
    assertThat(json.at("/comparisons/0/contender").asText()).isEqualTo("profile-two");
    return json;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "one two --json",
        "--json one two",
        "one --json two",
        "one --json --threshold 5 two"
      })
  void jsonWithoutAFileIsPrinted(String line) throws Exception {
    assertThat(compare(line.split(" "))).isEqualTo(ExitCode.DONE);

    assertThat(json(printed()).at("/schema").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "one tow|is called \"tow\"; perhaps you mean two",
        "nihgt|is called \"nihgt\"; perhaps you mean night",
        "frobnicate|is called \"frobnicate\"; experiments are: night; 'fedometer runs list --store "
      })
  void reportsUnknownNames(String line, String message) throws Exception {
    Path run = Files.createDirectories(folder.resolve("store/runs/night.1.a"));
    Files.writeString(
        run.resolve("run.json"),
        """
        {"schema":1,"id":"01","name":"night.1.a","state":"done","experiment":{"id":"01",
         "name":"night","label":"a","repetition":1,"place":1,"attempt":1}}
        """);

    assertThat(compare(line.split(" "))).isEqualTo(ExitCode.BAD_USAGE);

    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("fedometer: neither a run nor an experiment in the store " + folder)
        .contains(message);
  }

  @Test
  void csvGoesToAFileOrIsPrinted() throws Exception {
    Path file = folder.resolve("out.csv");

    assertThat(compare("one", "two", "--csv", file.toString())).isEqualTo(ExitCode.DONE);
    assertThat(Files.readString(file)).startsWith("baseline,contender,");
    assertThat(compare("one", "two", "--csv", "-", "--json")).isEqualTo(ExitCode.BAD_USAGE);
  }

  @Test
  void thePageGoesToAFileBesideTheTextOrIsPrintedAlone() throws Exception {
    Path file = folder.resolve("out.html");

    assertThat(compare("one", "two", "--html", file.toString())).isEqualTo(ExitCode.DONE);

    assertThat(Files.readString(file))
        .startsWith("<!DOCTYPE html>")
        .contains("profile-two against profile-one");
    assertThat(printed()).contains("B against A: profile-two").doesNotContain("<html");
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("page: " + file.toUri());

    out.reset();
    assertThat(compare("one", "two", "--html", "-")).isEqualTo(ExitCode.DONE);
    assertThat(printed()).isEqualTo(Files.readString(file));
  }

  @Test
  void thePageHasTheGates() throws Exception {
    Path file = folder.resolve("out.html");

    int code = compare("one", "two", "--html", file.toString(), "--fail-if", "p99 worse");

    assertThat(code).isEqualTo(ExitCode.DONE_WITH_ERRORS);
    assertThat(Files.readString(file)).contains("p99 worse", "it has no ratio");
  }

  @Test
  void aGateThatFailsIsNamedAndChangesTheExitCode() throws Exception {
    int code = compare("one", "two", "--json", "--fail-if", "p99 worse", "--fail-if", "mean > 2");

    assertThat(code).isEqualTo(ExitCode.DONE_WITH_ERRORS);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("fedometer: 'p99 worse' fails profile-two: it has no ratio")
        .contains("'mean > 2'");
    assertThat(json(printed()).at("/gates")).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "one",
        "one three",
        "one two --baseline three",
        "one two --fail-if faster",
        "one two --threshold 100",
        "one two --confidence 100",
        "one two --resamples 10",
        "one two --equal-size",
        "one two --warm-up some",
        "one two --warm-up -1",
        "one two --open",
        "one two --html - --open",
        "one two --html - --json",
        "one two --html - --csv -",
        "one two --html out --csv ./out",
        "one two --html no-such-folder/out"
      })
  void rejectsRunsThatCannotBeCompared(String line) {
    StringWriter errors = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("compare"));
    arguments.addAll(List.of(line.split(" ")));
    arguments.addAll(List.of("--store", folder.resolve("store").toString()));
    CommandLine command = Main.commandLine().setErr(new PrintWriter(errors, true));

    assertThat(command.execute(arguments.toArray(String[]::new))).isEqualTo(ExitCode.BAD_USAGE);

    assertThat(errors.toString()).startsWith("fedometer: ");
    assertThat(printed()).isEmpty();
  }
}

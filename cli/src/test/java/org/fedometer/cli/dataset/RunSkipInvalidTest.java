package org.fedometer.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code run --skip-invalid}, as far as a run comes that cannot have its port: its folder is there
 * by then, at a real collector.
 */
class RunSkipInvalidTest {
  private static final String HOME = "fedometer.home";

  @TempDir Path folder;

  private Path patents;
  private ServerSocket occupiedPort;
  private CollectorServer collector;
  private String homeBefore;

  private record Result(int exitCode, String err) {}

  @BeforeEach
  void startCollector() throws IOException {
    patents = Files.createDirectory(folder.resolve("patents"));
    Files.writeString(
        patents.resolve("good.xml"),
        "<wo-patent-document><bibliographic-data><publication-reference><document-id>"
            + "<country>WO</country><doc-number>1</doc-number></document-id>"
            + "</publication-reference><invention-title>A lid</invention-title>"
            + "</bibliographic-data></wo-patent-document>");
    Path distribution = Files.createDirectories(folder.resolve("distribution/agent"));
    Files.createFile(distribution.resolve("fedometer-agent.jar"));
    homeBefore = System.setProperty(HOME, distribution.getParent().toString());
    occupiedPort = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    collector =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store()));
  }

  @AfterEach
  void stopCollector() throws Exception {
    collector.close();
    occupiedPort.close();
    if (homeBefore == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
  }

  @Test
  void listsAllSkippedFilesInTheRunFolder() throws Exception {
    writeBroken(12);

    Result result = run("--skip-invalid");

    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(result.err())
        .contains("Port " + occupiedPort.getLocalPort() + " of 127.0.0.1 is taken")
        .contains(
            "left out 12 files that cannot be used:\n  a\\t10.xml is not a known patent document")
        .contains("\n  a\\t19.xml is not a known patent document")
        .contains("\n  and 2 more: all are named in skipped.txt of the run's folder\n")
        .doesNotContain("a\\t20.xml");
    List<String> skipped = Files.readAllLines(runFolder().resolve("skipped.txt"));
    assertThat(skipped).hasSize(12);
    String[] last = skipped.get(11).split("\t", -1);
    assertThat(last).hasSize(2);
    assertThat(last[0]).isEqualTo("a\\t21.xml");
    assertThat(last[1]).startsWith("is not a known patent document");
    JsonNode parameters = runJson().at("/dataset/parameters");
    assertThat(parameters.at("/skip-invalid").asText()).isEqualTo("true");
    assertThat(parameters.at("/skipped").asText()).isEqualTo("12");
  }

  @Test
  void runWithoutSkippedFilesHasNoList() throws Exception {
    Result result = run("--skip-invalid");

    assertThat(result.err()).doesNotContain("left out");
    assertThat(runFolder().resolve("skipped.txt")).doesNotExist();
    assertThat(runJson().at("/dataset/parameters/skip-invalid").asText()).isEqualTo("true");
  }

  @Test
  void rejectsInvalidDocumentsByDefault() throws Exception {
    writeBroken(12);

    Result result = run();

    assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(result.err()).contains("12 of 13 files", "a\\t10.xml is", "a\\t21.xml is");
    assertThat(runFolder()).doesNotExist();
  }

  private void writeBroken(int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      Files.writeString(patents.resolve("a\t" + (10 + i) + ".xml"), "<html/>");
    }
  }

  private Path store() {
    return folder.resolve("store");
  }

  private Path runFolder() {
    return store().resolve("runs/night");
  }

  private JsonNode runJson() throws IOException {
    return new ObjectMapper().readTree(runFolder().resolve("run.json").toFile());
  }

  private Result run(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                "--dataset",
                "patents-xml:" + patents,
                "--name",
                "night",
                "--collector",
                "127.0.0.1:" + collector.address().getPort(),
                "--store",
                store().toString(),
                "--port",
                Integer.toString(occupiedPort.getLocalPort())));
    arguments.addAll(List.of(more));
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    StringWriter commandErrors = new StringWriter();
    System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      int exitCode =
          Main.commandLine()
              .setErr(new PrintWriter(commandErrors, true))
              .execute(arguments.toArray(String[]::new));
      return new Result(exitCode, errors.toString(StandardCharsets.UTF_8) + commandErrors);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}

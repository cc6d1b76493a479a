package org.fedometer.cli.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.datasets.Dataset;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of {@code verify} before it contacts a Fedora. */
class VerifyCommandTest {
  private static final Dataset DATASET =
      Datasets.open("collections", new DatasetOptions("c", PidForm.NUMERIC, 2700));

  @TempDir private Path store;

  @Test
  void reportsAStoppedStackBeforeAMissingPassword() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode document = mapper.createObjectNode();
    document.put("schema", 1).put("id", "01JD0000000000000000000000").put("name", "big");
    document.put("state", "done").put("workers", 4);
    ObjectNode dataset = document.putObject("dataset").put("name", "collections");
    dataset.set("parameters", mapper.valueToTree(DATASET.parameters()));
    document.putObject("objects").put("requested", 10).put("ingested", 10).put("failed", 0);
    document.putObject("environment").put("fedora.url", "http://127.0.0.1:1/fedora");
    Path run = Files.createDirectories(store.resolve("runs/big"));
    mapper.writeValue(run.resolve("run.json").toFile(), document);
    StringWriter errors = new StringWriter();

    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(errors, true))
            .execute("verify", "big", "--store", store.toString());

    assertThat(exitCode).isEqualTo(ExitCode.BAD_USAGE);
    assertThat(errors.toString())
        .contains("no running stack is at http://127.0.0.1:1/fedora")
        .contains("up --home DIR", "--target URL", "--password-file FILE");
  }
}

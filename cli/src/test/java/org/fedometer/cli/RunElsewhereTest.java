package org.fedometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.fedometer.cli.terminal.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run with its driver's journal in the store, and its data at a remote collector. */
class RunElsewhereTest {
  @TempDir private Path store;

  @BeforeEach
  void sendFromHere() throws Exception {
    sent("big", "");
  }

  private void sent(String run, String access) throws Exception {
    Path folder = Files.createDirectories(store.resolve("journals").resolve(run));
    Files.writeString(
        folder.resolve("job.json"),
        """
        {"schema":1,"runId":"01ARZ3NDEKTSV4RRFFQ69G5FAV","runName":"%s",
         "arguments":["--collector","192.0.2.7:4711"%s],
         "folder":"/","datasetParameters":{},"objectsBefore":0,"triplesBefore":0,"started":"s",
         "startedEpochMillis":1,"ended":null,"stack":null}
        """
            .formatted(run, access));
  }

  @Test
  void namesTheCollectorThatHasTheRun() {
    assertThat(refused("report", "big"))
        .contains("No run \"big\" in the store " + store)
        .contains("it was sent to the collector 192.0.2.7:4711. --from 192.0.2.7:4711 reads")
        .contains(fetch() + " copies it here");
  }

  @Test
  void namesTheAccessOptionsOfTheDriver() throws Exception {
    sent("safe", ",\"--token-file\",\"token\",\"--tls-ca=/etc/the ca.pem\"");
    String access = "192.0.2.7:4711 --token-file /token --tls-ca '/etc/the ca.pem'";

    assertThat(refused("report", "safe"))
        .contains("--from " + access + " reads it there")
        .contains("'fedometer runs fetch safe --from " + access + " --store " + store + "'");
  }

  @Test
  void suggestsFetchToCommandsOfLocalStores() {
    for (String command : new String[] {"verify", "runs archive", "runs rm"}) {
      assertThat(refused(command, "big")).contains("collector 192.0.2.7:4711. " + fetch());
    }
  }

  @Test
  void unknownRunIsReportedAsUsual() {
    assertThat(refused("report", "small"))
        .contains("No run \"small\"", "has no run yet")
        .doesNotContain("192.0.2.7");
  }

  private String fetch() {
    return "'fedometer runs fetch big --from 192.0.2.7:4711 --store " + store + "'";
  }

  private String refused(String command, String run) {
    StringWriter errors = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(errors, true))
            .execute((command + " " + run + " --store " + store).split(" "));
    assertThat(exitCode).as(errors.toString()).isEqualTo(ExitCode.BAD_USAGE);
    return errors.toString();
  }
}

package org.fedometer.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.cli.Main;
import org.fedometer.cli.terminal.ExitCode;
import org.fedometer.collector.CollectorOptions;
import org.fedometer.collector.CollectorServer;
import org.fedometer.datasets.DatasetOptions;
import org.fedometer.datasets.PidForm;
import org.fedometer.datasets.catalogue.Datasets;
import org.fedometer.driver.fedora.ScriptedFedora;
import org.fedometer.store.RunDocument;
import org.fedometer.store.RunFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ingest} into a Fedora that fails in its midst: messages and resumption. */
class FailingIngestTest {
  private static final String HOME = "fedometer.home";
  private static final int OBJECTS = 20;

  @TempDir Path folder;

  private CollectorServer collector;
  private ScriptedFedora fedora;
  private String homeBefore;

  private record Result(int exitCode, String err) {}

  @BeforeEach
  void start() throws Exception {
    homeBefore = System.setProperty(HOME, folder.toString());
    Files.writeString(folder.resolve("password"), "secret");
    collector =
        CollectorServer.start(
            CollectorOptions.foreground(new InetSocketAddress("127.0.0.1", 0), store()));
    fedora =
        new ScriptedFedora(
            Datasets.open("patents:small", new DatasetOptions("patent", PidForm.NUMERIC, 2700)));
  }

  @AfterEach
  void stop() throws Exception {
    fedora.close();
    collector.close();
    if (homeBefore == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, homeBefore);
    }
  }

  @Test
  void failedDrainPrintsTheResumeCommand() throws Exception {
    fedora.answers =
        path ->
            fedora.objects() == OBJECTS && path.contains("flush=true")
                ? new ScriptedFedora.Reply(500, "text/plain", "No space left on device")
                : null;

    Result failed = ingest("--name", "full", "--objects", "" + OBJECTS);

    assertThat(failed.exitCode()).as(failed.err()).isEqualTo(ExitCode.DONE_WITH_ERRORS);
    assertThat(failed.err())
        .contains("drain failed: ", "No space left on device.", "'fedometer ingest --resume full");
    fedora.answers = path -> null;
    Result resumed = ingest("--resume", "full");
    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.DONE);
    assertWhole("full");
  }

  @Test
  void abortedIngestPrintsTheResumeCommand() throws Exception {
    fedora.script =
        (pid, attempt) -> {
          if (fedora.objects() == OBJECTS / 2) {
            fedora.acceptsLogin = false;
            fedora.forgetSessions();
          }
          return ScriptedFedora.INGEST;
        };

    Result failed = ingest("--name", "refused", "--objects", "" + OBJECTS);

    assertThat(failed.exitCode()).as(failed.err()).isEqualTo(ExitCode.DONE_WITH_ERRORS);
    assertThat(failed.err()).contains("ingest failed: ", "'fedometer ingest --resume refused");
    assertThat(run("refused").state()).isEqualTo("failed");
    fedora.script = (pid, attempt) -> ScriptedFedora.INGEST;
    fedora.acceptsLogin = true;
    Result resumed = ingest("--resume", "refused");
    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.DONE);
    assertWhole("refused");
  }

  @Test
  void leavesACompleteRunAsItIs() throws Exception {
    assertThat(ingest("--name", "whole", "--objects", "" + OBJECTS).exitCode())
        .isEqualTo(ExitCode.DONE);
    Result checked = ingest("--resume", "whole", "--verify", "all");
    assertThat(checked.exitCode()).as(checked.err()).isEqualTo(ExitCode.DONE);
    assertThat(checked.err()).doesNotContain("nothing to resume");
    RunDocument before = run("whole");
    Path record = store().resolve("journals/whole/job.json");
    String recordBefore = Files.readString(record);
    fedora.close();

    Result resumed = ingest("--resume", "whole");

    assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.DONE);
    assertThat(resumed.err())
        .contains("whole is complete; nothing to resume; 'fedometer report whole");
    Result unreachable = ingest("--resume", "whole", "--verify", "all");
    assertThat(unreachable.exitCode()).as(unreachable.err()).isEqualTo(ExitCode.COULD_NOT_START);
    assertThat(unreachable.err())
        .contains("start failed: ", "'fedometer ingest --resume whole --target URL");
    assertThat(run("whole")).isEqualTo(before);
    assertThat(Files.readString(record)).isEqualTo(recordBefore);
  }

  private void assertWhole(String name) throws IOException {
    assertThat(fedora.objects()).isEqualTo(OBJECTS);
    assertThat(run(name).state()).isEqualTo("done");
    assertThat(run(name).objects().ingested()).isEqualTo(OBJECTS);
  }

  private RunDocument run(String name) throws IOException {
    return new RunFolder(store().resolve("runs").resolve(name)).document();
  }

  private Result ingest(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "ingest",
                "--target",
                fedora.url().toString(),
                "--password-file",
                folder.resolve("password").toString(),
                "--collector",
                "127.0.0.1:" + collector.address().getPort(),
                "--store",
                store().toString()));
    arguments.addAll(List.of(more));
    if (!arguments.contains("--resume")) {
      arguments.addAll(
          List.of(
              "--dataset",
              "patents:small",
              "--pid-form",
              "numeric",
              "--workers",
              "1",
              "--no-preflight"));
    }
    StringWriter err = new StringWriter();
    int exitCode =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .setOut(new PrintWriter(new StringWriter(), true))
            .execute(arguments.toArray(String[]::new));
    return new Result(exitCode, err.toString());
  }

  private Path store() {
    return folder.resolve("store");
  }
}

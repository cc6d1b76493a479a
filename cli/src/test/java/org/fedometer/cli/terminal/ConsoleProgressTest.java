package org.fedometer.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fedometer.experiments.job.Step;
import org.junit.jupiter.api.Test;

/** A job's progress on a terminal, and in a log. */
class ConsoleProgressTest {
  private static final String ESCAPE = "\u001b";
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void aPanelIsDrawnInPlace() {
    ConsoleProgress progress = progress(stream(), true, 60);

    progress.started(Step.INGEST);
    awaitInterval(progress, "50/100 objects");
    awaitInterval(progress, "51/100 objects");

    String erased = "\r" + ESCAPE + "[2K";
    String erasedTwo = erased + ESCAPE + "[1A" + ESCAPE + "[2K";
    assertThat(text())
        .isEqualTo(
            erased
                + "ingest     ..."
                + erased
                + "ingest     [=====     ]  50 % 50/100 objects\n           load  4 workers"
                + erasedTwo
                + "ingest     [=====     ]  50 % 51/100 objects\n           load  4 workers");
  }

  @Test
  void aNoteStandsAboveThePanelAndTheLastLineReplacesIt() {
    ConsoleProgress progress = progress(stream(), true, 60);
    progress.started(Step.INGEST);
    awaitInterval(progress, "50/100 objects");

    progress.note("Fedora is back.");
    awaitInterval(progress, "51/100 objects");
    progress.finished(Step.INGEST, "100 of 100 objects", Duration.ofSeconds(3));

    assertThat(text()).endsWith("[2Kingest     100 of 100 objects (3.0 s)\n");
    assertThat(screen())
        .containsExactly("Fedora is back.", "ingest     100 of 100 objects (3.0 s)");
  }

  @Test
  void printsAndOpensTheRunPage() {
    List<URI> opened = new ArrayList<>();
    URI page = URI.create("http://127.0.0.1:4712/#/run/a-run-with-a-name-longer-than-the-terminal");
    ConsoleProgress progress =
        new ConsoleProgress(stream(), true, 30, (shown, messages) -> opened.add(shown));

    progress.started(Step.COLLECT);
    progress.followable(page);

    assertThat(screen()).contains("live       " + page);
    assertThat(opened).containsExactly(page);
  }

  @Test
  void linesAreCutBeforeTheyWouldWrap() {
    ConsoleProgress progress = progress(stream(), true, 30);

    progress.progress(Step.INGEST, Double.NaN, "line", List.of("x".repeat(50), "y".repeat(50)));

    assertThat(screen()).allSatisfy(line -> assertThat(line).hasSizeLessThan(30));
    assertThat(text()).doesNotContain("%");
  }

  @Test
  void unknownProgressHasItsOwnLine() {
    ConsoleProgress progress = progress(stream(), false, 60);

    progress.progress(Step.PROVISION, Double.NaN, "Fedora");
    progress.progress(Step.PROVISION, Double.NaN, "PostgreSQL");

    assertThat(text()).isEqualTo("provision  Fedora\nprovision  PostgreSQL\n");
  }

  @Test
  void logsOneLinePerMinute() {
    ConsoleProgress progress = progress(stream(), false, 60);
    progress.progress(Step.INGEST, 0.5, "50/100 objects, all in one", List.of("panel", "more"));
    progress.progress(Step.INGEST, 0.6, "60/100 objects, all in one", List.of("panel", "more"));

    assertThat(text()).isEqualTo("ingest     [=====     ]  50 % 50/100 objects, all in one\n");
  }

  @Test
  void aTerminalThatIsGoneIsNoMatter() {
    PrintStream gone =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("Input/output error");
              }
            });
    ConsoleProgress progress = progress(gone, true, 60);

    progress.started(Step.INGEST);
    progress.note("This has no reader.");
    progress.finished(Step.INGEST, "done", Duration.ZERO);

    assertThat(gone.checkError()).isTrue();
  }

  private static ConsoleProgress progress(PrintStream out, boolean terminal, int columns) {
    return new ConsoleProgress(out, terminal, columns, (page, messages) -> {});
  }

  private PrintStream stream() {
    return new PrintStream(written, true, StandardCharsets.UTF_8);
  }

  /** Shows it until it is shown: not oftener than five times a second. */
  private void awaitInterval(ConsoleProgress progress, String first) {
    int before = written.size();
    while (written.size() == before) {
      progress.progress(Step.INGEST, 0.5, "a line", List.of(first, "load  4 workers"));
    }
  }

  private String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  /** Returns the visible screen after all output. */
  private List<String> screen() {
    StringBuilder screen = new StringBuilder();
    String text = text();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (text.startsWith(ESCAPE + "[2K", i)) {
        screen.setLength(screen.lastIndexOf("\n") + 1);
        i += 3;
      } else if (text.startsWith(ESCAPE + "[1A", i)) {
        screen.setLength(Math.max(0, screen.lastIndexOf("\n")));
        i += 3;
      } else if (c != '\r') {
        screen.append(c);
      }
    }
    return screen.toString().lines().toList();
  }
}

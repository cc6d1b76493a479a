package org.fedometer.cli.terminal;

import java.io.IOException;
import org.fedometer.analysis.html.HtmlReport;
import org.fedometer.analysis.report.JsonReport;
import org.fedometer.analysis.report.RunReport;
import org.fedometer.analysis.report.TextReport;
import org.fedometer.experiments.host.BuildInfo;
import org.fedometer.store.RunView;
import org.fedometer.store.query.QueryException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Output of a report: text or JSON on standard output, and optionally a page. */
public final class ReportOutput {
  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "File for a self-contained page with charts; '-' for standard output.")
  private String html;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * Returns the page's file, or null. Long jobs call it first.
   *
   * @throws IllegalArgumentException if it cannot be written, with a sentence for the user
   */
  public PageFile page() {
    PageFile page = PageFile.of(html);
    if (json && page != null && page.isStandardOutput()) {
      throw new IllegalArgumentException(
          "--json and --html cannot both be printed: name a file for the page");
    }
    return page;
  }

  /** Returns whether a format other than text was requested. */
  public boolean hasFormat() {
    return json || html != null;
  }

  /** Prints and writes the report; {@code open} opens the page in a browser. */
  public void show(RunView run, RunReport report, boolean open) throws IOException, QueryException {
    // Printed first: a full disk must not lose the result of a long run.
    if (!PageFile.isStandardOutput(html)) {
      print(report);
    }
    PageFile page = page();
    if (page != null) {
      page.write(
          HtmlReport.of(run, report, BuildInfo.current().version()),
          open,
          spec.commandLine().getErr());
    }
  }

  private void print(RunReport report) {
    if (json) {
      StandardOutput.json(JsonReport.of(report));
    } else {
      StandardOutput.styled(TextReport.of(report, Terminal.style()));
    }
  }
}

package org.fedometer.analysis.report;

import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;
import static org.fedometer.analysis.NumberFormats.rate;

import java.util.List;
import org.fedometer.analysis.section.TextSection;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.store.RunDocument;

/** Writes a {@link RunReport} for a terminal, in this order: subject, outcome, speed, stages. */
public final class TextReport {

  private final RunReport report;
  private final Page page;

  private TextReport(RunReport report, Page page) {
    this.report = report;
    this.page = page;
  }

  /** Returns the report as text with line feeds. */
  public static String of(RunReport report, TextStyle style) {
    Page page = new Page(style);
    new TextReport(report, page).write();
    return page.toString();
  }

  private void write() {
    writeHeadline();
    writeFacts();
    ReportSections.of(report, false).forEach(section -> TextSection.print(page, section));
  }

  private void writeHeadline() {
    boolean well = report.endedWell();
    page.title(
        (report.isMonitoringRun() ? "Monitoring " : "Run ") + report.run().name(),
        ReportSummary.outcome(report),
        report.isMonitoringRun() ? Paint.PLAIN : well ? Paint.GOOD : Paint.BAD);
  }

  private void writeFacts() {
    RunDocument run = report.run();
    ReportSummary.subject(run).forEach(this::fact);
    if (run.workers() > 0) {
      fact("workers", count(run.workers()));
    }
    if (run.ratePerSecond() != null) {
      fact("rate", rate(run.ratePerSecond()) + " objects a second");
    }
    if (!run.workload().isEmpty()) {
      fact("workload", ReportSummary.pairs(run.workload()));
    }
    writeOutages(run.outages());
    if (run.load() != null) {
      writeLoad(run.load());
    }
    ReportSummary.circumstances(run).forEach(this::fact);
  }

  private void writeOutages(List<RunDocument.Outage> outages) {
    for (RunDocument.Outage outage : outages) {
      fact(
          "outage",
          (RunDocument.Outage.DRIVER.equals(outage.who()) ? "the driver" : "Fedora")
              + " was away for "
              + duration(outage.endNanos() - outage.startNanos())
              + (outage.reason() == null ? "" : ": " + outage.reason()));
    }
  }

  private void writeLoad(RunDocument.Load load) {
    if (load.endedBy() != null) {
      fact("ended", load.endedBy());
    }
    if (!load.pauses().isEmpty()) {
      long paused =
          load.pauses().stream().mapToLong(pause -> pause.endNanos() - pause.startNanos()).sum();
      fact(
          "paused",
          count(load.pauses().size(), "time")
              + ", "
              + duration(paused)
              + " in all; the rates below leave them out");
    }
    for (RunDocument.LoadChange change : load.changes()) {
      fact(
          "changed",
          "to "
              + count(change.workers(), "worker")
              + (change.ratePerSecond() == null
                  ? ", a closed model"
                  : ", " + rate(change.ratePerSecond()) + " objects a second"));
    }
  }

  private void fact(String name, String value) {
    page.labelled(label(name), Paint.FAINT, value, Paint.PLAIN);
  }

  private static String label(String name) {
    return "  " + name + " ".repeat(Math.max(1, ReportSections.LABEL_WIDTH - name.length()));
  }
}

package org.fedometer.analysis.report;

import java.util.ArrayList;
import java.util.List;
import org.fedometer.analysis.report.RunReport.Operation;
import org.fedometer.analysis.report.RunReport.Problem;
import org.fedometer.analysis.report.RunReport.Severity;
import org.fedometer.analysis.report.RunReport.Speed;
import org.fedometer.analysis.report.RunReport.Stages;
import org.fedometer.analysis.section.Block;
import org.fedometer.analysis.section.Block.Place;
import org.fedometer.analysis.section.Section;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.store.RunDocument;

/**
 * Creates the sections shared by text and page of a {@link RunReport}; omits those without data.
 * Pure.
 */
public final class ReportSections {

  static final int LABEL_WIDTH = 12;

  private static final int MAX_PROBLEM_CHARACTERS = 400;

  private ReportSections() {}

  /**
   * Returns the sections in the order of a text.
   *
   * @param onPage whether for a page instead of a terminal
   */
  public static List<Section> of(RunReport report, boolean onPage) {
    List<Section> sections = new ArrayList<>();
    addProblems(sections, report);
    sections.add(checks(report));
    addSpeed(sections, report);
    addSteps(sections, report.run().load());
    // Omitted if they repeat the ingests above.
    List<Operation> operations = report.operations();
    if (onPage
        ? operations.size() > 1
            || (operations.size() == 1 && (report.openModel() || report.speed() == null))
        : report.openModel() || !operations.stream().allMatch(Operation::isIngest)) {
      sections.add(operations(report));
    }
    report.parts().forEach(part -> part.section().ifPresent(sections::add));
    addStages(sections, report);
    return sections;
  }

  private static void addProblems(List<Section> sections, RunReport report) {
    if (report.problems().isEmpty()) {
      return;
    }
    boolean onlyNotes =
        report.problems().stream().allMatch(problem -> problem.severity() == Severity.NOTE);
    String title = onlyNotes ? "Notes" : "Problems";
    Section section = new Section("problems", title, title);
    for (Problem problem : report.problems()) {
      boolean wrong = problem.severity() == Severity.WRONG;
      section.add(
          line(
              wrong ? Check.Verdict.FAILED : Check.Verdict.WARNING,
              "",
              problem.message(),
              MAX_PROBLEM_CHARACTERS));
    }
    sections.add(section.add(Place.PICTURES));
  }

  private static Block line(Check.Verdict verdict, String name, String text, int maxCharacters) {
    return new Block.Line(
        label(verdict.sign(), name),
        label(verdict.ascii(), name),
        verdict.paint(),
        text,
        maxCharacters);
  }

  private static String label(String sign, String name) {
    String label = sign + " " + name;
    return "  "
        + label
        + (name.isEmpty() ? "" : " ".repeat(Math.max(1, LABEL_WIDTH - label.length())));
  }

  private static Section checks(RunReport report) {
    Section section =
        report.imported()
            ? new Section("checks", "Measured", "Measurements")
            : new Section("checks", "Checks", "Checks");
    for (Check check : Check.of(report)) {
      section.add(line(check.verdict(), check.name(), check.detail(), Integer.MAX_VALUE));
    }
    return section.add(ReportTables.checks(report));
  }

  private static void addSpeed(List<Section> sections, RunReport report) {
    Speed speed = report.speed();
    if (speed == null) {
      return;
    }
    String warmUp = ReportSummary.warmUp(speed.warmUp());
    String times = ReportSummary.explainTimes(report);
    Section section =
        new Section("speed", "Throughput", "Throughput and latency")
            .add(
                ReportTables.speed(speed),
                Block.onPage(warmUp, "faint"),
                Block.onPage(times, "faint"),
                Block.inTerminal(warmUp + " " + times, Paint.FAINT));
    if (speed.growth() != null) {
      section.add(Block.inTerminal(ReportSummary.growth(speed.growth()), Paint.PLAIN));
    }
    sections.add(section);
  }

  private static void addSteps(List<Section> sections, RunDocument.Load load) {
    if (load == null || load.steps().isEmpty()) {
      return;
    }
    boolean rates = ReportTables.hasRates(load);
    String highest = ReportSummary.highestCleanRate(load);
    String what = ReportSummary.explainSteps(rates);
    Section section = new Section("steps", "Steps", "Steps of the load", "Steps");
    if (rates) {
      section.add(Block.onPage(highest, null));
    }
    section.add(Block.onPage(what, null), Place.PICTURES, ReportTables.steps(load));
    if (ReportTables.isMixed(load)) {
      section.add(ReportTables.stepOperations(load));
    }
    section.add(Block.inTerminal(what, Paint.FAINT));
    if (rates) {
      section.add(Block.inTerminal(highest, Paint.PLAIN));
    }
    sections.add(section);
  }

  private static Section operations(RunReport report) {
    return new Section("operations", "Operations", "Operations")
        .add(ReportTables.operations(report), Block.faint(ReportSummary.explainOperations(report)));
  }

  private static void addStages(List<Section> sections, RunReport report) {
    Stages stages = report.stages();
    if (stages.list().isEmpty()) {
      return;
    }
    String time = ReportSummary.timeInRequests(stages);
    Section section =
        new Section("stages", "Stages", "Where the time goes" + (time.isEmpty() ? "" : ": " + time))
            .add(ReportTables.stages(stages));
    String mixed = ReportSummary.mixedStages(stages);
    if (!mixed.isEmpty()) {
      section.add(Block.faint(mixed));
    }
    if (report.clientTime() != null) {
      String clientTime = ReportSummary.clientTime(report.clientTime());
      section.add(new Block.Paragraph(clientTime, true, "faint", Paint.PLAIN));
    }
    sections.add(
        section.add(
            Block.faint(ReportSummary.explainStages(stages)),
            Place.HIDDEN_COLUMNS,
            Place.PICTURES));
  }
}

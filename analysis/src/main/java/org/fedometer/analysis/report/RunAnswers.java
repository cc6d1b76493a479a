package org.fedometer.analysis.report;

import static org.fedometer.analysis.NumberFormats.count;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.fedometer.analysis.report.RunReport.Severity;
import org.fedometer.analysis.report.RunReport.Stage;
import org.fedometer.analysis.statistics.WarmUp;
import org.fedometer.store.RunState;

/**
 * Answers what readers of a run ask first: whether it holds, where its time went, what to do next.
 * Pure.
 */
public final class RunAnswers {

  private static final int MAX_STAGES = 3;

  /** A stage below this share of the time is not named. */
  private static final double MIN_SHARE = 0.01;

  private RunAnswers() {}

  /**
   * @param section id of the section with the details, which some runs lack
   */
  public record Answer(String name, String text, String section) {}

  public static List<Answer> of(RunReport report) {
    List<Answer> answers = new ArrayList<>();
    answers.add(new Answer("checks", checks(report), "checks"));
    String stages = stages(report.stages());
    if (!stages.isEmpty()) {
      answers.add(new Answer("most time in", stages, "stages"));
    }
    answers.add(next(report));
    return answers;
  }

  private static String checks(RunReport report) {
    List<Check> checks = Check.of(report);
    return List.of(
                Check.Verdict.FAILED,
                Check.Verdict.UNKNOWN,
                Check.Verdict.WARNING,
                Check.Verdict.PASSED)
            .stream()
            .map(verdict -> named(checks, verdict))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; "))
        + ".";
  }

  private static String named(List<Check> checks, Check.Verdict verdict) {
    List<String> names =
        checks.stream().filter(check -> check.verdict() == verdict).map(Check::name).toList();
    if (names.isEmpty()) {
      return "";
    }
    return verdict == Check.Verdict.PASSED && names.size() == checks.size()
        ? "all passed"
        : names.size()
            + " "
            + switch (verdict) {
              case PASSED -> "passed";
              case WARNING -> "with a warning (" + String.join(", ", names) + ")";
              case UNKNOWN -> "unknown (" + String.join(", ", names) + ")";
              case FAILED -> "failed (" + String.join(", ", names) + ")";
            };
  }

  private static String stages(RunReport.Stages stages) {
    return stages.list().stream()
        .filter(stage -> !stage.outside() && stage.share() != null && stage.share() >= MIN_SHARE)
        .sorted(Comparator.comparingLong(Stage::requestSelfNanos).reversed())
        .limit(MAX_STAGES)
        .map(stage -> stage.name() + String.format(Locale.ROOT, " %.0f %%", 100 * stage.share()))
        .collect(Collectors.joining(", "));
  }

  private static Answer next(RunReport report) {
    long wrong =
        report.problems().stream().filter(problem -> problem.severity() == Severity.WRONG).count();
    if (wrong > 0) {
      return next(
          "Solve " + count(wrong, "problem") + " first; until then the figures may mislead.",
          "problems");
    }
    if (RunState.RUNNING.is(report.run().state())) {
      return next("The run has not ended: its figures may change.", "checks");
    }
    if (report.isMonitoringRun()) {
      return next("Start with the stage that has most self time.", "stages");
    }
    WarmUp warmUp = report.speed() == null ? null : report.speed().warmUp();
    if (warmUp != null && warmUp.verdict() == WarmUp.Verdict.NOT_SETTLED) {
      return next("Load more objects: this run never reached a steady state.", "speed");
    }
    if (warmUp != null && warmUp.verdict() == WarmUp.Verdict.TOO_SHORT) {
      return next("Load more objects: this run is too short to show a steady state.", "speed");
    }
    return next("Repeat the run before you compare: one run cannot rule out chance.", "speed");
  }

  private static Answer next(String text, String section) {
    return new Answer("next", text, section);
  }
}

package org.fedometer.analysis.compare;

import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.fedometer.analysis.Figures;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.analysis.text.TextTable;
import org.fedometer.analysis.text.TextTable.Column;

/** Writes a {@link ProfileComparison} for people. */
public final class TextProfileComparison {

  /** The JSON has all of them. */
  private static final int MOST_STAGES = 8;

  private static final int MOST_CHANGES = 6;

  private final ProfileComparison comparison;
  private final Page page;

  private TextProfileComparison(ProfileComparison comparison, Page page) {
    this.comparison = comparison;
    this.page = page;
  }

  /** The comparison as text, lines ending in a line feed. */
  public static String of(ProfileComparison comparison, TextStyle style) {
    Page page = new Page(style);
    new TextProfileComparison(comparison, page).write();
    return page.toString();
  }

  private void write() {
    if (comparison.experiment() != null) {
      page.prose("", "Experiment " + comparison.experiment(), Paint.BOLD);
    }
    for (MeasuredProfile profile : comparison.profiles()) {
      page.labelled(
          profile.letter() + "  ",
          Paint.BOLD,
          profile.label() + ComparisonWords.profile(comparison, profile),
          Paint.BOLD);
    }
    if (comparison.sizes() != null) {
      page.prose("   ", ComparisonWords.sizes(comparison), Paint.PLAIN);
    }
    for (String remark : comparison.remarks()) {
      page.labelled("   ! ", Paint.WARNING, remark, Paint.WARNING);
    }
    for (Contender contender : comparison.contenders()) {
      write(contender);
    }
    writeRuns();
    writeLimits();
    writeRecommendations();
    for (Contender contender : comparison.contenders()) {
      page.heading(
          "What differs between %s and %s"
              .formatted(contender.baseline().letter(), contender.profile().letter()));
      new DifferenceText(page, contender.baseline().letter(), contender.profile().letter())
          .write(contender.difference());
    }
  }

  private void write(Contender contender) {
    page.heading(ComparisonWords.title(contender));
    page.prose("  ", Sentences.of(contender, comparison.choices()), Paint.PLAIN);
    if (contender.service().isEmpty()) {
      return;
    }
    page.blank();
    writeRatios(contender);
    writeStages(contender);
    writeResources(contender);
  }

  private void writeRatios(Contender contender) {
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number(a, 2),
                Column.number(b, 2),
                Column.number(b + "/" + a, TextTable.ALWAYS),
                Column.number(
                    Sentences.percent(comparison.choices().confidence()) + " interval",
                    TextTable.ALWAYS),
                new Column("verdict", true, TextTable.ALWAYS, Paint.BOLD)));
    for (RatioEstimate estimate : contender.service()) {
      String name = ComparisonWords.metric(estimate.metric(), false);
      table.row(row(contender, name, estimate, run -> run.part().service().statistics()));
    }
    for (RatioEstimate estimate : contender.response()) {
      if (estimate.metric() != Metric.THROUGHPUT) {
        String name = ComparisonWords.metric(estimate.metric(), true);
        table.row(row(contender, name, estimate, run -> run.part().response().statistics()));
      }
    }
    table.print();
    page.prose("  ", Sentences.scope(contender), Paint.FAINT);
  }

  private static List<String> row(
      Contender contender,
      String name,
      RatioEstimate estimate,
      Function<MeasuredRun, RunStatistics> statistics) {
    Metric metric = estimate.metric();
    DoubleFunction<String> figure = value -> ComparisonWords.figure(metric, value);
    Function<MeasuredRun, Double> value = run -> statistics.apply(run).value(metric);
    return List.of(
        name,
        typical(contender.sides().baseline(), value, figure),
        typical(contender.sides().contender(), value, figure),
        ComparisonWords.ratio(estimate.ratio()),
        ComparisonWords.ratio(estimate.low()) + " to " + ComparisonWords.ratio(estimate.high()),
        Sentences.inWords(estimate.verdict()));
  }

  private static String typical(
      List<MeasuredRun> runs, Function<MeasuredRun, Double> value, DoubleFunction<String> figure) {
    OptionalDouble typical = Sides.typical(runs, value);
    return typical.isPresent() ? figure.apply(typical.getAsDouble()) : "-";
  }

  private void writeStages(Contender contender) {
    List<StageDifference> stages = contender.stages();
    if (stages.isEmpty()) {
      return;
    }
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    page.heading("Where the time goes: own time an object, largest differences first");
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("stage", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number(a, 4),
                Column.number(b, 4),
                Column.number(b + "-" + a, TextTable.ALWAYS),
                Column.number("+/-", TextTable.ALWAYS),
                Column.number(a + " share", 2),
                Column.number(b + " share", 2)));
    List<StageDifference> shown = stages.subList(0, Math.min(MOST_STAGES, stages.size()));
    boolean beside = false;
    for (StageDifference stage : shown) {
      beside |= stage.beside();
      table.row(
          List.of(
              stage.stage() + (stage.beside() ? " *" : ""),
              duration(stage.baselineNanos()),
              duration(stage.contenderNanos()),
              duration(stage.differenceNanos()),
              stage.bounds() == null
                  ? "?"
                  : duration((stage.bounds().high() - stage.bounds().low()) / 2),
              share(stage.baselineShare()),
              share(stage.contenderShare())));
    }
    table.print();
    if (stages.size() > shown.size()) {
      page.prose("  ", "and %s more".formatted(count(stages.size() - shown.size())), Paint.FAINT);
    }
    String scope = ComparisonWords.scopeOfStages(contender, shown);
    if (scope != null) {
      page.prose("  ", scope, Paint.FAINT);
    }
    if (beside) {
      page.prose("  ", "* beside the requests: no request waited in it", Paint.FAINT);
    }
  }

  private static String share(Double share) {
    return share == null ? "-" : Figures.share(share);
  }

  private void writeResources(Contender contender) {
    page.heading("What it takes");
    String a = contender.baseline().letter();
    String b = contender.profile().letter();
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number(a, TextTable.ALWAYS),
                Column.number(b, TextTable.ALWAYS),
                Column.number(b + "/" + a, 1)));
    List<ResourceComparison.Line> lines = ResourceComparison.of(contender);
    for (ResourceComparison.Line line : lines) {
      table.row(
          List.of(
              line.name(),
              orDash(line.baseline(), line.unit()),
              orDash(line.contender(), line.unit()),
              orDash(line.ratio(), ComparisonWords::ratio)));
    }
    if (lines.isEmpty()) {
      page.prose("  ", "Nothing is on record.", Paint.PLAIN);
    } else {
      table.print();
    }
  }

  private static String orDash(Double value, DoubleFunction<String> figure) {
    return value == null ? "-" : figure.apply(value);
  }

  private void writeRuns() {
    page.heading("The runs, and how steady they were");
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("", true, TextTable.ALWAYS, Paint.BOLD),
                new Column("run", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("objects", 3),
                Column.number("measured", 4),
                Column.number("objects/s", 5),
                Column.number("with flush", 2),
                new Column("steadiness", true, 6, Paint.PLAIN)));
    for (MeasuredProfile profile : comparison.profiles()) {
      for (MeasuredRun run : profile.runs()) {
        MeasuredRun.Part part = run.part();
        table.row(
            List.of(
                profile.letter(),
                shortened(run.name()),
                count(run.objects()),
                part == null ? "-" : "from " + count(part.from()),
                part == null
                    ? "-"
                    : ComparisonWords.figure(
                        Metric.THROUGHPUT, part.service().statistics().throughputPerSecond()),
                run.objectsPerSecondWithDrain() == null
                    ? "-"
                    : Figures.rate(run.objectsPerSecondWithDrain()),
                Sentences.steadiness(run)));
      }
    }
    table.print();
    for (MeasuredProfile profile : comparison.profiles()) {
      profile.runs().forEach(this::writePace);
    }
  }

  /** The end of a name tells runs apart, the beginning what they are of. */
  private String shortened(String name) {
    int most = page.columns() / 3;
    if (name.length() <= most) {
      return name;
    }
    String mark = page.glyph("…", "...");
    int half = (most - mark.length()) / 2;
    return name.substring(0, most - mark.length() - half)
        + mark
        + name.substring(name.length() - half);
  }

  private void writePace(MeasuredRun run) {
    if (run.steadiness() == null) {
      return;
    }
    String drift = ComparisonWords.drift(run);
    if (drift != null) {
      page.prose("  ", run.name() + ": " + drift, Paint.PLAIN);
    }
    List<LabelledChange> changes = run.changes();
    for (LabelledChange change : changes.subList(0, Math.min(MOST_CHANGES, changes.size()))) {
      page.prose(
          "  ",
          "%s: at object %s, after %s, from %s to %s: %s"
              .formatted(
                  run.name(),
                  count(change.change().request()),
                  duration(change.afterNanos()),
                  duration(change.change().beforeNanos()),
                  duration(change.change().afterNanos()),
                  ComparisonWords.causes(change)),
          Paint.PLAIN);
    }
    if (changes.size() > MOST_CHANGES) {
      page.prose(
          "  ",
          "%s: %s more".formatted(run.name(), count(changes.size() - MOST_CHANGES, "change")),
          Paint.FAINT);
    }
  }

  private void writeLimits() {
    page.heading("What limited it");
    for (MeasuredProfile profile : comparison.profiles()) {
      List<String> limits = ComparisonWords.limits(profile);
      for (String limit : limits.isEmpty() ? List.of("-") : limits) {
        page.labelled("  " + profile.letter() + "  ", Paint.BOLD, limit, Paint.PLAIN);
      }
    }
  }

  private void writeRecommendations() {
    if (comparison.recommendations().isEmpty()) {
      return;
    }
    page.heading("What to take");
    for (Recommendation recommendation : comparison.recommendations()) {
      page.labelled(
          "  for " + Sentences.noun(recommendation.goal()) + ": ",
          Paint.BOLD,
          Sentences.of(recommendation),
          Paint.PLAIN);
    }
    page.labelled("  hardware: ", Paint.BOLD, Hardware.of(comparison), Paint.PLAIN);
  }
}

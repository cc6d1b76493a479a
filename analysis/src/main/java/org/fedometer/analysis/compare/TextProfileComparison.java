package org.fedometer.analysis.compare;

import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;

import java.util.List;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.section.TextTable;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.analysis.text.TextStyle;

/** Writes a {@link ProfileComparison} as text. */
public final class TextProfileComparison {

  /** The JSON has all of them. */
  private static final int MAX_STAGES = 8;

  private static final int MAX_CHANGES = 6;

  private final ProfileComparison comparison;
  private final Page page;

  private TextProfileComparison(ProfileComparison comparison, Page page) {
    this.comparison = comparison;
    this.page = page;
  }

  /** Returns the comparison as text with line feeds. */
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
          profile.label() + ComparisonText.profile(comparison, profile),
          Paint.BOLD);
    }
    if (comparison.sizes() != null) {
      page.prose("   ", ComparisonText.sizes(comparison), Paint.PLAIN);
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
          "Other differences between %s and %s"
              .formatted(contender.baseline().letter(), contender.profile().letter()));
      new DifferenceText(page, contender.baseline().letter(), contender.profile().letter())
          .write(contender.difference());
    }
  }

  private void write(Contender contender) {
    page.heading(ComparisonText.title(contender));
    page.prose("  ", ComparisonSummary.of(contender, comparison.choices()), Paint.PLAIN);
    if (contender.service().isEmpty()) {
      return;
    }
    page.blank();
    writeRatios(contender);
    writeStages(contender);
    writeResources(contender);
  }

  private void writeRatios(Contender contender) {
    TextTable.print(
        page,
        ComparisonTables.ratios(comparison, contender, false)
            .rows(ComparisonTables.Ratio.of(contender, true)));
    page.prose("  ", ComparisonSummary.scope(contender), Paint.FAINT);
  }

  private void writeStages(Contender contender) {
    List<StageDifference> stages = contender.stages();
    if (stages.isEmpty()) {
      return;
    }
    page.heading("Where the time goes: self time per object, largest differences first");
    List<StageDifference> shown = stages.subList(0, Math.min(MAX_STAGES, stages.size()));
    TextTable.print(page, ComparisonTables.stages(contender, shown));
    if (stages.size() > shown.size()) {
      page.prose("  ", "and %s more".formatted(count(stages.size() - shown.size())), Paint.FAINT);
    }
    String scope = ComparisonText.scopeOfStages(contender, shown);
    if (scope != null) {
      page.prose("  ", scope, Paint.FAINT);
    }
    if (shown.stream().anyMatch(StageDifference::outside)) {
      page.prose("  ", "* outside the requests: no request waited for it", Paint.FAINT);
    }
  }

  private void writeResources(Contender contender) {
    page.heading("Resources");
    Table<?> table = ComparisonTables.resources(contender);
    if (table.isEmpty()) {
      page.prose("  ", "Nothing is on record.", Paint.PLAIN);
    } else {
      TextTable.print(page, table);
    }
  }

  private void writeRuns() {
    page.heading("Runs and their steady state");
    TextTable.print(page, ComparisonTables.runs(comparison, this::shortened));
    for (MeasuredProfile profile : comparison.profiles()) {
      profile.runs().forEach(this::writePace);
    }
  }

  /**
   * Shortens a run's name, keeping the end, which identifies it, and the beginning, which describes
   * it.
   */
  private String shortened(String name) {
    int max = page.columns() / 3;
    if (name.length() <= max) {
      return name;
    }
    String mark = page.glyph("…", "...");
    int half = (max - mark.length()) / 2;
    return name.substring(0, max - mark.length() - half)
        + mark
        + name.substring(name.length() - half);
  }

  private void writePace(MeasuredRun run) {
    if (run.steadyState() == null) {
      return;
    }
    String drift = ComparisonText.drift(run);
    if (drift != null) {
      page.prose("  ", run.name() + ": " + drift, Paint.PLAIN);
    }
    List<LabelledChange> changes = run.changes();
    for (LabelledChange change : changes.subList(0, Math.min(MAX_CHANGES, changes.size()))) {
      page.prose(
          "  ",
          "%s: at object %s, after %s, from %s to %s: %s"
              .formatted(
                  run.name(),
                  count(change.change().request()),
                  duration(change.afterNanos()),
                  duration(change.change().beforeNanos()),
                  duration(change.change().afterNanos()),
                  ComparisonText.causes(change)),
          Paint.PLAIN);
    }
    if (changes.size() > MAX_CHANGES) {
      page.prose(
          "  ",
          "%s: %s more".formatted(run.name(), count(changes.size() - MAX_CHANGES, "change")),
          Paint.FAINT);
    }
  }

  private void writeLimits() {
    page.heading("Limiting resource");
    for (MeasuredProfile profile : comparison.profiles()) {
      List<String> limits = ComparisonText.limits(profile);
      for (String limit : limits.isEmpty() ? List.of("-") : limits) {
        page.labelled("  " + profile.letter() + "  ", Paint.BOLD, limit, Paint.PLAIN);
      }
    }
  }

  private void writeRecommendations() {
    if (comparison.recommendations().isEmpty()) {
      return;
    }
    page.heading("Recommendation");
    for (Recommendation recommendation : comparison.recommendations()) {
      page.labelled(
          "  for " + ComparisonSummary.noun(recommendation.goal()) + ": ",
          Paint.BOLD,
          ComparisonSummary.of(recommendation),
          Paint.PLAIN);
    }
    Hardware.of(comparison)
        .ifPresent(text -> page.labelled("  hardware: ", Paint.BOLD, text, Paint.PLAIN));
  }
}

package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.compare.Choices;
import org.fedometer.analysis.compare.ComparisonSummary;
import org.fedometer.analysis.compare.ComparisonTables;
import org.fedometer.analysis.compare.ComparisonText;
import org.fedometer.analysis.compare.Contender;
import org.fedometer.analysis.compare.Gate;
import org.fedometer.analysis.compare.Hardware;
import org.fedometer.analysis.compare.MeasuredProfile;
import org.fedometer.analysis.compare.MeasuredRun;
import org.fedometer.analysis.compare.ProfileComparison;
import org.fedometer.analysis.compare.Recommendation;
import org.fedometer.analysis.compare.StageDifference;
import org.fedometer.analysis.section.Cell;
import org.fedometer.analysis.section.Table;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.timeline.RunPaces;

/**
 * Content of the template {@code comparison.jte}, by section; sections without data are null or
 * empty, and not shown. For one thread.
 */
public final class ComparisonPage {
  private static final double NANOS_A_MICRO = 1e3;
  private static final int COLOURS = 8;

  /** The table has all of them. */
  private static final int MAX_STAGES = 12;

  private static final int MAX_RUNS_NAMED = 30;
  private static final int MAX_LETTERS = 40;

  private final ProfileComparison comparison;
  private final List<Gate.Result> gates;
  private final RunPaces paces;
  private final Table<?> growth;
  private final PageFrame frame;

  /**
   * @param paces of all runs, in the order of the profiles
   * @param version of Fedometer
   */
  ComparisonPage(
      ProfileComparison comparison, List<Gate.Result> gates, RunPaces paces, String version) {
    this.comparison = comparison;
    this.gates = List.copyOf(gates);
    this.paces = paces;
    this.growth = ComparisonTables.growth(comparison);
    this.frame =
        new PageFrame(
            heading() + " – Fedometer",
            PageFrame.fileName(
                "comparison-"
                    + (comparison.experiment() == null
                        ? comparison.baseline().label()
                        : comparison.experiment())),
            sections(),
            ComparisonJson.of(comparison, paces),
            PageFrame.script("comparison.js"),
            version);
  }

  public record Profile(String letter, String label, String summary, String names, String colour) {}

  public record Panel(
      String title, String sentence, IntervalPlot plot, Table<?> table, List<String> notes) {}

  private List<PageFrame.Section> sections() {
    List<PageFrame.Section> sections = new ArrayList<>();
    PageFrame.addIf(true, sections, "compared", "Profiles");
    PageFrame.addIf(gates() != null, sections, "gates", "Gates");
    PageFrame.addIf(true, sections, "ratios", "Differences");
    PageFrame.addIf(!responses().isEmpty(), sections, "responses", "Response times");
    PageFrame.addIf(true, sections, "runs", "Runs");
    PageFrame.addIf(!stages().isEmpty(), sections, "stages", "Stages");
    PageFrame.addIf(true, sections, "resources", "Resources");
    PageFrame.addIf(hasTimeline(), sections, "timeline", "Over time");
    PageFrame.addIf(growth() != null, sections, "growth", "Growth");
    PageFrame.addIf(true, sections, "differences", "Other differences");
    PageFrame.addIf(!remarks().isEmpty(), sections, "remarks", "Remarks");
    PageFrame.addIf(true, sections, "traceability", "Traceability");
    return sections;
  }

  /** Returns the style sheet's variable for the profile with this index. */
  static String colour(int profile) {
    return "c" + (profile % COLOURS + 1);
  }

  public PageFrame frame() {
    return frame;
  }

  public String heading() {
    if (comparison.experiment() != null) {
      return "Experiment " + comparison.experiment();
    }
    List<MeasuredProfile> profiles = comparison.profiles();
    return profiles.size() == 2
        ? profiles.get(1).label() + " against " + profiles.get(0).label()
        : "%s against %s"
            .formatted(count(profiles.size() - 1, "profile"), comparison.baseline().label());
  }

  // ---- subject ----

  public List<Profile> profiles() {
    List<Profile> profiles = new ArrayList<>();
    for (MeasuredProfile profile : comparison.profiles()) {
      List<String> names = profile.runs().stream().map(MeasuredRun::name).toList();
      String shown = String.join(", ", names.stream().limit(MAX_RUNS_NAMED).toList());
      int more = names.size() - MAX_RUNS_NAMED;
      profiles.add(
          new Profile(
              profile.letter(),
              profile.label(),
              ComparisonText.profile(comparison, profile),
              names.size() < 2 ? null : more > 0 ? shown + " and " + count(more) + " more" : shown,
              colour(profiles.size())));
    }
    return profiles;
  }

  public Map<String, String> facts() {
    Choices choices = comparison.choices();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "threshold",
        ComparisonSummary.percent(choices.threshold()) + " (smaller differences do not matter)");
    facts.put("confidence of intervals", ComparisonSummary.percent(choices.confidence()));
    facts.put(
        "resamples of single runs",
        "%s, seed %s"
            .formatted(count(choices.resampling().repetitions()), choices.resampling().seed()));
    if (ComparisonText.sizes(comparison) != null) {
      facts.put("sizes", ComparisonText.sizes(comparison));
    }
    if (!comparison.recommendations().isEmpty()) {
      Hardware.of(comparison).ifPresent(text -> facts.put("hardware", text));
    }
    if (!comparison.missing().isEmpty()) {
      facts.put("without a finished run", String.join(", ", comparison.missing()));
    }
    return facts;
  }

  /** Returns null without gates. */
  public Table<?> gates() {
    return gates.isEmpty() ? null : ComparisonTables.gates(gates);
  }

  public String gatesText() {
    long failed = gates.stream().filter(Gate.Result::failed).count();
    return failed == 0
        ? "All gates passed."
        : "%s of %s failed.".formatted(count(failed), count(gates.size(), "gate"));
  }

  public String gatesStyle() {
    return gates.stream().anyMatch(Gate.Result::failed) ? "bad" : "good";
  }

  /** Returns the verdict on each contender, then the recommendation for each goal, by name. */
  public Map<String, String> answers() {
    Map<String, String> answers = new LinkedHashMap<>();
    for (Contender contender : comparison.contenders()) {
      answers.put(
          contender.profile().letter() + " against " + contender.baseline().letter(),
          ComparisonSummary.of(contender, comparison.choices()));
    }
    for (Recommendation each : comparison.recommendations()) {
      answers.put("for " + ComparisonSummary.noun(each.goal()), ComparisonSummary.of(each));
    }
    return answers;
  }

  // ---- ratios ----

  /** Returns a panel per contender, with a sentence instead of chart and table if undetermined. */
  public List<Panel> ratios() {
    PlotScale scale = IntervalPlot.ratios(marks(false).toList(), comparison.choices().threshold());
    return comparison.contenders().stream()
        .map(
            contender ->
                contender.service().isEmpty()
                    ? new Panel(
                        ComparisonText.title(contender),
                        "No ratios: one of the two has no run with enough measured objects.",
                        null,
                        null,
                        List.of())
                    : panel(contender, false, scale))
        .toList();
  }

  /** Returns empty if no contender has any. */
  public List<Panel> responses() {
    PlotScale scale = IntervalPlot.ratios(marks(true).toList(), comparison.choices().threshold());
    return comparison.contenders().stream()
        .filter(contender -> !contender.response().isEmpty())
        .map(contender -> panel(contender, true, scale))
        .toList();
  }

  private Panel panel(Contender contender, boolean ofResponse, PlotScale scale) {
    List<IntervalPlot.Mark> marks = marks(contender, ofResponse).toList();
    return new Panel(
        ComparisonText.title(contender),
        null,
        IntervalPlot.of(
            "Ratios of %s to %s with their intervals; the table has the same numbers"
                .formatted(contender.profile().letter(), contender.baseline().letter()),
            scale,
            1,
            comparison.choices().threshold(),
            false,
            marks,
            ComparisonPage::ratioTick),
        ComparisonTables.ratios(comparison, contender, ofResponse),
        List.of(ComparisonSummary.scope(contender)));
  }

  private static String ratioTick(double ratio) {
    return String.format(Locale.ROOT, "%.4f", ratio).replaceAll("\\.?0+$", "");
  }

  private Stream<IntervalPlot.Mark> marks(boolean ofResponse) {
    return comparison.contenders().stream().flatMap(contender -> marks(contender, ofResponse));
  }

  private static Stream<IntervalPlot.Mark> marks(Contender contender, boolean ofResponse) {
    return (ofResponse ? contender.response() : contender.service())
        .stream()
            .filter(estimate -> !ofResponse || estimate.metric() != Metric.THROUGHPUT)
            .filter(estimate -> Double.isFinite(estimate.ratio()))
            .map(estimate -> mark(estimate, ofResponse));
  }

  private static IntervalPlot.Mark mark(RatioEstimate estimate, boolean ofResponse) {
    return new IntervalPlot.Mark(
        ComparisonText.metric(estimate.metric(), ofResponse),
        "%s: %s"
            .formatted(
                ComparisonText.ratio(estimate.ratio()),
                ComparisonSummary.verdict(estimate.verdict())),
        estimate.ratio(),
        hasEnds(estimate) ? (Double) estimate.low() : null,
        hasEnds(estimate) ? (Double) estimate.high() : null,
        IntervalPlot.shape(estimate.verdict()),
        ComparisonText.colour(estimate.verdict()));
  }

  private static boolean hasEnds(RatioEstimate estimate) {
    return estimate.low() > 0 && Double.isFinite(estimate.high());
  }

  public String thresholdText() {
    return ("The line at 1 means no difference. Right of it the contender has more: better for objects"
            + " a second, worse for times. The grey band is the threshold, %s to either side: such"
            + " differences do not matter. ▲ better, ▼ worse, ■ the same, ○ inconclusive, which does not mean"
            + " the same.")
        .formatted(ComparisonSummary.percent(comparison.choices().threshold()));
  }

  // ---- runs ----

  public List<DotPlot> dots() {
    List<MeasuredProfile> profiles = comparison.profiles();
    return Stream.of(Metric.THROUGHPUT, Metric.P50, Metric.P95, Metric.P99)
        .map(
            metric ->
                DotPlot.of(
                    ComparisonText.metric(metric, false),
                    profiles,
                    run -> run.part().service().statistics().value(metric),
                    value -> ComparisonText.figure(metric, value)))
        .filter(Objects::nonNull)
        .toList();
  }

  public String dotsText() {
    boolean blocks =
        comparison.profiles().stream()
            .flatMap(profile -> profile.runs().stream())
            .anyMatch(run -> run.block() != null);
    boolean single =
        comparison.profiles().stream().anyMatch(profile -> profile.comparable().size() < 2);
    return "A dot is a run; the vertical line is the geometric mean of a profile's runs."
        + (blocks ? " Lines join runs of one block." : "")
        + (single ? " A profile with one run shows no run-to-run variation." : "");
  }

  public Table<?> runs() {
    return ComparisonTables.runs(comparison, UnaryOperator.identity());
  }

  // ---- stages and resources ----

  public List<Panel> stages() {
    return comparison.contenders().stream()
        .filter(contender -> !contender.stages().isEmpty())
        .map(this::stages)
        .toList();
  }

  private Panel stages(Contender contender) {
    List<StageDifference> all = contender.stages();
    List<StageDifference> shown = all.subList(0, Math.min(MAX_STAGES, all.size()));
    List<IntervalPlot.Mark> marks = shown.stream().map(ComparisonPage::mark).toList();
    List<String> notes = new ArrayList<>();
    if (shown.size() < all.size()) {
      notes.add(
          "The chart shows the %s largest of %s; the table shows all."
              .formatted(count(shown.size()), count(all.size(), "stage")));
    }
    if (ComparisonText.scopeOfStages(contender, all) != null) {
      notes.add(ComparisonText.scopeOfStages(contender, all));
    }
    return new Panel(
        ComparisonText.title(contender),
        null,
        IntervalPlot.of(
            "Differences in the self time of stages; the table has the same numbers",
            IntervalPlot.differences(marks),
            0,
            0,
            true,
            marks,
            Cell::signed),
        ComparisonTables.stages(contender, all),
        notes);
  }

  private static IntervalPlot.Mark mark(StageDifference stage) {
    boolean clear = stage.isClear();
    return new IntervalPlot.Mark(
        stage.stage() + (stage.outside() ? " *" : ""),
        Cell.signed(stage.differenceNanos()) + (clear ? "" : ", may be chance"),
        stage.differenceNanos(),
        stage.bounds() == null ? null : stage.bounds().low(),
        stage.bounds() == null ? null : stage.bounds().high(),
        clear
            ? stage.differenceNanos() < 0 ? IntervalPlot.Shape.UP : IntervalPlot.Shape.DOWN
            : IntervalPlot.Shape.RING,
        clear ? stage.differenceNanos() < 0 ? "good" : "bad" : "faint");
  }

  public String stagesText() {
    return "Self time per object, contender minus baseline, the largest difference first. ▲ less"
        + " time, ▼ more, ○ the interval contains 0, or is unknown. * outside the requests: no"
        + " request waited for it.";
  }

  public List<Panel> resources() {
    return comparison.contenders().stream()
        .filter(contender -> !contender.service().isEmpty())
        .map(contender -> resources(contender, ComparisonTables.resources(contender)))
        .toList();
  }

  private static Panel resources(Contender contender, Table<?> table) {
    return new Panel(
        ComparisonText.title(contender),
        table.isEmpty() ? "None recorded." : null,
        null,
        table.isEmpty() ? null : table,
        List.of());
  }

  public Table<?> limits() {
    return ComparisonTables.limits(comparison);
  }

  // ---- timeline ----

  public boolean hasTimeline() {
    return paces.bucketObjects() > 0;
  }

  public String timelineText() {
    return "Steps of %s or %s. A colour is a profile; beyond eight profiles colours repeat."
        .formatted(count(paces.bucketObjects(), "object"), duration(paces.bucketSeconds() * 1e9));
  }

  public Table<?> pace() {
    Table<?> table = ComparisonTables.pace(comparison);
    return table.isEmpty() ? null : table;
  }

  /** Returns null if all runs are too short. */
  public Table<?> growth() {
    return growth.isEmpty() ? null : growth;
  }

  public IntervalPlot growthPlot() {
    List<IntervalPlot.Mark> marks = new ArrayList<>();
    for (MeasuredProfile profile : comparison.profiles()) {
      String colour = colour(comparison.profiles().indexOf(profile));
      for (MeasuredRun run : profile.runs()) {
        SizeSlope slope = ComparisonTables.slope(run);
        if (slope != null) {
          marks.add(
              new IntervalPlot.Mark(
                  profile.letter() + "  " + shortened(run.name()),
                  Cell.signed(1_000 * slope.nanosPerObject()),
                  slope.nanosPerObject() * NANOS_A_MICRO,
                  slope.low() * NANOS_A_MICRO,
                  slope.high() * NANOS_A_MICRO,
                  IntervalPlot.Shape.SQUARE,
                  colour));
        }
      }
    }
    return IntervalPlot.of(
        "Growth of the time per object; the table has the same numbers",
        IntervalPlot.differences(marks),
        0,
        0,
        false,
        marks,
        Cell::signed);
  }

  private static String shortened(String name) {
    return name.length() <= MAX_LETTERS
        ? name
        : name.substring(0, MAX_LETTERS / 2)
            + "…"
            + name.substring(name.length() - MAX_LETTERS / 2);
  }

  // ---- differences ----

  public List<Panel> differences() {
    return comparison.contenders().stream()
        .map(
            contender ->
                new Panel(
                    ComparisonText.title(contender),
                    null,
                    null,
                    ComparisonTables.differences(contender),
                    List.of()))
        .toList();
  }

  public List<String> remarks() {
    return comparison.remarks();
  }

  public String remarksText() {
    return "Read "
        + NumberFormats.count(comparison.remarks().size(), "remark")
        + " before you rely on the figures";
  }

  public Table<?> traceability() {
    return ComparisonTables.traceability(comparison);
  }
}

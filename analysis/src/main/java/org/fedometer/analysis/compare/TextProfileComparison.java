package org.fedometer.analysis.compare;

import static org.fedometer.analysis.Figures.count;
import static org.fedometer.analysis.Figures.duration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.fedometer.analysis.Figures;
import org.fedometer.analysis.Page;
import org.fedometer.analysis.Page.Paint;
import org.fedometer.analysis.TextStyle;
import org.fedometer.analysis.TextTable;
import org.fedometer.analysis.TextTable.Column;
import org.fedometer.analysis.compare.MeasuredRun.LabelledChange;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.analysis.statistics.Scope;
import org.fedometer.analysis.statistics.SizeSlope;
import org.fedometer.analysis.statistics.Steadiness;

/** Writes a {@link ProfileComparison} for people: {@code compare} prints it. */
public final class TextProfileComparison {

  /** The JSON has all of them. */
  private static final int MOST_STAGES = 8;

  private static final int MOST_CHANGES = 6;

  /** Shorter waits are in the JSON. */
  private static final double LEAST_WAIT_SHARE = 0.005;

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
          profile.label()
              + (profile == comparison.baseline() ? ", the baseline: " : ": ")
              + (profile.runs().size() == 1 && profile.runs().get(0).name().equals(profile.label())
                  ? "one run"
                  : runs(profile)),
          Paint.BOLD);
    }
    if (comparison.sizes() != null) {
      page.prose(
          "   ",
          "Compared at equal size: objects %s to %s."
              .formatted(count(comparison.sizes().from() + 1), count(comparison.sizes().to())),
          Paint.PLAIN);
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

  private static String runs(MeasuredProfile profile) {
    return profile.runs().size() == 1
        ? "run " + profile.runs().get(0).name()
        : count(profile.runs().size(), "run");
  }

  private void write(Contender contender) {
    page.heading(
        "%s against %s: %s"
            .formatted(
                contender.profile().letter(),
                contender.baseline().letter(),
                contender.profile().label()));
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
      String name =
          estimate.metric() == Metric.THROUGHPUT
              ? "objects/s"
              : "service time " + estimate.metric().jsonName();
      table.row(row(contender, name, estimate, run -> run.part().service().statistics()));
    }
    for (RatioEstimate estimate : contender.response()) {
      if (estimate.metric() != Metric.THROUGHPUT) {
        String name = "response time " + estimate.metric().jsonName();
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
    DoubleFunction<String> figure =
        value -> metric == Metric.THROUGHPUT ? Figures.rate(value) : duration(value);
    Function<MeasuredRun, Double> value = run -> statistics.apply(run).value(metric);
    return List.of(
        name,
        typical(contender.sides().baseline(), value, figure),
        typical(contender.sides().contender(), value, figure),
        three(estimate.ratio()),
        three(estimate.low()) + " to " + three(estimate.high()),
        Sentences.inWords(estimate.verdict()));
  }

  private static String typical(
      List<MeasuredRun> runs, Function<MeasuredRun, Double> value, DoubleFunction<String> figure) {
    OptionalDouble typical = Sides.typical(runs, value);
    return typical.isPresent() ? figure.apply(typical.getAsDouble()) : "-";
  }

  /** Three decimals, or as many digits as tell something of a large ratio. */
  private static String three(double ratio) {
    return String.format(Locale.ROOT, ratio < 100 ? "%.3f" : "%.0f", ratio);
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
    boolean withinRun = shown.stream().allMatch(stage -> stage.scope() == Scope.WITHIN_RUN);
    if (withinRun && contender.sides().scope() == Scope.BETWEEN_RUNS) {
      page.prose("  ", "+/- is within-run here: not every run has samples", Paint.FAINT);
    }
    if (beside) {
      page.prose("  ", "* beside the requests: no request waited in it", Paint.FAINT);
    }
  }

  private static String share(Double share) {
    return share == null ? "-" : Figures.share(share);
  }

  private void writeResources(Contender contender) {
    Map<String, Function<MeasuredRun, Double>> figures = new LinkedHashMap<>();
    Map<String, DoubleFunction<String>> units = new LinkedHashMap<>();
    addResources(contender, figures, units);
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
    boolean any = false;
    for (Map.Entry<String, Function<MeasuredRun, Double>> entry : figures.entrySet()) {
      OptionalDouble first = mean(contender.sides().baseline(), entry.getValue());
      OptionalDouble second = mean(contender.sides().contender(), entry.getValue());
      if (first.isEmpty() && second.isEmpty()) {
        continue;
      }
      any = true;
      DoubleFunction<String> unit = units.get(entry.getKey());
      table.row(
          List.of(
              entry.getKey(),
              first.isPresent() ? unit.apply(first.getAsDouble()) : "-",
              second.isPresent() ? unit.apply(second.getAsDouble()) : "-",
              first.isPresent() && second.isPresent() && first.getAsDouble() > 0
                  ? three(second.getAsDouble() / first.getAsDouble())
                  : "-"));
    }
    if (any) {
      table.print();
    } else {
      page.prose("  ", "Nothing is on record.", Paint.PLAIN);
    }
  }

  private static void addResources(
      Contender contender,
      Map<String, Function<MeasuredRun, Double>> figures,
      Map<String, DoubleFunction<String>> units) {
    DoubleFunction<String> bytes = value -> Figures.bytes(Math.round(value));
    Resource resource =
        (name, figure, unit) -> {
          figures.put(name, run -> figure.apply(run.resources()));
          units.put(name, unit);
        };
    resource.add(
        "processor time of Fedora, an object", ResourceUse::fedoraCpuNanos, Figures::duration);
    resource.add(
        "of the database server, an object", ResourceUse::databaseCpuNanos, Figures::duration);
    resource.add("of the driver, an object", ResourceUse::driverCpuNanos, Figures::duration);
    resource.add("the database's share of it", ResourceUse::databaseCpuShare, Figures::share);
    resource.add("processors busy", ResourceUse::processorsBusy, Figures::share);
    resource.add("processors busy, with all else", ResourceUse::machineBusy, Figures::share);
    resource.add("stopped by garbage collection", ResourceUse::gcShare, Figures::share);
    resource.add("written to disk, an object", ResourceUse::diskWrittenBytes, bytes);
    resource.add("largest memory", ResourceUse::memoryBytes, bytes);
    Set<String> waits = new LinkedHashSet<>();
    List<MeasuredRun> runs = new ArrayList<>(contender.sides().baseline());
    runs.addAll(contender.sides().contender());
    for (MeasuredRun run : runs) {
      run.resources().waits().stream()
          .filter(wait -> wait.share() >= LEAST_WAIT_SHARE)
          .forEach(wait -> waits.add(wait.stage()));
    }
    for (String wait : waits) {
      resource.add(
          "waiting in " + wait + ", an object", use -> waited(use, wait), Figures::duration);
    }
  }

  private interface Resource {
    void add(String name, Function<ResourceUse, Double> figure, DoubleFunction<String> unit);
  }

  private static Double waited(ResourceUse use, String stage) {
    return use.waits().stream()
        .filter(wait -> wait.stage().equals(stage))
        .map(ResourceUse.Wait::nanos)
        .findFirst()
        .orElse(null);
  }

  static OptionalDouble mean(List<MeasuredRun> runs, Function<MeasuredRun, Double> figure) {
    return runs.stream()
        .map(figure)
        .filter(value -> value != null)
        .mapToDouble(Double::doubleValue)
        .average();
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
                    : Figures.rate(part.service().statistics().throughputPerSecond()),
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
    if (run.steadiness().state() == Steadiness.State.DRIFTING) {
      SizeSlope slope = run.steadiness().slope();
      page.prose(
          "  ",
          "%s: from %s to %s as the repository grew from %s to %s objects"
              .formatted(
                  run.name(),
                  duration(slope.fromNanos()),
                  duration(slope.toNanos()),
                  count(slope.fromObjects()),
                  count(slope.toObjects())),
          Paint.PLAIN);
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
                  change.causes().isEmpty()
                      ? "no cause on record"
                      : String.join("; ", change.causes())),
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
      Map<LimitingResource.Kind, List<MeasuredRun>> told = new LinkedHashMap<>();
      for (MeasuredRun run : profile.runs()) {
        if (run.limit() != null) {
          told.computeIfAbsent(run.limit().kind(), kind -> new ArrayList<>()).add(run);
        }
      }
      told.forEach(
          (kind, runs) ->
              page.labelled(
                  "  " + profile.letter() + "  ",
                  Paint.BOLD,
                  "%s%s: %s"
                      .formatted(
                          kind.jsonName(),
                          told.size() == 1 && runs.size() == 1
                              ? ""
                              : " (%s of %s)"
                                  .formatted(
                                      count(runs.size()),
                                      Figures.count(profile.runs().size(), "run")),
                          runs.get(0).limit().reason()),
                  Paint.PLAIN));
      if (told.isEmpty()) {
        page.labelled("  " + profile.letter() + "  ", Paint.BOLD, "-", Paint.PLAIN);
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

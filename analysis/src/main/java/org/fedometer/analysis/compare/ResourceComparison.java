package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.fedometer.analysis.NumberFormats;

/**
 * Compares resources per object under two profiles: means over the compared runs. Omits lines
 * without values on both sides. Pure.
 */
public final class ResourceComparison {

  /** Shorter waits are in the JSON. */
  private static final double MIN_WAIT_SHARE = 0.005;

  private final Contender contender;
  private final List<Line> lines = new ArrayList<>();

  private ResourceComparison(Contender contender) {
    this.contender = contender;
  }

  /**
   * @param baseline null if not recorded
   * @param contender null if not recorded
   * @param unit formats a value
   */
  public record Line(String name, Double baseline, Double contender, DoubleFunction<String> unit) {

    /** Returns contender / baseline; null if one is unknown. */
    public Double ratio() {
      return baseline != null && contender != null && baseline > 0
          ? (Double) (contender / baseline)
          : null;
    }
  }

  /** Returns empty if nothing is recorded. */
  public static List<Line> of(Contender contender) {
    ResourceComparison comparison = new ResourceComparison(contender);
    comparison.addAll();
    return List.copyOf(comparison.lines);
  }

  private void addAll() {
    DoubleFunction<String> bytes = value -> NumberFormats.bytes(Math.round(value));
    add("Fedora's processor time per object", ResourceUse::fedoraCpuNanos, NumberFormats::duration);
    add(
        "database's processor time per object",
        ResourceUse::databaseCpuNanos,
        NumberFormats::duration);
    add("driver's processor time per object", ResourceUse::driverCpuNanos, NumberFormats::duration);
    add("database's share of processor time", ResourceUse::databaseCpuShare, NumberFormats::share);
    add("processors busy", ResourceUse::processorsBusy, NumberFormats::share);
    add("processors busy, whole machine", ResourceUse::machineBusy, NumberFormats::share);
    add("stopped by garbage collection", ResourceUse::gcShare, NumberFormats::share);
    add("written to disk per object", ResourceUse::diskWrittenBytes, bytes);
    add("largest memory", ResourceUse::memoryBytes, bytes);
    Set<String> waits = new LinkedHashSet<>();
    List<MeasuredRun> runs = new ArrayList<>(contender.sides().baseline());
    runs.addAll(contender.sides().contender());
    for (MeasuredRun run : runs) {
      run.resources().waits().stream()
          .filter(wait -> wait.share() >= MIN_WAIT_SHARE)
          .forEach(wait -> waits.add(wait.stage()));
    }
    for (String wait : waits) {
      addOfRuns(
          "waiting in " + wait + ", per object", run -> waited(run, wait), NumberFormats::duration);
    }
  }

  private void add(String name, Function<ResourceUse, Double> figure, DoubleFunction<String> unit) {
    addOfRuns(name, run -> figure.apply(run.resources()), unit);
  }

  private void addOfRuns(
      String name, Function<MeasuredRun, Double> figure, DoubleFunction<String> unit) {
    Double first = mean(contender.sides().baseline(), figure);
    Double second = mean(contender.sides().contender(), figure);
    if (first != null || second != null) {
      lines.add(new Line(name, first, second, unit));
    }
  }

  private static Double mean(List<MeasuredRun> runs, Function<MeasuredRun, Double> figure) {
    OptionalDouble mean =
        runs.stream()
            .map(figure)
            .filter(value -> value != null)
            .mapToDouble(Double::doubleValue)
            .average();
    return mean.isPresent() ? (Double) mean.getAsDouble() : null;
  }

  /** Returns null without samples; a run with samples but none of this stage did not wait. */
  private static Double waited(MeasuredRun run, String stage) {
    return run.stages().isEmpty()
        ? null
        : run.resources().waits().stream()
            .filter(wait -> wait.stage().equals(stage))
            .map(ResourceUse.Wait::nanos)
            .findFirst()
            .orElse(0.0);
  }
}

package org.fedometer.analysis;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.analysis.RunFacts.Extent;
import org.fedometer.store.RunView;
import org.fedometer.store.query.QueryException;

/**
 * Two runs side by side: in what they differ, and how fast each was. The {@code compare} command
 * makes one and hands it to {@link TextComparison} or {@link JsonComparison}. Whether a difference
 * in speed is more than chance it does not say. Immutable.
 *
 * @param first report of the first run
 * @param second report of the second run
 * @param difference in what they differ besides their figures
 * @param atStart what changes by itself, as it was when each run began, whether it differs or not
 * @param remarks what could not be compared, a sentence each
 */
public record RunComparison(
    RunReport first,
    RunReport second,
    EnvironmentDifference difference,
    List<AtStart> atStart,
    List<String> remarks) {

  public RunComparison {
    atStart = List.copyOf(atStart);
    remarks = List.copyOf(remarks);
  }

  /**
   * One thing that changes by itself, such as the load of the machine.
   *
   * @param name what it is
   * @param first in the first run, or null if it is not known
   * @param second in the second run, or null if it is not known
   */
  public record AtStart(String name, String first, String second) {}

  /**
   * @throws IOException one sentence: a document of a run cannot be read
   * @throws QueryException a sealed table cannot be read
   */
  public static RunComparison of(RunView first, RunView second) throws IOException, QueryException {
    RunReport firstReport = RunReport.of(first);
    RunReport secondReport = RunReport.of(second);
    RunFacts firstFacts = RunFacts.of(first, firstReport.run());
    RunFacts secondFacts = RunFacts.of(second, secondReport.run());
    // What only one of them knows is no difference between them.
    Extent extent = Collections.min(List.of(firstFacts.extent(), secondFacts.extent()));
    Map<String, RunFacts.Fact> firstAll = firstFacts.upTo(extent);
    Map<String, RunFacts.Fact> secondAll = secondFacts.upTo(extent);
    for (RunFacts facts : List.of(firstFacts, secondFacts)) {
      for (String path : facts.missingFiles()) {
        String key = RunFacts.Fact.key("configuration", path);
        firstAll.remove(key);
        secondAll.remove(key);
      }
    }
    List<String> remarks = new ArrayList<>();
    addRemarks(remarks, firstReport, firstFacts);
    addRemarks(remarks, secondReport, secondFacts);
    return new RunComparison(
        firstReport,
        secondReport,
        EnvironmentDifference.of(firstReport.run(), firstAll, secondReport.run(), secondAll),
        atStart(firstFacts.moment(), secondFacts.moment()),
        remarks);
  }

  private static List<AtStart> atStart(Map<String, String> first, Map<String, String> second) {
    Set<String> names = new LinkedHashSet<>(first.keySet());
    names.addAll(second.keySet());
    return names.stream()
        .map(name -> new AtStart(name, first.get(name), second.get(name)))
        .toList();
  }

  private static void addRemarks(List<String> remarks, RunReport report, RunFacts facts) {
    String name = report.run().name();
    if (facts.extent() == Extent.RUN_JSON) {
      remarks.add(
          "The run %s has no %s: of both runs' environments only what run.json says is compared."
              .formatted(name, RunFacts.ENVIRONMENT));
    } else if (facts.extent() == Extent.BEGINNING) {
      remarks.add(
          "The %s of the run %s ends before Fedora was up: of both runs only workload, host and Fedometer are compared."
              .formatted(RunFacts.ENVIRONMENT, name));
    }
    if (facts.ofALaterTool()) {
      remarks.add(
          "A later Fedometer has written the %s of the run %s: what it knows more is not compared."
              .formatted(RunFacts.ENVIRONMENT, name));
    }
    for (String path : facts.missingFiles()) {
      remarks.add("The run %s lacks its %s: it is not compared.".formatted(name, path));
    }
    if (!report.endedWell()) {
      remarks.add("The run " + name + " did not end well; see its report.");
    }
  }

  /**
   * One figure of both runs.
   *
   * @param name what it is
   * @param first of the first run, or null if it is not known
   * @param second of the second run, or null if it is not known
   */
  public record Figure(String name, Double first, Double second) {

    /** How many times the first the second is, or null where that cannot be told. */
    public Double ratio() {
      return first == null || second == null || first == 0 ? null : second / first;
    }
  }

  /** Objects a second, and service times in milliseconds. */
  public List<Figure> figures() {
    return List.of(
        figure("objectsPerSecond", RunComparison::wholeRate),
        figure("objectsPerSecondWithoutDrain", RunComparison::ingestRate),
        figure("meanMillis", report -> millis(report, RunReport.Latency::meanNanos)),
        figure("p50Millis", report -> millis(report, RunReport.Latency::p50Nanos)),
        figure("p95Millis", report -> millis(report, RunReport.Latency::p95Nanos)),
        figure("p99Millis", report -> millis(report, RunReport.Latency::p99Nanos)),
        figure("maxMillis", report -> millis(report, RunReport.Latency::maxNanos)));
  }

  private interface FigureOf {
    Double of(RunReport report);
  }

  private Figure figure(String name, FigureOf figure) {
    return new Figure(name, figure.of(first), figure.of(second));
  }

  private static Double wholeRate(RunReport report) {
    return report.speed() == null ? null : report.speed().whole().objectsPerSecond();
  }

  private static Double ingestRate(RunReport report) {
    return report.speed() == null ? null : report.speed().ingest().objectsPerSecond();
  }

  private interface LatencyFigure {
    double nanos(RunReport.Latency latency);
  }

  private static Double millis(RunReport report, LatencyFigure figure) {
    return report.speed() == null || report.speed().ingest().latency() == null
        ? null
        : figure.nanos(report.speed().ingest().latency()) / 1e6;
  }
}

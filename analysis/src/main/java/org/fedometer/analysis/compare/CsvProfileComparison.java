package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.RunStatistics;
import org.fedometer.wire.SafeLine;

/**
 * Writes a {@link ProfileComparison} as CSV by RFC 4180: a line per contender and metric. Labels
 * are foreign: an apostrophe precedes those that look like formulas, and control characters are
 * escaped.
 */
public final class CsvProfileComparison {

  private static final List<String> HEADINGS =
      List.of(
          "baseline",
          "contender",
          "times",
          "metric",
          "unit",
          "baseline_value",
          "contender_value",
          "ratio",
          "low",
          "high",
          "verdict",
          "scope",
          "confidence",
          "p_value",
          "adjusted_p_value",
          "baseline_runs",
          "contender_runs",
          "paired");

  private static final double NANOS_A_MILLI = 1e6;

  private CsvProfileComparison() {}

  /** Returns lines with CR LF, headings first. */
  public static String of(ProfileComparison comparison) {
    StringBuilder csv = new StringBuilder();
    append(csv, HEADINGS);
    for (Contender contender : comparison.contenders()) {
      if (contender.service().isEmpty()) {
        for (Metric metric : Metric.values()) {
          append(csv, unknownLine(contender, metric));
        }
      }
      for (RatioEstimate estimate : contender.service()) {
        append(csv, line(contender, "service", estimate, run -> run.part().service().statistics()));
      }
      for (RatioEstimate estimate : contender.response()) {
        if (estimate.metric() != Metric.THROUGHPUT) {
          append(
              csv,
              line(contender, "response", estimate, run -> run.part().response().statistics()));
        }
      }
    }
    return csv.toString();
  }

  private static List<String> unknownLine(Contender contender, Metric metric) {
    List<String> cells = new ArrayList<>(named(contender, "service", metric));
    while (cells.size() < HEADINGS.size()) {
      cells.add("");
    }
    return cells;
  }

  private static List<String> named(Contender contender, String times, Metric metric) {
    return List.of(
        text(contender.baseline().label()),
        text(contender.profile().label()),
        times,
        metric.jsonName(),
        metric == Metric.THROUGHPUT ? "1/s" : "ms");
  }

  private static List<String> line(
      Contender contender,
      String times,
      RatioEstimate estimate,
      Function<MeasuredRun, RunStatistics> statistics) {
    Metric metric = estimate.metric();
    boolean rate = metric == Metric.THROUGHPUT;
    Function<MeasuredRun, Double> value =
        run -> statistics.apply(run).value(metric) / (rate ? 1 : NANOS_A_MILLI);
    List<String> cells = new ArrayList<>(named(contender, times, metric));
    cells.add(number(Sides.typical(contender.sides().baseline(), value)));
    cells.add(number(Sides.typical(contender.sides().contender(), value)));
    cells.add(number(estimate.ratio()));
    cells.add(number(estimate.low()));
    cells.add(number(estimate.high()));
    cells.add(estimate.verdict().jsonName());
    cells.add(estimate.scope().jsonName());
    cells.add(number(estimate.confidence()));
    cells.add(number(estimate.pValue()));
    cells.add(number(estimate.adjustedPValue()));
    cells.add(Integer.toString(contender.sides().baseline().size()));
    cells.add(Integer.toString(contender.sides().contender().size()));
    cells.add(Boolean.toString(contender.sides().paired()));
    return cells;
  }

  private static void append(StringBuilder csv, List<String> cells) {
    csv.append(String.join(",", cells)).append("\r\n");
  }

  private static String number(OptionalDouble value) {
    return value.isEmpty() ? "" : number(value.getAsDouble());
  }

  private static String number(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "";
    }
    return String.format(Locale.ROOT, "%.7g", value);
  }

  /**
   * Returns a safe text. Spreadsheets evaluate these initial characters as formulas, even after
   * white space.
   */
  private static String text(String foreign) {
    String start = foreign.strip();
    boolean formula = !start.isEmpty() && "=+-@".indexOf(start.charAt(0)) >= 0;
    String safe = SafeLine.of(formula ? "'" + foreign : foreign);
    return safe.matches(".*[\",].*") ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
  }
}

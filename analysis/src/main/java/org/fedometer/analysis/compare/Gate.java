package org.fedometer.analysis.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.analysis.statistics.Metric;
import org.fedometer.analysis.statistics.RatioEstimate;
import org.fedometer.analysis.statistics.Verdict;

/**
 * A failure condition of a comparison, such as {@code throughput < 0.97} or {@code p99 worse}. It
 * refers to a ratio contender / baseline, an end of its interval, or its verdict. Immutable.
 *
 * @param text as the user typed it
 * @param ofResponse whether response times are meant instead of service times
 * @param side which of the three numbers; null with a verdict
 * @param operator comparison with {@code bound}; null with a verdict
 * @param bound a ratio; 0 with a verdict
 * @param verdict that fails; null with a number
 */
public record Gate(
    String text,
    Metric metric,
    boolean ofResponse,
    Side side,
    Operator operator,
    double bound,
    Verdict verdict) {

  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(response\\.)?(throughput|mean|p50|p95|p99)(\\.low|\\.high)?\\s*"
              + "(?:(<=|>=|<|>)\\s*([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)|"
              + "\\s(better|worse|same|inconclusive))\\s*");

  enum Side {
    RATIO,
    LOW,
    HIGH
  }

  enum Operator {
    LESS,
    LESS_OR_EQUAL,
    MORE,
    MORE_OR_EQUAL
  }

  /**
   * A gate's result for one contender.
   *
   * @param contender label of the profile
   * @param failed true also if it cannot be determined
   * @param found short description of the finding
   */
  public record Result(Gate gate, String contender, boolean failed, String found) {}

  public Gate {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(metric, "metric");
  }

  /**
   * @throws IllegalArgumentException if it is no condition, with a sentence for the user
   */
  public static Gate parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || (form.group(6) != null && form.group(3) != null)) {
      throw new IllegalArgumentException(
          ("'%s' is not a condition: write METRIC, then <, <=, > or >= and a ratio, or a verdict"
                  + " (better, worse, same, inconclusive), for example 'throughput < 0.97', 'p99.high"
                  + " > 1.1' or 'mean worse'; metrics are throughput, mean, p50, p95, p99, and"
                  + " response.mean to response.p99")
              .formatted(text));
    }
    Metric metric = Metric.valueOf(form.group(2).toUpperCase(Locale.ROOT));
    boolean response = form.group(1) != null;
    if (response && metric == Metric.THROUGHPUT) {
      throw new IllegalArgumentException(
          "'%s' is not a condition: throughput has no response times".formatted(text));
    }
    if (form.group(6) != null) {
      Verdict verdict = Verdict.valueOf(form.group(6).toUpperCase(Locale.ROOT));
      return new Gate(text.strip(), metric, response, null, null, 0, verdict);
    }
    Side side =
        form.group(3) == null ? Side.RATIO : form.group(3).equals(".low") ? Side.LOW : Side.HIGH;
    Operator operator =
        switch (form.group(4)) {
          case "<" -> Operator.LESS;
          case "<=" -> Operator.LESS_OR_EQUAL;
          case ">" -> Operator.MORE;
          default -> Operator.MORE_OR_EQUAL;
        };
    return new Gate(
        text.strip(), metric, response, side, operator, Double.parseDouble(form.group(5)), null);
  }

  public static List<Result> results(List<Gate> gates, ProfileComparison comparison) {
    List<Result> results = new ArrayList<>();
    for (Contender contender : comparison.contenders()) {
      for (Gate gate : gates) {
        results.add(gate.result(contender));
      }
    }
    for (String label : comparison.missing()) {
      for (Gate gate : gates) {
        results.add(new Result(gate, label, true, "has no finished run"));
      }
    }
    return results;
  }

  /** Returns the result; an undetermined gate must not pass. */
  private Result result(Contender contender) {
    String label = contender.profile().label();
    Optional<RatioEstimate> found =
        ofResponse ? contender.response(metric) : contender.service(metric);
    if (found.isEmpty()) {
      return new Result(this, label, true, "has no ratio");
    }
    RatioEstimate estimate = found.get();
    if (verdict != null) {
      return new Result(
          this, label, estimate.verdict() == verdict, "is " + estimate.verdict().jsonName());
    }
    if (Double.isNaN(estimate.ratio())) {
      return new Result(this, label, true, "has no ratio");
    }
    double value =
        switch (side) {
          case RATIO -> estimate.ratio();
          case LOW -> estimate.low();
          case HIGH -> estimate.high();
        };
    boolean failed =
        switch (operator) {
          case LESS -> value < bound;
          case LESS_OR_EQUAL -> value <= bound;
          case MORE -> value > bound;
          case MORE_OR_EQUAL -> value >= bound;
        };
    return new Result(this, label, failed, String.format(Locale.ROOT, "is %.4f", value));
  }
}

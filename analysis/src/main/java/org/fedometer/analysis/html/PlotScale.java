package org.fedometer.analysis.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * An axis of a chart rendered without a browser: positions are percentages, so that it fills the
 * page while its font size stays. Immutable.
 */
public final class PlotScale {

  /** Margin at both ends, so that marks there are fully visible. */
  private static final double MARGIN = 2;

  /** Percent between two ticks, so that their texts fit on a phone, too. */
  private static final double MIN_SPACE = 17;

  /** Distance from an end below which a tick's centered text would be clipped. */
  private static final double MIN_DISTANCE_FROM_END = 7;

  private static final double[] RATIOS = {
    1, 2, 0.5, 1.5, 5, 0.2, 1.2, 0.8, 10, 0.1, 3, 1.1, 0.9, 0.7, 20, 0.05, 50, 0.02, 100, 0.01
  };

  private static final double NARROW_RATIO = 1.6;
  private static final double[] STEPS = {1, 2, 5};

  private final double from;
  private final double to;
  private final boolean logarithmic;

  private PlotScale(double from, double to, boolean logarithmic) {
    this.from = from;
    this.to = to;
    this.logarithmic = logarithmic;
  }

  /** A number at its position, in percent of the width. */
  public record Tick(String place, String text) {}

  static PlotScale linear(double from, double to) {
    if (to > from) {
      return new PlotScale(from, to, false);
    }
    double half = from == 0 ? 1 : Math.abs(from) * 0.05;
    return new PlotScale(from - half, from + half, false);
  }

  /** Returns a logarithmic scale for ratios; both ends are above 0. */
  static PlotScale ratios(double from, double to) {
    return to > from
        ? new PlotScale(from, to, true)
        : new PlotScale(from * 0.95, from * 1.05, true);
  }

  boolean holds(double value) {
    return value >= from && value <= to;
  }

  /** Returns the position; values beyond an end are at that end. */
  double percent(double value) {
    double bounded = Math.max(from, Math.min(to, value));
    double part =
        logarithmic
            ? Math.log(bounded / from) / Math.log(to / from)
            : (bounded - from) / (to - from);
    return MARGIN + (100 - 2 * MARGIN) * part;
  }

  String place(double value) {
    return number(percent(value));
  }

  static String number(double percent) {
    return String.format(Locale.ROOT, "%.2f", percent);
  }

  List<Tick> ticks(DoubleFunction<String> text) {
    List<Double> chosen = new ArrayList<>();
    for (double candidate : candidates()) {
      if (holds(candidate)
          && fits(candidate)
          && chosen.stream()
              .allMatch(other -> Math.abs(percent(other) - percent(candidate)) >= MIN_SPACE)) {
        chosen.add(candidate);
      }
    }
    return chosen.stream()
        .sorted()
        .map(value -> new Tick(place(value), text.apply(value)))
        .toList();
  }

  /** Returns whether a text fits. The shortest, of the reference value, fits everywhere. */
  private boolean fits(double value) {
    double percent = percent(value);
    return value == (logarithmic ? 1 : 0)
        || (percent >= MIN_DISTANCE_FROM_END && percent <= 100 - MIN_DISTANCE_FROM_END);
  }

  private double[] candidates() {
    if (logarithmic && to / from >= NARROW_RATIO) {
      return RATIOS;
    }
    double step = step();
    List<Double> candidates = new ArrayList<>();
    // The reference line precedes its neighbors.
    candidates.add(logarithmic ? 1.0 : 0.0);
    for (long i = (long) Math.ceil(from / step); i * step <= to; i++) {
      candidates.add(i * step);
    }
    return candidates.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private double step() {
    double min = (to - from) / 6;
    double power = Math.pow(10, Math.floor(Math.log10(min)));
    for (double digit : STEPS) {
      if (digit * power >= min) {
        return digit * power;
      }
    }
    return 10 * power;
  }
}

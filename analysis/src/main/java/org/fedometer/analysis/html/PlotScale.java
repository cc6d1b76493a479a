package org.fedometer.analysis.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * An axis of a picture that is made without a browser: places are per cent of its width, so that it
 * is as wide as the page and its letters stay as large as they are. Immutable.
 */
public final class PlotScale {

  /** Room at both ends, so that what lies there is seen whole. */
  private static final double MARGIN = 2;

  /** Per cent between two ticks, so that their texts have room on a telephone, too. */
  private static final double MIN_SPACE = 17;

  /** A text in the middle of a tick closer to an end than this would be cut off. */
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

  /** A number at its place, per cent of the width. */
  public record Tick(String place, String text) {}

  static PlotScale linear(double from, double to) {
    if (to > from) {
      return new PlotScale(from, to, false);
    }
    double half = from == 0 ? 1 : Math.abs(from) * 0.05;
    return new PlotScale(from - half, from + half, false);
  }

  /** Of ratios, equal distances for equal factors; both ends above 0. */
  static PlotScale ratios(double from, double to) {
    return to > from
        ? new PlotScale(from, to, true)
        : new PlotScale(from * 0.95, from * 1.05, true);
  }

  boolean holds(double value) {
    return value >= from && value <= to;
  }

  /** What lies beyond an end is at that end. */
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

  /** The shortest text, of what all is held against, has room everywhere. */
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
    // The line that all is held against comes before its neighbours.
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

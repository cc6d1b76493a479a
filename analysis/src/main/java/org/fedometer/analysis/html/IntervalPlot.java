package org.fedometer.analysis.html;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import org.fedometer.analysis.statistics.Verdict;

/**
 * A chart of numbers with intervals in rows, and a line for no difference. Drawn by the template
 * {@code intervals.jte} next to a table with the same numbers. Immutable.
 *
 * @param name description for screen readers
 * @param line position of no difference
 * @param band irrelevant differences; null for none
 * @param height pixels
 */
public record IntervalPlot(
    String name, List<PlotScale.Tick> ticks, String line, Band band, List<Row> rows, int height) {

  private static final int ROW_HEIGHT = 38;
  private static final int TEXT = 14;
  private static final int MARK = 26;
  private static final int AXIS = 26;

  /** Limit of an interval's width relative to others, for a readable chart. */
  private static final double MAX_RATIO = 4;

  /** Start and width, in percent of the chart. */
  public record Band(String from, String width) {}

  /** Shapes that distinguish verdicts without colors. */
  public enum Shape {
    UP("M0 -7L7 6L-7 6Z", true),
    DOWN("M0 7L7 -6L-7 -6Z", true),
    SQUARE("M-5.5 -5.5H5.5V5.5H-5.5Z", true),
    RING("M0 -5.5A5.5 5.5 0 1 1 -0.01 -5.5Z", false);

    private final String path;
    private final boolean filled;

    Shape(String path, boolean filled) {
      this.path = path;
      this.filled = filled;
    }

    public String path() {
      return path;
    }

    public boolean filled() {
      return filled;
    }
  }

  /**
   * @param low position of the interval's lower end; null without an interval
   * @param high position of its upper end; null without an interval
   * @param openLow whether it continues beyond the chart
   * @param bar from the line to the number; null for none
   * @param colour a variable of the style sheet
   * @param top pixels
   */
  public record Row(
      String label,
      String valueText,
      String place,
      String low,
      String high,
      boolean openLow,
      boolean openHigh,
      Band bar,
      Shape shape,
      String colour,
      int top) {

    public int textY() {
      return top + TEXT;
    }

    public int markY() {
      return top + MARK;
    }
  }

  /** Returns the axis position, in pixels from the top. */
  public int axisY() {
    return height - AXIS;
  }

  /** Returns the position of tick texts, in pixels from the top. */
  public int tickY() {
    return height - 8;
  }

  static Shape shape(Verdict verdict) {
    return switch (verdict) {
      case BETTER -> Shape.UP;
      case WORSE -> Shape.DOWN;
      case SAME -> Shape.SQUARE;
      case INCONCLUSIVE -> Shape.RING;
    };
  }

  /**
   * A number to draw.
   *
   * @param low null without an interval
   * @param high null without an interval
   */
  record Mark(
      String label,
      String valueText,
      double value,
      Double low,
      Double high,
      Shape shape,
      String colour) {}

  /** Returns an axis of ratios that shows all marks and the band. */
  static PlotScale ratios(List<Mark> marks, double threshold) {
    double from = 1 - threshold;
    double to = 1 + threshold;
    double minValue = 1;
    double maxValue = 1;
    for (Mark mark : marks) {
      minValue = Math.min(minValue, mark.value());
      maxValue = Math.max(maxValue, mark.value());
      from = Math.min(from, mark.low() == null ? mark.value() : mark.low());
      to = Math.max(to, mark.high() == null ? mark.value() : mark.high());
    }
    double min = Math.max(from, minValue / MAX_RATIO);
    double max = Math.min(to, maxValue * MAX_RATIO);
    return PlotScale.ratios(
        Math.max(1e-6, Math.min(min, 0.98)) / 1.01, Math.min(1e6, Math.max(max, 1.02)) * 1.01);
  }

  /** Returns an axis that shows all marks and 0. */
  static PlotScale differences(List<Mark> marks) {
    double from = 0;
    double to = 0;
    double maxNanos = 0;
    for (Mark mark : marks) {
      maxNanos = Math.max(maxNanos, Math.abs(mark.value()));
      from = Math.min(from, mark.low() == null ? mark.value() : mark.low());
      to = Math.max(to, mark.high() == null ? mark.value() : mark.high());
    }
    double max = maxNanos > 0 ? MAX_RATIO * maxNanos : Double.MAX_VALUE;
    return PlotScale.linear(Math.max(from, -max), Math.min(to, max));
  }

  /**
   * @param line the number for no difference
   * @param threshold irrelevant relative difference from it; 0 for none
   * @param bars whether to draw bars from the line
   */
  static IntervalPlot of(
      String name,
      PlotScale scale,
      double line,
      double threshold,
      boolean bars,
      List<Mark> marks,
      DoubleFunction<String> tick) {
    List<Row> rows = new ArrayList<>();
    for (Mark mark : marks) {
      rows.add(
          new Row(
              mark.label(),
              mark.valueText(),
              scale.place(mark.value()),
              mark.low() == null ? null : scale.place(mark.low()),
              mark.high() == null ? null : scale.place(mark.high()),
              mark.low() != null && !scale.holds(mark.low()),
              mark.high() != null && !scale.holds(mark.high()),
              bars ? band(scale, Math.min(line, mark.value()), Math.max(line, mark.value())) : null,
              mark.shape(),
              mark.colour(),
              rows.size() * ROW_HEIGHT));
    }
    return new IntervalPlot(
        name,
        scale.ticks(tick),
        scale.place(line),
        threshold > 0 ? band(scale, line * (1 - threshold), line * (1 + threshold)) : null,
        rows,
        rows.size() * ROW_HEIGHT + AXIS + 6);
  }

  private static Band band(PlotScale scale, double from, double to) {
    double begin = scale.percent(from);
    return new Band(PlotScale.number(begin), PlotScale.number(scale.percent(to) - begin));
  }
}

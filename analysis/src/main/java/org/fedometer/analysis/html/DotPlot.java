package org.fedometer.analysis.html;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.fedometer.analysis.compare.MeasuredProfile;
import org.fedometer.analysis.compare.MeasuredRun;
import org.fedometer.analysis.compare.Sides;

/**
 * A chart of one metric of all runs: a row per profile, a dot per run, and lines between
 * consecutive runs of one block. Drawn by the template {@code dots.jte}; the table of runs has the
 * numbers. Immutable.
 *
 * @param height pixels
 */
public record DotPlot(
    String title, List<PlotScale.Tick> ticks, List<Row> rows, List<Line> lines, int height) {

  private static final double MIN_WIDTH = 0.1;
  private static final int ROW_HEIGHT = 40;
  private static final int TEXT = 13;
  private static final int DOT = 27;
  private static final int AXIS = 26;

  /**
   * A profile.
   *
   * @param typical position of the mean over its runs; null with fewer than two
   * @param colour a variable of the style sheet
   */
  public record Row(
      String label,
      String valueText,
      String typical,
      String colour,
      List<Dot> dots,
      int textY,
      int dotY) {}

  public record Dot(String place, String tooltip) {}

  public record Line(String x1, int y1, String x2, int y2) {}

  /** Returns the axis position, in pixels from the top. */
  public int axisY() {
    return height - AXIS;
  }

  /** Returns the position of tick texts, in pixels from the top. */
  public int tickY() {
    return height - 8;
  }

  /**
   * @param figure value of a run that has a measured part
   * @return null if no run has one
   */
  static DotPlot of(
      String title,
      List<MeasuredProfile> profiles,
      Function<MeasuredRun, Double> figure,
      DoubleFunction<String> unit) {
    List<Double> values = new ArrayList<>();
    for (MeasuredProfile profile : profiles) {
      profile.comparable().forEach(run -> values.add(figure.apply(run)));
    }
    values.removeIf(value -> !Double.isFinite(value));
    if (values.isEmpty()) {
      return null;
    }
    PlotScale scale = scale(values);
    List<Row> rows = new ArrayList<>();
    Map<String, Line> last = new LinkedHashMap<>();
    List<Line> lines = new ArrayList<>();
    for (MeasuredProfile profile : profiles) {
      int y = rows.size() * ROW_HEIGHT + DOT;
      List<Dot> dots = new ArrayList<>();
      for (MeasuredRun run : profile.comparable()) {
        if (!Double.isFinite(figure.apply(run))) {
          continue;
        }
        String place = scale.place(figure.apply(run));
        dots.add(new Dot(place, run.name() + ": " + unit.apply(figure.apply(run))));
        if (run.block() != null) {
          Line before = last.put(run.block(), new Line(place, y, place, y));
          if (before != null && before.y1() < y) {
            lines.add(new Line(before.x1(), before.y1(), place, y));
          }
        }
      }
      OptionalDouble typical = Sides.typical(profile.comparable(), figure);
      rows.add(
          new Row(
              profile.letter() + "  " + profile.label(),
              typical.isPresent() ? unit.apply(typical.getAsDouble()) : "–",
              typical.isPresent() && dots.size() > 1 ? scale.place(typical.getAsDouble()) : null,
              ComparisonPage.colour(profiles.indexOf(profile)),
              dots,
              rows.size() * ROW_HEIGHT + TEXT,
              y));
    }
    return new DotPlot(title, scale.ticks(unit), rows, lines, rows.size() * ROW_HEIGHT + AXIS + 6);
  }

  /**
   * Returns a scale whose ends differ by at least a tenth, so that small differences look small.
   */
  private static PlotScale scale(List<Double> values) {
    double min = Collections.min(values);
    double max = Collections.max(values);
    double more = Math.max(0, MIN_WIDTH * (min + max) / 2 - (max - min)) / 2;
    return PlotScale.linear(min - more, max + more);
  }
}

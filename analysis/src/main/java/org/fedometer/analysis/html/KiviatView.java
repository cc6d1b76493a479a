package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.count;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.study.ScaleStudy;
import org.fedometer.analysis.text.Shortened;

/**
 * A Kiviat plot of a scale study for {@code kiviat.jte}: an axis per operation with the size from
 * which its mean exceeds a limit, and a closed line per limit. Sizes have a logarithmic scale, from
 * half the smallest in the center to twice the largest at the rim. Limits never exceeded are at the
 * rim. Positions are in units of the view box.
 *
 * @param compact numbers instead of names at the axes, for narrow screens
 * @param rings the smallest first, the rim last
 * @param lines the highest limit first, so that lower ones are on top
 */
public record KiviatView(
    boolean compact,
    int width,
    int height,
    String middleX,
    String middleY,
    String description,
    List<Ring> rings,
    List<Axis> axes,
    List<Line> lines) {

  /** Fewer axes enclose no area. */
  static final int MIN_AXES = 3;

  /** Labels of more rings would overlap. */
  private static final int MAX_RINGS = 8;

  private static final int MAX_NAME_LENGTH = 28;

  /** Average width of a label's character. */
  private static final double CHARACTER = 7.6;

  /** Space for labels above and below. */
  private static final double MARGIN = 34;

  /** From the rim to the labels outside it. */
  private static final double GAP = 15;

  /**
   * @param points of a polygon
   * @param label null without space
   */
  public record Ring(String points, String label, String x, String y, boolean rim) {}

  /**
   * @param x of its end at the rim
   * @param failed whether timed requests failed
   */
  public record Axis(
      String x,
      String y,
      String labelX,
      String labelY,
      String anchor,
      String label,
      boolean failed) {}

  /**
   * @param style class, {@code limit1} for the lowest limit
   * @param points of a polygon
   */
  public record Line(String style, String points, List<Dot> dots) {}

  /**
   * @param radius larger for higher limits, so that overlapping dots are visible
   * @param never whether the limit was not exceeded at any size
   */
  public record Dot(String x, String y, String radius, boolean never, String tooltip) {}

  /** Returns null for a study with too few operations. */
  static KiviatView of(ScaleStudy study, boolean compact) {
    int count = study.operations().size();
    if (count < MIN_AXES) {
      return null;
    }
    double radius = compact ? 145 : 170;
    Plane origin = new Plane(0, 0, radius, count);
    double halfWidth = radius + MARGIN;
    for (int i = 0; i < count; i++) {
      double text = CHARACTER * label(study, i, compact).length();
      halfWidth = Math.max(halfWidth, Math.abs(origin.x(i, origin.outside())) + text);
    }
    double centreX = halfWidth;
    double centreY = radius + MARGIN;
    Plane plane = new Plane(centreX, centreY, radius, count);
    return new KiviatView(
        compact,
        (int) Math.ceil(2 * centreX),
        (int) Math.ceil(2 * centreY),
        place(centreX),
        place(centreY),
        "Sizes from which the mean of each operation exceeds 0.1, 1 and 10 s; the table has the same figures.",
        rings(study, plane),
        axes(study, plane, compact),
        lines(study, plane));
  }

  /**
   * Returns the position of a size between center, 0, and rim, 1.
   *
   * @param objects null for never
   */
  static double position(Long objects, long minObjects, long maxObjects) {
    if (objects == null) {
      return 1;
    }
    return (log2((double) objects / minObjects) + 1) / (log2((double) maxObjects / minObjects) + 2);
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private record Plane(double centreX, double centreY, double radius, int axes) {
    /** Returns an axis' angle; the first points up, the others follow clockwise. */
    double angle(double axis) {
      return 2 * Math.PI * axis / axes - Math.PI / 2;
    }

    /** Returns the position of labels. */
    double outside() {
      return 1 + GAP / radius;
    }

    double x(double axis, double position) {
      return centreX + radius * position * Math.cos(angle(axis));
    }

    double y(double axis, double position) {
      return centreY + radius * position * Math.sin(angle(axis));
    }

    String point(double axis, double position) {
      return place(x(axis, position)) + "," + place(y(axis, position));
    }

    String polygon(double position) {
      List<String> points = new ArrayList<>();
      for (int axis = 0; axis < axes; axis++) {
        points.add(point(axis, position));
      }
      return String.join(" ", points);
    }
  }

  private static List<Ring> rings(ScaleStudy study, Plane plane) {
    List<Ring> rings = new ArrayList<>();
    int step = (study.sizes().size() + MAX_RINGS - 1) / MAX_RINGS;
    // Halfway between two axes no dot hides a label; the polygon's side is closer to the center
    // there.
    double between = Math.cos(Math.PI / plane.axes());
    for (int i = (study.sizes().size() - 1) % step; i < study.sizes().size(); i += step) {
      long size = study.sizes().get(i);
      double position = position(size, study.minObjects(), study.maxObjects());
      rings.add(ring(plane, position, between, count(size), false));
    }
    rings.add(ring(plane, 1, between, "never", true));
    return rings;
  }

  private static Ring ring(
      Plane plane, double position, double between, String label, boolean rim) {
    // Content at the rim would hide its label.
    double at = rim ? between + GAP / plane.radius() : position * between;
    return new Ring(
        plane.polygon(position), label, place(plane.x(0.5, at)), place(plane.y(0.5, at) + 4), rim);
  }

  private static List<Axis> axes(ScaleStudy study, Plane plane, boolean compact) {
    List<Axis> axes = new ArrayList<>();
    for (int i = 0; i < plane.axes(); i++) {
      ScaleStudy.Operation operation = study.operations().get(i);
      double towards = Math.cos(plane.angle(i));
      double out = plane.outside();
      axes.add(
          new Axis(
              place(plane.x(i, 1)),
              place(plane.y(i, 1)),
              place(plane.x(i, out)),
              place(plane.y(i, out) + 4 + 4 * Math.sin(plane.angle(i))),
              Math.abs(towards) < 0.05 ? "middle" : towards > 0 ? "start" : "end",
              label(study, i, compact),
              operation.failed() > 0));
    }
    return axes;
  }

  private static String label(ScaleStudy study, int i, boolean compact) {
    String number = Integer.toString(i + 1);
    return compact
        ? number
        : number + " " + Shortened.marked(study.operations().get(i).name(), MAX_NAME_LENGTH);
  }

  private static List<Line> lines(ScaleStudy study, Plane plane) {
    List<Line> lines = new ArrayList<>();
    for (int limit = ScaleStudy.LIMITS_MILLIS.size() - 1; limit >= 0; limit--) {
      double millis = ScaleStudy.LIMITS_MILLIS.get(limit);
      List<String> points = new ArrayList<>();
      List<Dot> dots = new ArrayList<>();
      for (int i = 0; i < plane.axes(); i++) {
        ScaleStudy.Operation operation = study.operations().get(i);
        if (operation.isTimed()) {
          Long passes = operation.passes(millis);
          double position = position(passes, study.minObjects(), study.maxObjects());
          points.add(plane.point(i, position));
          dots.add(
              new Dot(
                  place(plane.x(i, position)),
                  place(plane.y(i, position)),
                  place(3 + 2.5 * limit),
                  passes == null,
                  description(operation.name(), millis, passes, study.maxObjects())));
        }
      }
      lines.add(new Line("limit" + (limit + 1), String.join(" ", points), dots));
    }
    return lines;
  }

  private static String description(String name, double millis, Long passes, long maxObjects) {
    String limit = StudyTables.seconds(millis);
    return passes == null
        ? "%s: not above %s up to %s".formatted(name, limit, count(maxObjects, "object"))
        : "%s: above %s from %s on".formatted(name, limit, count(passes, "object"));
  }

  private static String place(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}

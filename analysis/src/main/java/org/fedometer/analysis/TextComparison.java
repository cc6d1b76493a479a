package org.fedometer.analysis;

import static org.fedometer.analysis.Figures.count;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.analysis.EnvironmentDifference.Difference;
import org.fedometer.analysis.Page.Paint;
import org.fedometer.analysis.RunComparison.Figure;
import org.fedometer.analysis.TextTable.Column;

/** Writes a {@link RunComparison} for people: {@code compare} prints it. */
public final class TextComparison {

  /** Lines of a configuration file, say; the others are counted. */
  private static final int MOST_VALUES_SHOWN = 12;

  private static final Map<String, String> FIGURES =
      Map.of(
          "objectsPerSecond", "objects/s, with the drain",
          "objectsPerSecondWithoutDrain", "objects/s, without it",
          "meanMillis", "mean time of an ingest, ms",
          "p50Millis", "p50, ms",
          "p95Millis", "p95, ms",
          "p99Millis", "p99, ms",
          "maxMillis", "longest, ms");

  private final RunComparison comparison;
  private final Page page;

  private TextComparison(RunComparison comparison, Page page) {
    this.comparison = comparison;
    this.page = page;
  }

  /** The comparison as text, lines ending in a line feed. */
  public static String of(RunComparison comparison, TextStyle style) {
    Page page = new Page(style);
    new TextComparison(comparison, page).write();
    return page.toString();
  }

  private void write() {
    page.labelled("A  ", Paint.BOLD, nameOf(comparison.first()), Paint.BOLD);
    page.labelled("B  ", Paint.BOLD, nameOf(comparison.second()), Paint.BOLD);
    for (String remark : comparison.remarks()) {
      page.labelled("   ! ", Paint.WARNING, remark, Paint.WARNING);
    }
    EnvironmentDifference difference = comparison.difference();
    section("Profile", difference.profile(), "The profiles are the same.", Paint.PLAIN);
    section(
        "NOT OF THE PROFILE, and different all the same",
        difference.other(),
        "Nothing else differs.",
        Paint.WARNING);
    if (!difference.following().isEmpty()) {
      section(
          "Made of choices that differ: may follow from the profile",
          difference.following(),
          "",
          Paint.PLAIN);
    }
    writeAtStart();
    writeFigures();
  }

  private static String nameOf(RunReport report) {
    return report.run().name()
        + (report.run().profile() == null ? "" : ", profile " + report.run().profile().name());
  }

  private void section(String title, List<Difference> differences, String none, Paint paint) {
    if (differences.isEmpty()) {
      page.heading(title.startsWith("NOT") ? "Not of the profile" : title);
      page.prose("  ", none, Paint.PLAIN);
      return;
    }
    page.heading(title + " (" + count(differences.size()) + ")");
    for (Difference difference : differences) {
      String area = difference.area().equals("profile") ? "" : difference.area() + ": ";
      page.prose("  ", area + difference.name(), paint);
      values("    A  ", difference.first());
      values("    B  ", difference.second());
    }
  }

  private void values(String label, List<String> values) {
    if (values.isEmpty()) {
      page.labelled(label, Paint.FAINT, "-", Paint.FAINT);
      return;
    }
    String lead = label;
    for (String value : values.subList(0, Math.min(MOST_VALUES_SHOWN, values.size()))) {
      page.labelled(lead, Paint.FAINT, value.isEmpty() ? "(empty)" : value, Paint.PLAIN);
      lead = " ".repeat(label.length());
    }
    if (values.size() > MOST_VALUES_SHOWN) {
      page.prose(lead, "and " + count(values.size() - MOST_VALUES_SHOWN) + " more", Paint.FAINT);
    }
  }

  private void writeAtStart() {
    if (comparison.atStart().isEmpty()) {
      return;
    }
    page.heading("At the start of the run");
    for (RunComparison.AtStart value : comparison.atStart()) {
      page.prose("  ", value.name(), Paint.PLAIN);
      values("    A  ", value.first() == null ? List.of() : List.of(value.first()));
      values("    B  ", value.second() == null ? List.of() : List.of(value.second()));
    }
  }

  private void writeFigures() {
    page.heading("How fast");
    TextTable table =
        new TextTable(
            page,
            List.of(
                new Column("", true, TextTable.ALWAYS, Paint.PLAIN),
                Column.number("A", TextTable.ALWAYS),
                Column.number("B", TextTable.ALWAYS),
                Column.number("B/A", 1)));
    for (Figure figure : comparison.figures()) {
      table.row(
          List.of(
              FIGURES.get(figure.name()),
              number(figure.first()),
              number(figure.second()),
              figure.ratio() == null ? "-" : String.format(Locale.ROOT, "%.3f", figure.ratio())));
    }
    table.print();
    page.prose("  ", "One run of each says little: runs of one profile differ, too.", Paint.FAINT);
  }

  private static String number(Double value) {
    return value == null ? "-" : Figures.rate(value);
  }
}

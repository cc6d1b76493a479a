package org.fedometer.analysis.compare;

import static org.fedometer.analysis.NumberFormats.count;

import java.util.List;
import org.fedometer.analysis.compare.EnvironmentDifference.Difference;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;

/** Formats the differences of two profiles as text; part of {@link TextProfileComparison}. */
final class DifferenceText {

  /** Limit of printed lines, for example of a configuration file; others are counted. */
  private static final int MAX_SHOWN_VALUES = 12;

  private final Page page;
  private final String first;
  private final String second;

  /**
   * @param first short name of one profile, which marks its values
   * @param second short name of the other
   */
  DifferenceText(Page page, String first, String second) {
    this.page = page;
    this.first = "    " + first + "  ";
    this.second = "    " + second + "  ";
  }

  void write(RunDifference all) {
    for (ComparisonText.Part part : ComparisonText.differences(all)) {
      section(part);
    }
    List<RunDifference.AtStart> atStart = all.differingAtStart();
    if (!atStart.isEmpty()) {
      page.heading("At the start of the run");
      for (RunDifference.AtStart value : atStart) {
        page.prose("  ", value.name(), Paint.PLAIN);
        values(first, ComparisonTables.listOf(value.first()));
        values(second, ComparisonTables.listOf(value.second()));
      }
    }
  }

  private void section(ComparisonText.Part part) {
    List<Difference> differences = part.differences();
    if (differences.isEmpty()) {
      page.heading(part.title());
      page.prose("  ", part.none(), Paint.PLAIN);
      return;
    }
    Paint paint = part.spoils() ? Paint.WARNING : Paint.PLAIN;
    page.heading(part.title() + " (" + count(differences.size()) + ")");
    for (Difference difference : differences) {
      page.prose("  ", difference.named(), paint);
      values(first, difference.first());
      values(second, difference.second());
    }
  }

  private void values(String label, List<String> values) {
    if (values.isEmpty()) {
      page.labelled(label, Paint.FAINT, "-", Paint.FAINT);
      return;
    }
    String lead = label;
    for (String value : values.subList(0, Math.min(MAX_SHOWN_VALUES, values.size()))) {
      page.labelled(lead, Paint.FAINT, value.isEmpty() ? "(empty)" : value, Paint.PLAIN);
      lead = " ".repeat(label.length());
    }
    if (values.size() > MAX_SHOWN_VALUES) {
      page.prose(lead, "and " + count(values.size() - MAX_SHOWN_VALUES) + " more", Paint.FAINT);
    }
  }
}

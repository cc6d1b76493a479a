package org.fedometer.analysis.html;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of a page. Built by one thread, then only read by a template.
 *
 * <p>A cell is what people read, and where that is no plain number, the number that columns are
 * sorted by and that goes into the CSV.
 */
public final class HtmlTable {
  private final String name;
  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private boolean sortable;
  private boolean tall;

  /**
   * @param name of its CSV file, without the run's: letters and hyphens
   * @param caption what it shows, read out by screen readers
   */
  HtmlTable(String name, String caption) {
    this.name = name;
    this.caption = caption;
  }

  /**
   * A column of a table, numbers to the right.
   *
   * @param unit of the values in the CSV; null where they have none, or the title says it
   */
  public record Column(String title, boolean number, String unit) {}

  /**
   * @param value what it is sorted by and its CSV has; null where that is the text
   * @param bar 0 to 1 of a full bar before the text; null for none
   * @param style a class of the style sheet; null for none
   */
  public record Cell(String text, String value, Double bar, String style) {

    static Cell text(String text) {
      return new Cell(text == null ? "" : text, null, null, null);
    }

    static Cell number(String text, double value) {
      if (!Double.isFinite(value)) {
        return text(text);
      }
      return new Cell(text, plain(value), null, null);
    }

    static Cell bar(String text, double value, double part) {
      return new Cell(text, plain(value), Math.max(0, Math.min(1, part)), null);
    }

    Cell styled(String styleClass) {
      return new Cell(text, value, bar, styleClass);
    }

    private static String plain(double value) {
      return value == Math.rint(value) && Math.abs(value) < 1e15
          ? Long.toString((long) value)
          : Double.toString(value);
    }
  }

  /** Cells, or none and a title over those that follow. */
  public record Row(String section, List<Cell> cells) {}

  HtmlTable text(String... titles) {
    return add(false, null, titles);
  }

  HtmlTable number(String... titles) {
    return add(true, null, titles);
  }

  /** Numbers of milliseconds, as the CSV has them. */
  HtmlTable millis(String... titles) {
    return add(true, "ms", titles);
  }

  /** Numbers of seconds, as the CSV has them. */
  HtmlTable seconds(String... titles) {
    return add(true, "s", titles);
  }

  private HtmlTable add(boolean number, String unit, String... titles) {
    for (String title : titles) {
      columns.add(new Column(title, number, unit));
    }
    return this;
  }

  HtmlTable sortable() {
    sortable = true;
    return this;
  }

  /** It scrolls by itself where it is long. */
  HtmlTable tall() {
    tall = true;
    return this;
  }

  void section(String title) {
    rows.add(new Row(title, List.of()));
  }

  void row(Cell... cells) {
    row(List.of(cells));
  }

  void row(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "The table %s has %d columns, and a row of %d cells."
              .formatted(name, columns.size(), cells.size()));
    }
    rows.add(new Row(null, List.copyOf(cells)));
  }

  public String name() {
    return name;
  }

  public String caption() {
    return caption;
  }

  public List<Column> columns() {
    return columns;
  }

  public List<Row> rows() {
    return rows;
  }

  public boolean isSortable() {
    return sortable;
  }

  public boolean isTall() {
    return tall;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }
}

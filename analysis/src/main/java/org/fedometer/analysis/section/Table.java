package org.fedometer.analysis.section;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.fedometer.analysis.text.Page.Paint;

/**
 * A table of a report: each column is declared once, for pages and, with a weight, for terminals.
 * Built by one thread, then immutable.
 *
 * @param <R> type of a row's value
 */
public final class Table<R> implements Block {

  /** Weight of columns that are never dropped. */
  public static final int ALWAYS = Integer.MAX_VALUE;

  private static final int NEVER = 0;

  private final String name;
  private final String caption;
  private final List<Column<R>> columns = new ArrayList<>();
  private final List<Entry<R>> entries = new ArrayList<>();
  private boolean sortable;
  private boolean tall;

  /**
   * @param name of its CSV file, without the run's: letters and hyphens
   * @param caption description for screen readers
   */
  public Table(String name, String caption) {
    this.name = name;
    this.caption = caption;
  }

  /**
   * A column.
   *
   * @param title on a page; null for terminals only
   * @param number whether it is numeric and right-aligned
   * @param unit of CSV values; null if there is none, or the title contains it
   * @param heading on a terminal
   * @param weight a terminal drops columns of the least weight first; 0 for pages only
   * @param leftAligned on a terminal
   * @param paint on a terminal
   * @param cell of a row; null for its number
   */
  public record Column<R>(
      String title,
      boolean number,
      String unit,
      String heading,
      int weight,
      boolean leftAligned,
      Paint paint,
      Function<? super R, Cell> cell) {

    Column<R> headed(String other, Paint otherPaint) {
      return new Column<>(title, number, unit, other, weight, leftAligned, otherPaint, cell);
    }
  }

  /** Cells, or a title over the following rows. */
  public record Row(String section, List<Cell> cells) {}

  private record Entry<R>(String section, R value) {}

  public Table<R> cell(String title, int weight, Function<? super R, Cell> cell) {
    return add(new Column<>(title, false, null, title, weight, true, Paint.PLAIN, cell));
  }

  public Table<R> cell(String title, Function<? super R, Cell> cell) {
    return cell(title, NEVER, cell);
  }

  public Table<R> text(String title, int weight, Function<? super R, String> text) {
    return cell(title, weight, row -> Cell.text(text.apply(row)));
  }

  public Table<R> text(String title, Function<? super R, String> text) {
    return text(title, NEVER, text);
  }

  /** Adds text of any length. */
  public Table<R> prose(String title, Function<? super R, String> text) {
    return cell(title, row -> Cell.text(text.apply(row)).styled("text"));
  }

  public Table<R> number(String title, int weight, Function<? super R, Cell> cell) {
    return number(title, null, weight, cell);
  }

  public Table<R> number(String title, Function<? super R, Cell> cell) {
    return number(title, NEVER, cell);
  }

  private Table<R> number(String title, String unit, int weight, Function<? super R, Cell> cell) {
    return add(new Column<>(title, true, unit, title, weight, false, Paint.PLAIN, cell));
  }

  public Table<R> count(String title, int weight, ToLongFunction<? super R> count) {
    return number(title, weight, row -> Cell.count(count.applyAsLong(row)));
  }

  public Table<R> count(String title, ToLongFunction<? super R> count) {
    return count(title, NEVER, count);
  }

  /** Adds row numbers, from 1. */
  public Table<R> numbered(String title) {
    return number(title, null);
  }

  /** Adds durations in nanoseconds, in milliseconds in CSV; NaN for none. */
  public Table<R> duration(String title, int weight, ToDoubleFunction<? super R> nanos) {
    return millis(title, weight, row -> Cell.millis(nanos.applyAsDouble(row)));
  }

  public Table<R> duration(String title, ToDoubleFunction<? super R> nanos) {
    return duration(title, NEVER, nanos);
  }

  /** Adds numbers of milliseconds, also in CSV. */
  public Table<R> millis(String title, int weight, Function<? super R, Cell> cell) {
    return number(title, "ms", weight, cell);
  }

  public Table<R> millis(String title, Function<? super R, Cell> cell) {
    return millis(title, NEVER, cell);
  }

  /** Adds numbers of seconds, also in CSV. */
  public Table<R> seconds(String title, int weight, Function<? super R, Cell> cell) {
    return number(title, "s", weight, cell);
  }

  public Table<R> seconds(String title, Function<? super R, Cell> cell) {
    return seconds(title, NEVER, cell);
  }

  /** Adds cells with a bar, which a wide enough terminal shows after them. */
  public Table<R> bar(String title, Function<? super R, Cell> cell) {
    add(new Column<>(title, false, null, title, ALWAYS, false, Paint.PLAIN, cell));
    return add(new Column<>(null, false, null, "", 1, true, Paint.BAR, cell));
  }

  /** Adds a column for terminals only. */
  public Table<R> terminal(
      String heading, int weight, boolean number, Function<? super R, String> text) {
    return add(
        new Column<>(
            null,
            number,
            null,
            heading,
            weight,
            !number,
            Paint.PLAIN,
            row -> Cell.text(text.apply(row))));
  }

  private Table<R> add(Column<R> column) {
    columns.add(column);
    return this;
  }

  /** Sets the last column's title on a terminal. */
  public Table<R> headed(String heading) {
    return headed(heading, Paint.PLAIN);
  }

  /** Sets the last column's title and paint on a terminal. */
  public Table<R> headed(String heading, Paint paint) {
    int last = columns.size() - 1;
    columns.set(last, columns.get(last).headed(heading, paint));
    return this;
  }

  public Table<R> sortable() {
    sortable = true;
    return this;
  }

  /** Makes a long table scroll separately. */
  public Table<R> tall() {
    tall = true;
    return this;
  }

  public Table<R> section(String title) {
    entries.add(new Entry<>(title, null));
    return this;
  }

  public Table<R> row(R row) {
    entries.add(new Entry<>(null, row));
    return this;
  }

  public Table<R> rows(Collection<R> rows) {
    rows.forEach(this::row);
    return this;
  }

  public String name() {
    return name;
  }

  public String caption() {
    return caption;
  }

  /** Returns the columns of a page. */
  public List<Column<R>> columns() {
    return columns.stream().filter(column -> column.title() != null).toList();
  }

  List<Column<R>> terminalColumns() {
    return columns.stream().filter(column -> column.weight() != NEVER).toList();
  }

  /** Returns the rows of a page. */
  public List<Row> rows() {
    return rows(columns());
  }

  List<Row> terminalRows() {
    return rows(terminalColumns());
  }

  private List<Row> rows(List<Column<R>> shown) {
    List<Row> rows = new ArrayList<>();
    int number = 0;
    for (Entry<R> entry : entries) {
      List<Cell> cells = new ArrayList<>();
      if (entry.section() == null) {
        number++;
        for (Column<R> column : shown) {
          cells.add(
              column.cell() == null
                  ? Cell.number(Integer.toString(number), number)
                  : column.cell().apply(entry.value()));
        }
      }
      rows.add(new Row(entry.section(), cells));
    }
    return rows;
  }

  public boolean isSortable() {
    return sortable;
  }

  public boolean isTall() {
    return tall;
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }
}

package org.fedometer.cli.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.wire.SafeLine;

/**
 * A text table with declared columns, as wide as their content and two spaces apart. Truncates long
 * cells.
 */
public final class PlainTable<R> {
  private static final int MAX_CELL_COLUMNS = 60;
  private static final int GAP = 2;

  private final Collection<R> rows;
  private final int maxCellColumns;
  private final List<Column> columns = new ArrayList<>();

  /**
   * @param lines the heading, then a cell for each row
   */
  private record Column(boolean right, List<String> lines, int width) {}

  private PlainTable(Collection<R> rows, int maxCellColumns) {
    this.rows = rows;
    this.maxCellColumns = maxCellColumns;
  }

  public static <R> PlainTable<R> of(Collection<R> rows) {
    return new PlainTable<>(rows, MAX_CELL_COLUMNS);
  }

  /** Creates a table that truncates nothing. */
  public static <R> PlainTable<R> uncut(Collection<R> rows) {
    return new PlainTable<>(rows, Integer.MAX_VALUE);
  }

  /** Creates a table that truncates nothing, from rows with a cell per heading. */
  public static PlainTable<List<String>> uncut(List<List<String>> rows, String... headings) {
    PlainTable<List<String>> table = uncut(rows);
    for (int i = 0; i < headings.length; i++) {
      int column = i;
      table.left(headings[i], row -> row.get(column));
    }
    return table;
  }

  /** Adds a column of text, which may be foreign. */
  public PlainTable<R> left(String heading, Function<R, String> cell) {
    return column(heading, false, cell);
  }

  public PlainTable<R> right(String heading, Function<R, String> cell) {
    return column(heading, true, cell);
  }

  public PlainTable<R> column(String heading, boolean right, Function<R, String> cell) {
    List<String> lines = new ArrayList<>(List.of(SafeLine.of(heading)));
    rows.forEach(row -> lines.add(cell(cell.apply(row))));
    int width = lines.stream().mapToInt(String::length).max().orElse(0);
    columns.add(new Column(right, lines, width));
    return this;
  }

  /** Prints all columns, regardless of the terminal's width. */
  public void print(PrintStream out) {
    print(out, Integer.MAX_VALUE, List.of());
  }

  /**
   * Prints as many columns as fit; the first always stays.
   *
   * @param maxColumns width of the terminal
   * @param dropOrder headings of columns to drop, in order
   * @return dropped headings
   */
  public List<String> print(PrintStream out, int maxColumns, List<String> dropOrder) {
    List<Column> visible = new ArrayList<>(columns);
    List<String> hidden = new ArrayList<>();
    for (String heading : dropOrder) {
      if (visible.stream().mapToInt(column -> column.width() + GAP).sum() - GAP <= maxColumns) {
        break;
      }
      visible.removeIf(column -> column.lines().get(0).equals(heading));
      hidden.add(heading);
    }
    for (int i = 0; i <= rows.size(); i++) {
      StringBuilder line = new StringBuilder();
      for (Column column : visible) {
        String cell = column.lines().get(i);
        String padding = " ".repeat(column.width() - cell.length());
        line.append(column.right() ? padding + cell : cell + padding).append(" ".repeat(GAP));
      }
      out.println(line.toString().stripTrailing());
    }
    return hidden;
  }

  /**
   * Escapes and truncates a cell. A store's content is foreign and must not control the terminal.
   */
  private String cell(String text) {
    String plain = SafeLine.of(text);
    return plain.length() <= maxCellColumns
        ? plain
        : Shortened.beginning(plain, maxCellColumns - 3) + "...";
  }
}

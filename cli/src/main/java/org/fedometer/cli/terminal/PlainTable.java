package org.fedometer.cli.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.fedometer.analysis.text.Shortened;
import org.fedometer.wire.SafeLine;

/** Columns as wide as what is in them, two spaces apart; what is too long for its cell is cut. */
public final class PlainTable {
  private static final int MOST_CELL_COLUMNS = 60;
  private static final int GAP = 2;

  private final List<String> headings;
  private final List<Boolean> right;
  private final int mostCellColumns;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * @param right which columns are aligned to the right, as numbers are
   */
  public PlainTable(List<String> headings, List<Boolean> right) {
    this(headings, right, MOST_CELL_COLUMNS);
  }

  private PlainTable(List<String> headings, List<Boolean> right, int mostCellColumns) {
    this.headings = headings.stream().map(SafeLine::of).toList();
    this.right = right;
    this.mostCellColumns = mostCellColumns;
  }

  /** One that cuts nothing, aligned to the left. */
  public static PlainTable whole(String... headings) {
    return new PlainTable(
        List.of(headings), Collections.nCopies(headings.length, false), Integer.MAX_VALUE);
  }

  /**
   * @param cells one for each heading; they may be a stranger's text
   */
  public void row(List<String> cells) {
    rows.add(cells.stream().map(this::cell).toList());
  }

  /** Prints all columns, however wide the terminal is. */
  public void print(PrintStream out) {
    print(out, Integer.MAX_VALUE, List.of());
  }

  /**
   * Prints as many columns as fit; the first stays in any case.
   *
   * @param mostColumns width of the terminal
   * @param leastFirst headings in the order in which their columns are left out
   * @return headings that were left out
   */
  public List<String> print(PrintStream out, int mostColumns, List<String> leastFirst) {
    int[] widths = new int[headings.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = headings.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<Integer> shown = new ArrayList<>(IntStream.range(0, widths.length).boxed().toList());
    List<String> hidden = new ArrayList<>();
    for (String heading : leastFirst) {
      if (shown.stream().mapToInt(i -> widths[i] + GAP).sum() - GAP <= mostColumns) {
        break;
      }
      shown.remove(Integer.valueOf(headings.indexOf(heading)));
      hidden.add(heading);
    }
    print(out, headings, widths, shown);
    rows.forEach(row -> print(out, row, widths, shown));
    return hidden;
  }

  private void print(PrintStream out, List<String> cells, int[] widths, List<Integer> shown) {
    StringBuilder line = new StringBuilder();
    for (int i : shown) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(right.get(i) ? padding + cells.get(i) : cells.get(i) + padding)
          .append(" ".repeat(GAP));
    }
    out.println(line.toString().stripTrailing());
  }

  /** A store's content is a stranger's: it must not steer the terminal. */
  private String cell(String text) {
    String plain = SafeLine.of(text);
    return plain.length() <= mostCellColumns
        ? plain
        : Shortened.beginning(plain, mostCellColumns - 3) + "...";
  }
}

package org.fedometer.analysis.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.fedometer.analysis.text.Page.Paint;

/**
 * A table that fits its page: columns are as wide as their content; where they do not fit, the gaps
 * narrow, then the columns that matter least go. Filled and printed by one thread.
 */
public final class TextTable {

  /** Columns of this weight always stay. */
  public static final int ALWAYS = Integer.MAX_VALUE;

  private static final String INDENT = "  ";

  /**
   * @param leftAligned text is, numbers are not
   * @param weight columns of the least weight go first
   */
  public record Column(String heading, boolean leftAligned, int weight, Paint paint) {
    public static Column number(String heading, int weight) {
      return new Column(heading, false, weight, Paint.PLAIN);
    }
  }

  private final Page page;
  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(Page page, List<Column> columns) {
    this.page = page;
    this.columns = List.copyOf(columns);
  }

  /** Adds a row of as many cells as there are columns. */
  public void row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells for " + columns.size() + " columns: " + cells);
    }
    rows.add(cells.stream().map(page::clean).toList());
  }

  /** Adds a line across all columns. */
  public void section(String title) {
    rows.add(List.of(page.clean(title)));
  }

  /** Prints the table and returns the headings of the columns that did not fit. */
  public List<String> print() {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).heading().length();
      for (List<String> cells : rows) {
        if (cells.size() == columns.size()) {
          widths[i] = Math.max(widths[i], cells.get(i).length());
        }
      }
    }
    List<Integer> shown = new ArrayList<>(IntStream.range(0, widths.length).boxed().toList());
    shown.removeIf(i -> widths[i] == 0);
    List<Integer> filled = List.copyOf(shown);
    int gap = 2;
    while (width(widths, shown, gap) > page.columns()) {
      if (gap == 2) {
        gap = 1;
        continue;
      }
      int lightest =
          shown.stream().min(Comparator.comparingInt(i -> columns.get(i).weight())).orElseThrow();
      if (columns.get(lightest).weight() == ALWAYS) {
        narrowText(widths, shown);
        break;
      }
      shown.remove(Integer.valueOf(lightest));
      gap = 2;
    }
    List<String> headings = columns.stream().map(Column::heading).toList();
    printRow(headings, widths, shown, gap, true);
    for (List<String> cells : rows) {
      if (cells.size() == columns.size()) {
        printRow(cells, widths, shown, gap, false);
      } else {
        page.line(page.paint(Paint.FAINT, page.cut(INDENT + cells.get(0), page.columns())));
      }
    }
    return filled.stream()
        .filter(i -> !shown.contains(i))
        .map(i -> columns.get(i).heading())
        .filter(heading -> !heading.isEmpty())
        .toList();
  }

  /** The last resort: the first column's text is cut. */
  private void narrowText(int[] widths, List<Integer> shown) {
    int tooMuch = width(widths, shown, 1) - page.columns();
    widths[shown.get(0)] = Math.max(8, widths[shown.get(0)] - tooMuch);
  }

  private static int width(int[] widths, List<Integer> shown, int gap) {
    return INDENT.length()
        + shown.stream().mapToInt(i -> widths[i]).sum()
        + gap * (shown.size() - 1);
  }

  private void printRow(
      List<String> cells, int[] widths, List<Integer> shown, int gap, boolean heading) {
    StringBuilder line = new StringBuilder(INDENT);
    for (int i : shown) {
      if (line.length() > INDENT.length()) {
        line.append(" ".repeat(gap));
      }
      Column column = columns.get(i);
      String cell = page.cut(cells.get(i), widths[i]);
      String padding = padding(widths[i] - cell.length());
      String painted = page.paint(heading ? Paint.FAINT : column.paint(), cell);
      line.append(column.leftAligned() ? painted + padding : padding + painted);
    }
    page.line(line.toString());
  }

  private static String padding(int width) {
    char[] spaces = new char[width];
    Arrays.fill(spaces, ' ');
    return new String(spaces);
  }
}

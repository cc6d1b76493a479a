package org.fedometer.analysis.section;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.fedometer.analysis.section.Table.Column;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;

/**
 * Prints a {@link Table} that fits its page: columns are as wide as their content; otherwise gaps
 * narrow first, then the columns of least weight are dropped. For one thread.
 */
public final class TextTable {

  private static final String INDENT = "  ";
  private static final int BAR_WIDTH = 12;

  private final Page page;
  private final List<? extends Column<?>> columns;
  private final List<List<String>> rows = new ArrayList<>();

  private TextTable(Page page, Table<?> table) {
    this.page = page;
    this.columns = table.terminalColumns();
    for (Table.Row row : table.terminalRows()) {
      rows.add(
          row.section() != null
              ? List.of(page.clean(row.section()))
              : IntStream.range(0, columns.size())
                  .mapToObj(i -> text(columns.get(i), row.cells().get(i)))
                  .toList());
    }
  }

  private String text(Column<?> column, Cell cell) {
    if (column.paint() == Paint.BAR) {
      return cell.bar() == null ? "" : page.bar(cell.bar(), BAR_WIDTH);
    }
    return page.clean(cell.terminal());
  }

  /** Returns the headings of dropped columns. */
  public static List<String> print(Page page, Table<?> table) {
    return new TextTable(page, table).print();
  }

  private List<String> print() {
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
      if (columns.get(lightest).weight() == Table.ALWAYS) {
        narrowText(widths, shown);
        break;
      }
      shown.remove(Integer.valueOf(lightest));
      gap = 2;
    }
    List<String> headings = columns.stream().map(column -> column.heading()).toList();
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

  /** Truncates the first column's text, as a last resort. */
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
      Column<?> column = columns.get(i);
      String cell = page.cut(cells.get(i), widths[i]);
      String padding = " ".repeat(widths[i] - cell.length());
      String painted = page.paint(heading ? Paint.FAINT : column.paint(), cell);
      line.append(column.leftAligned() ? painted + padding : padding + painted);
    }
    page.line(line.toString());
  }
}

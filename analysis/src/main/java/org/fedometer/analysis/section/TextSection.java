package org.fedometer.analysis.section;

import java.util.List;
import org.fedometer.analysis.section.Block.Line;
import org.fedometer.analysis.section.Block.Paragraph;
import org.fedometer.analysis.section.Block.Place;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;

/** Prints a {@link Section} on a terminal's page. Stateless. */
public final class TextSection {

  private static final String INDENT = "  ";

  private TextSection() {}

  public static void print(Page page, Section section) {
    page.heading(section.heading());
    List<String> hidden = List.of();
    Block last = null;
    for (Block block : section.blocks()) {
      if (block instanceof Table<?> table && !table.terminalColumns().isEmpty()) {
        if (last instanceof Table<?>) {
          page.blank();
        }
        hidden = TextTable.print(page, table);
      } else if (block instanceof Paragraph paragraph && paragraph.paint() != null) {
        page.prose(INDENT, paragraph.text(), paragraph.paint());
      } else if (block instanceof Line line) {
        page.labelled(
            page.glyph(line.label(), line.ascii()),
            line.labelPaint(),
            page.cut(line.text(), line.maxCharacters()),
            Paint.PLAIN);
      } else if (block == Place.HIDDEN_COLUMNS && !hidden.isEmpty()) {
        page.prose(
            INDENT, "A wider terminal shows more: " + String.join(", ", hidden) + ".", Paint.FAINT);
      }
      last = block;
    }
  }
}

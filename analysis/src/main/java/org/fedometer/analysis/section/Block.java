package org.fedometer.analysis.section;

import org.fedometer.analysis.text.Page.Paint;

/** A part of a {@link Section}. Immutable, except tables. */
public sealed interface Block permits Block.Paragraph, Block.Line, Block.Place, Table {

  /**
   * Sentences.
   *
   * @param onPage whether a page shows them
   * @param style a class of the style sheet; null for none
   * @param paint on a terminal; null if not shown there
   */
  record Paragraph(String text, boolean onPage, String style, Paint paint) implements Block {}

  /**
   * A label and a text, on a terminal only.
   *
   * @param ascii the label for a terminal without Unicode
   * @param maxCharacters limit of the text
   */
  record Line(String label, String ascii, Paint labelPaint, String text, int maxCharacters)
      implements Block {}

  /** A placeholder for content that is no block. */
  enum Place implements Block {
    /** Charts of a page. */
    PICTURES,
    /** Names of the preceding table's columns that did not fit. */
    HIDDEN_COLUMNS
  }

  /** Returns faint sentences, on a page and on a terminal. */
  static Paragraph faint(String text) {
    return new Paragraph(text, true, "faint", Paint.FAINT);
  }

  static Paragraph onPage(String text, String style) {
    return new Paragraph(text, true, style, null);
  }

  static Paragraph inTerminal(String text, Paint paint) {
    return new Paragraph(text, false, null, paint);
  }
}

package org.fedometer.analysis.section;

import org.fedometer.analysis.text.Page.Paint;

/** A part of a {@link Section}. All are immutable but tables. */
public sealed interface Block permits Block.Paragraph, Block.Line, Block.Place, Table {

  /**
   * Sentences.
   *
   * @param onPage whether a page has them
   * @param style a class of the style sheet; null for none
   * @param paint on a terminal; null where it has none of them
   */
  record Paragraph(String text, boolean onPage, String style, Paint paint) implements Block {}

  /**
   * Text behind a label, on a terminal alone.
   *
   * @param ascii the label of a terminal without Unicode
   * @param maxCharacters characters of the text
   */
  record Line(String label, String ascii, Paint labelPaint, String text, int maxCharacters)
      implements Block {}

  /** A place for something that is no block. */
  enum Place implements Block {
    /** What a page draws. */
    PICTURES,
    /** The columns of the table before that are hidden for want of width. */
    HIDDEN_COLUMNS
  }

  /** Faint sentences, on a page and on a terminal. */
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

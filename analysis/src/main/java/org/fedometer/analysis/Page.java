package org.fedometer.analysis;

import java.util.ArrayList;
import java.util.List;

/**
 * The page that {@link TextReport} writes on: wraps prose, paints, and keeps foreign text harmless.
 * One page a report, one thread.
 */
final class Page {

  /** What colour a piece of text has, where colours are asked for. */
  enum Paint {
    PLAIN(""),
    BOLD("1"),
    FAINT("2"),
    GOOD("32"),
    BAD("1;31"),
    WARNING("33"),
    BAR("36");

    private final String code;

    Paint(String code) {
      this.code = code;
    }
  }

  private static final String EIGHTHS = "▏▎▍▌▋▊▉█";

  private final TextStyle style;
  private final StringBuilder text = new StringBuilder();

  Page(TextStyle style) {
    this.style = style;
  }

  int columns() {
    return Math.min(style.columns(), TextStyle.MOST_COLUMNS);
  }

  void blank() {
    text.append('\n');
  }

  void heading(String title) {
    blank();
    line(paint(Paint.BOLD, clean(title)));
  }

  /** A line that is painted and fits already. */
  void line(String painted) {
    text.append(painted.stripTrailing()).append('\n');
  }

  /**
   * Prose after a label, wrapped, with the following lines under the prose.
   *
   * @param label put before the first line
   * @param labelPaint colour of the label
   */
  void labelled(String label, Paint labelPaint, String prose, Paint prosePaint) {
    String indent = " ".repeat(label.length());
    String lead = paint(labelPaint, label);
    for (String line : wrap(clean(prose), columns() - label.length())) {
      line(lead + paint(prosePaint, line));
      lead = indent;
    }
  }

  void prose(String indent, String prose, Paint paint) {
    labelled(indent, Paint.PLAIN, prose, paint);
  }

  String paint(Paint paint, String plain) {
    return style.colour() && !paint.code.isEmpty() && !plain.isBlank()
        ? "\u001b[" + paint.code + "m" + plain + "\u001b[0m"
        : plain;
  }

  /** The one of two glyphs that the terminal can show. */
  String glyph(String unicode, String ascii) {
    return style.unicode() ? unicode : ascii;
  }

  /**
   * A horizontal bar.
   *
   * @param part 0 to 1 of the full width
   * @param width in characters
   */
  String bar(double part, int width) {
    if (!style.unicode()) {
      return "#".repeat((int) Math.round(part * width));
    }
    int eighths = (int) Math.round(part * width * 8);
    String full = "█".repeat(eighths / 8);
    return eighths % 8 == 0 ? full : full + EIGHTHS.charAt(eighths % 8 - 1);
  }

  /**
   * Text from outside made harmless for a terminal: no control or formatting characters, and no
   * character that the terminal cannot show.
   */
  String clean(String foreign) {
    StringBuilder cleaned = new StringBuilder(foreign.length());
    foreign
        .codePoints()
        .forEach(
            c -> {
              if (Character.isWhitespace(c)) {
                cleaned.append(' ');
              } else if (c == 'µ' && !style.unicode()) {
                cleaned.append('u');
              } else if (Character.isISOControl(c)
                  || Character.getType(c) == Character.FORMAT
                  || Character.getType(c) == Character.SURROGATE
                  || (c > 126 && !style.unicode())) {
                cleaned.append('?');
              } else {
                cleaned.appendCodePoint(c);
              }
            });
    return cleaned.toString();
  }

  /** At most so many characters, the cut marked. */
  String cut(String plain, int most) {
    if (plain.length() <= most) {
      return plain;
    }
    String mark = glyph("…", "...");
    return plain.substring(0, most - mark.length()) + mark;
  }

  /** Breaks at spaces; a word longer than a line is broken anywhere. */
  private static List<String> wrap(String prose, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : prose.strip().split(" +")) {
      String rest = word;
      if (line.length() > 0 && line.length() + 1 + rest.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (rest.length() > width) {
        lines.add(rest.substring(0, width));
        rest = rest.substring(width);
      }
      line.append(line.length() == 0 ? "" : " ").append(rest);
    }
    lines.add(line.toString());
    return lines;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

package org.fedometer.analysis.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fedometer.wire.SafeLine;

/**
 * What reports, comparisons and traces for a terminal are written on: wraps prose, paints, and
 * keeps foreign text harmless. One page for each, one thread.
 */
public final class Page {

  /** What colour a piece of text has, where colours are asked for. */
  public enum Paint {
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

  /** Prose in fewer columns than this is a column of single words. */
  private static final int MIN_PROSE_COLUMNS = 20;

  private static final String EIGHTHS = "▏▎▍▌▋▊▉█";

  private static final String TAB = "    ";

  private final TextStyle style;
  private final StringBuilder text = new StringBuilder();

  public Page(TextStyle style) {
    this.style = style;
  }

  public int columns() {
    return Math.min(style.columns(), TextStyle.MAX_COLUMNS);
  }

  public void blank() {
    text.append('\n');
  }

  /** A title below an empty line. */
  public void heading(String title) {
    blank();
    prose("", title, Paint.BOLD);
  }

  /**
   * What a page is about: a name of whatever length, and what is said of it, below the name where
   * there is no room beside it.
   */
  public void title(String name, String status, Paint statusPaint) {
    String label = clean(name) + "  ";
    int width = columns() - label.length();
    int longestWord =
        Arrays.stream(clean(status).split(" +")).mapToInt(String::length).max().orElse(0);
    if (width >= status.length() || (width >= columns() / 2 && width >= longestWord)) {
      labelled(label, Paint.BOLD, status, statusPaint);
    } else {
      prose("", name, Paint.BOLD);
      prose("  ", status, statusPaint);
    }
  }

  /** A line that is painted and fits already. */
  public void line(String painted) {
    text.append(painted.stripTrailing()).append('\n');
  }

  /** Prose after a label, wrapped, with the following lines under the prose. */
  public void labelled(String label, Paint labelPaint, String prose, Paint prosePaint) {
    String indent = " ".repeat(label.length());
    String lead = paint(labelPaint, label);
    for (String line : wrap(clean(prose), columns() - label.length())) {
      line(lead + paint(prosePaint, line));
      lead = indent;
    }
  }

  /** Prose, wrapped, with {@code indent} before each line. */
  public void prose(String indent, String prose, Paint paint) {
    labelled(indent, Paint.PLAIN, prose, paint);
  }

  /**
   * The text with the terminal's sequences around it, which have no width; as it is where no
   * colours are asked for. Foreign text has to be {@linkplain #clean clean} before.
   */
  public String paint(Paint paint, String plain) {
    return style.colour() && !paint.code.isEmpty() && !plain.isBlank()
        ? "\u001b[" + paint.code + "m" + plain + "\u001b[0m"
        : plain;
  }

  /** The one of two glyphs that the terminal can show. */
  public String glyph(String unicode, String ascii) {
    return style.unicode() ? unicode : ascii;
  }

  /**
   * A horizontal bar.
   *
   * @param part 0 to 1 of the full width
   * @param width in characters
   */
  public String bar(double part, int width) {
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
  public String clean(String foreign) {
    StringBuilder cleaned = new StringBuilder(foreign.length());
    foreign
        .codePoints()
        .forEach(
            c -> {
              if (Character.isWhitespace(c)) {
                cleaned.append(' ');
              } else if (c == 'µ' && !style.unicode()) {
                cleaned.append('u');
              } else if (!SafeLine.isHarmless(c) || (c > 126 && !style.unicode())) {
                cleaned.append('?');
              } else {
                cleaned.appendCodePoint(c);
              }
            });
    return cleaned.toString();
  }

  /** At most so many characters, the cut marked. */
  public String cut(String plain, int max) {
    if (plain.length() <= max) {
      return plain;
    }
    String mark = glyph("…", "...");
    return Shortened.beginning(plain, max - mark.length()) + mark;
  }

  /** Breaks at spaces; a word longer than a line is broken between any two characters. */
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
        String part = Shortened.beginning(rest, width);
        lines.add(part);
        rest = rest.substring(part.length());
      }
      line.append(line.length() == 0 ? "" : " ").append(rest);
    }
    lines.add(line.toString());
    return lines;
  }

  /**
   * Foreign lines as they are but for their length: what goes beyond the page is put below,
   * indented. Line feeds stay, and so do spaces within a line.
   *
   * @param lead before the first line, painted
   * @param leadWidth how wide that is without its paint
   */
  public void wrapped(String lead, int leadWidth, String foreign, String indent) {
    StringBuilder safe = new StringBuilder();
    SafeText.append(safe, foreign, "", style.unicode());
    String before = lead;
    int width = columns() - leadWidth;
    for (String each : safe.toString().replace("\t", TAB).split("\n", -1)) {
      String rest = each;
      while (rest.length() > Math.max(MIN_PROSE_COLUMNS, width)) {
        int cut = breakOf(rest, Math.max(MIN_PROSE_COLUMNS, width));
        line(before + rest.substring(0, cut));
        rest = rest.substring(cut).stripLeading();
        before = indent;
        width = columns() - indent.length();
      }
      line(before + rest);
      before = indent;
      width = columns() - indent.length();
    }
  }

  /** After the last space that fits, if it is not far from the end; never within a character. */
  private static int breakOf(String line, int width) {
    int space = line.lastIndexOf(' ', width);
    if (space >= width / 2 && !line.substring(0, space).isBlank()) {
      return space;
    }
    return Character.isLowSurrogate(line.charAt(width)) ? width - 1 : width;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

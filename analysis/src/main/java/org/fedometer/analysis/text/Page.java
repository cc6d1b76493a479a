package org.fedometer.analysis.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fedometer.wire.SafeLine;

/**
 * A terminal page for reports, comparisons and traces: wraps prose, adds colors, and escapes
 * foreign text. One page for each, one thread.
 */
public final class Page {

  /** Color of a text, if colors are enabled. */
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

  /** Minimum width of prose; less would be a column of single words. */
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

  /** Adds a title after an empty line. */
  public void heading(String title) {
    blank();
    prose("", title, Paint.BOLD);
  }

  /**
   * Adds the page's subject: a name of any length and its status, on the next line if it does not
   * fit.
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

  /** Adds a painted line that fits already. */
  public void line(String painted) {
    text.append(painted.stripTrailing()).append('\n');
  }

  /** Adds wrapped prose after a label; following lines are aligned with the prose. */
  public void labelled(String label, Paint labelPaint, String prose, Paint prosePaint) {
    String indent = " ".repeat(label.length());
    String lead = paint(labelPaint, label);
    for (String line : wrap(clean(prose), columns() - label.length())) {
      line(lead + paint(prosePaint, line));
      lead = indent;
    }
  }

  /** Adds wrapped prose with {@code indent} before each line. */
  public void prose(String indent, String prose, Paint paint) {
    labelled(indent, Paint.PLAIN, prose, paint);
  }

  /**
   * Returns the text in terminal control sequences, which have no width; unchanged without colors.
   * Foreign text must be {@linkplain #clean clean} before.
   */
  public String paint(Paint paint, String plain) {
    return style.colour() && !paint.code.isEmpty() && !plain.isBlank()
        ? "\u001b[" + paint.code + "m" + plain + "\u001b[0m"
        : plain;
  }

  /** Returns the glyph that the terminal can show. */
  public String glyph(String unicode, String ascii) {
    return style.unicode() ? unicode : ascii;
  }

  /**
   * Returns a horizontal bar.
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
   * Makes foreign text safe for a terminal: replaces control and formatting characters, and
   * characters that the terminal cannot show.
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

  /** Truncates to {@code max} characters, with a mark. */
  public String cut(String plain, int max) {
    if (plain.length() <= max) {
      return plain;
    }
    String mark = glyph("…", "...");
    return Shortened.beginning(plain, max - mark.length()) + mark;
  }

  /** Breaks at spaces; breaks a word longer than a line between any two characters. */
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
   * Adds foreign lines; parts beyond the page's width continue below, indented. Keeps line feeds,
   * and spaces within a line.
   *
   * @param lead before the first line, painted
   * @param leadWidth its width without paint
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

  /**
   * Returns the break after the last space that fits, unless far from the end; never within a
   * character.
   */
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

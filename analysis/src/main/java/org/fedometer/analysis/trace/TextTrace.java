package org.fedometer.analysis.trace;

import static org.fedometer.analysis.NumberFormats.bytes;
import static org.fedometer.analysis.NumberFormats.count;
import static org.fedometer.analysis.NumberFormats.duration;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.fedometer.analysis.logs.LogLevel;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.analysis.trace.ObjectTrace.Attempt;
import org.fedometer.analysis.trace.ObjectTrace.Clock;
import org.fedometer.analysis.trace.ObjectTrace.LogLine;
import org.fedometer.analysis.trace.ObjectTrace.Request;
import org.fedometer.analysis.trace.ObjectTrace.Span;

/**
 * Draws an {@link ObjectTrace} as a waterfall for a terminal: a line per stage, indented below its
 * parent, with a bar for its time.
 */
public final class TextTrace {

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS 'UTC'").withZone(ZoneOffset.UTC);

  private static final int MIN_BAR_WIDTH = 10;
  private static final int MAX_NAME_WIDTH = 44;
  private static final int NUMBER_WIDTH = 8;

  private final ObjectTrace trace;
  private final Page page;

  private TextTrace(ObjectTrace trace, Page page) {
    this.trace = trace;
    this.page = page;
  }

  /** Returns the waterfall as text with line feeds. */
  public static String of(ObjectTrace trace, TextStyle style) {
    Page page = new Page(style);
    new TextTrace(trace, page).write();
    return page.toString();
  }

  private void write() {
    page.title("Object " + trace.pid(), "in the run " + trace.run(), Paint.PLAIN);
    trace.attempts().forEach(this::write);
    if (!trace.notShown().isEmpty()) {
      page.blank();
      page.prose(
          "",
          "Not shown: "
              + trace.notShown().entrySet().stream()
                  .map(entry -> count(entry.getValue()) + " " + entry.getKey())
                  .collect(Collectors.joining(", "))
              + "; --all-attempts shows them.",
          Paint.FAINT);
    }
  }

  private void write(Attempt attempt) {
    page.blank();
    page.prose("", headline(attempt), Paint.BOLD);
    String clock = clock(attempt);
    if (!clock.isEmpty()) {
      page.prose("  ", clock, Paint.FAINT);
    }
    List<Line> lines = new ArrayList<>();
    if (attempt.request() != null) {
      lines.add(clientLine(attempt.request()));
    }
    attempt.stages().forEach(span -> addLines(span, attempt.request() == null ? 0 : 1, lines));
    if (attempt.beyondFedoraNanos() != null) {
      lines.add(beyondFedora(attempt));
    }
    if (!attempt.otherThreads().isEmpty()) {
      lines.add(Line.section("for the same request, on other threads"));
      attempt.otherThreads().forEach(span -> addLines(span, 1, lines));
    }
    if (!lines.isEmpty()) {
      draw(lines);
    }
    if (attempt.samplesLeftOut()) {
      page.prose(
          "  ",
          "Only the first " + count(TraceRecords.MAX_SAMPLES) + " samples are shown.",
          Paint.FAINT);
    }
    writeLater(attempt);
    writeLogs(attempt);
  }

  private static String headline(Attempt attempt) {
    Request request = attempt.request();
    String operation = operation(attempt).isBlank() ? "" : " (" + operation(attempt).strip() + ")";
    if (request == null) {
      return "Seen only by Fedora"
          + operation
          + ": no request of it is on record"
          + (attempt.trace().failed() ? "; it failed" : "");
    }
    return "Attempt "
        + request.number()
        + operation
        + ": "
        + (request.status() == 0 ? "no answer" : "HTTP status " + request.status())
        + " after "
        + duration(request.durationNanos())
        + (request.lateNanos() == 0 ? "" : ", sent " + duration(request.lateNanos()) + " late")
        + ", "
        + bytes(request.contentBytes())
        + " of content, worker "
        + request.worker()
        + (request.startEpochNanos() == null ? "" : ", " + timeOfDay(request.startEpochNanos()))
        + (request.message().isBlank() ? "" : ": " + request.message().strip());
  }

  /**
   * Returns Fedora's operation; for requests other than ingests the driver's, which is more
   * informative than an HTTP method.
   */
  private static String operation(Attempt attempt) {
    Request request = attempt.request();
    if (request != null && !request.isIngest()) {
      return request.operation();
    }
    return attempt.trace() == null ? "" : attempt.trace().operation();
  }

  private static String timeOfDay(long epochNanos) {
    return TIME_OF_DAY.format(Instant.ofEpochSecond(0, epochNanos));
  }

  private static String clock(Attempt attempt) {
    if (attempt.trace() == null) {
      return "No record of it from inside Fedora.";
    }
    if (attempt.stages().isEmpty()) {
      return "Fedora saw it, but no sample of it is on record.";
    }
    Clock clock = attempt.clock();
    return switch (clock.placement()) {
      case SAME_CLOCK, ALONE -> "";
      case CLOCK_EXCHANGE ->
          "Driver and Fedora ran on two hosts. Fedora's times are matched by clock exchanges; they"
              + " may be off by "
              + duration(clock.uncertaintyNanos())
              + " either way.";
      case CENTRED ->
          "The offset between the driver's clock and Fedora's is unknown: Fedora's part is drawn in"
              + " the middle of the request.";
    };
  }

  /**
   * A line of the chart. Bars are pairs of a start and an end.
   *
   * @param section whether it is a line across all columns
   */
  private record Line(
      String name,
      String start,
      String time,
      String self,
      long failed,
      boolean section,
      long[] bars) {
    static Line section(String title) {
      return new Line(title, "", "", "", 0, true, new long[0]);
    }
  }

  private static Line clientLine(Request request) {
    return new Line(
        "client request",
        duration(0),
        duration(request.durationNanos()),
        "",
        request.succeeded() ? 0 : 1,
        false,
        new long[] {0, request.durationNanos()});
  }

  private static void addLines(Span span, int depth, List<Line> lines) {
    lines.add(
        new Line(
            "  ".repeat(depth) + span.stage() + (span.calls() > 1 ? " x " + span.calls() : ""),
            duration(span.startNanos()),
            duration(span.durationNanos()),
            duration(span.selfNanos()),
            span.failed(),
            false,
            new long[] {span.startNanos(), span.endNanos()}));
    span.children().forEach(child -> addLines(child, depth + 1, lines));
  }

  /** Returns the time before and after Fedora's part, if its position is known. */
  private static Line beyondFedora(Attempt attempt) {
    Span first = attempt.stages().get(0);
    Span last = attempt.stages().get(attempt.stages().size() - 1);
    boolean placed = attempt.clock().placement() != ObjectTrace.Placement.CENTRED;
    long nanos = attempt.beyondFedoraNanos();
    if (nanos < 0) {
      return new Line(
          "  in Fedora after the answer", "", duration(-nanos), "", 0, false, new long[0]);
    }
    return new Line(
        "  beyond Fedora",
        "",
        duration(nanos),
        "",
        0,
        false,
        placed
            ? new long[] {0, first.startNanos(), last.endNanos(), attempt.request().durationNanos()}
            : new long[0]);
  }

  private void draw(List<Line> lines) {
    long from = 0;
    long to = 1;
    int nameWidth = "stage".length();
    for (Line line : lines) {
      for (long bound : line.bars()) {
        from = Math.min(from, bound);
        to = Math.max(to, bound);
      }
      if (!line.section()) {
        nameWidth = Math.max(nameWidth, line.name().length() + mark(line).length());
      }
    }
    int fixed = 2 + 3 * (1 + NUMBER_WIDTH) + 2;
    int maxNameWidth = Math.max(20, page.columns() - fixed - MIN_BAR_WIDTH);
    nameWidth = Math.min(nameWidth, Math.min(MAX_NAME_WIDTH, maxNameWidth));
    int barWidth = Math.max(0, page.columns() - fixed - nameWidth);
    page.line(
        page.paint(
            Paint.FAINT,
            "  "
                + padded("stage", nameWidth)
                + number("start")
                + number("time")
                + number("self")
                + "  "
                + axis(to - from, barWidth)));
    for (Line line : lines) {
      if (line.section()) {
        page.line(page.paint(Paint.FAINT, "  " + page.cut(line.name(), page.columns() - 2)));
        continue;
      }
      String mark = mark(line);
      String name = page.cut(page.clean(line.name()), nameWidth - mark.length());
      page.line(
          "  "
              + name
              + page.paint(Paint.BAD, mark)
              + " ".repeat(nameWidth - name.length() - mark.length())
              + number(line.start())
              + number(line.time())
              + number(line.self())
              + "  "
              + page.paint(
                  line.failed() > 0 ? Paint.BAD : Paint.BAR, bars(line, from, to, barWidth)));
    }
  }

  private String mark(Line line) {
    return line.failed() == 0
        ? ""
        : " " + page.glyph("✗", "!!") + (line.failed() > 1 ? " " + count(line.failed()) : "");
  }

  /** Returns the scale of the bars' full width. */
  private String axis(long nanos, int width) {
    String length = page.clean(duration(nanos));
    String line = page.glyph("─", "-");
    int dashes = width - length.length() - 4;
    return dashes < 2
        ? ""
        : page.glyph("├", "|")
            + line.repeat(dashes / 2)
            + " "
            + length
            + " "
            + line.repeat(dashes - dashes / 2)
            + page.glyph("┤", "|");
  }

  private String bars(Line line, long from, long to, int width) {
    StringBuilder drawn = new StringBuilder(" ".repeat(width));
    for (int i = 0; i < line.bars().length; i += 2) {
      double start = (double) (line.bars()[i] - from) / (to - from) * width;
      double end = (double) (line.bars()[i + 1] - from) / (to - from) * width;
      if (end >= start) {
        draw(drawn, start, end);
      }
    }
    return drawn.toString().stripTrailing();
  }

  /** Draws whole and partial blocks; too short a bar becomes a minimal mark. */
  private void draw(StringBuilder drawn, double start, double end) {
    int first = (int) Math.min(start, drawn.length() - 1);
    int last = (int) Math.min(Math.ceil(end) - 1, drawn.length() - 1);
    for (int cell = first; cell <= Math.max(first, last); cell++) {
      if (cell < 0) {
        continue;
      }
      double left = Math.max(start, cell) - cell;
      double right = Math.min(end, cell + 1) - cell;
      drawn.setCharAt(cell, block(left, right));
    }
  }

  private char block(double left, double right) {
    double part = right - left;
    if (page.glyph("u", "a").equals("a")) {
      return part >= 0.25 ? '#' : '|';
    }
    if (part >= 0.9) {
      return '█';
    }
    if (left <= 0) {
      return "▏▎▍▌▋▊▉".charAt((int) Math.max(0, Math.min(6, Math.round(part * 8) - 1)));
    }
    if (right >= 1) {
      return part >= 0.3 ? '▐' : '▕';
    }
    return part >= 0.5 ? '▌' : '▏';
  }

  private void writeLater(Attempt attempt) {
    if (attempt.later().isEmpty()) {
      return;
    }
    page.blank();
    page.prose(
        "  ",
        "Later, for this object and others together: the first flush of triples that began after"
            + " this object's were added.",
        Paint.FAINT);
    List<Line> lines = new ArrayList<>();
    attempt.later().forEach(span -> addLines(span, 1, lines));
    draw(
        lines.stream()
            .map(
                line ->
                    new Line(
                        line.name(),
                        line.start(),
                        line.time(),
                        line.self(),
                        line.failed(),
                        false,
                        shifted(line.bars(), attempt.later().get(0).startNanos())))
            .toList());
  }

  private static long[] shifted(long[] bars, long by) {
    long[] shifted = bars.clone();
    for (int i = 0; i < shifted.length; i++) {
      shifted[i] -= by;
    }
    return shifted;
  }

  private void writeLogs(Attempt attempt) {
    if (attempt.logs().isEmpty()) {
      return;
    }
    page.blank();
    page.prose("  ", "Log lines of Fedora meanwhile:", Paint.FAINT);
    for (LogLine line : attempt.logs()) {
      Paint paint = LogLevel.isWarningOrAbove(line.level()) ? Paint.WARNING : Paint.PLAIN;
      String time = "  " + number(duration(line.atNanos())) + "  ";
      String level = page.clean(line.level());
      page.wrapped(
          time + page.paint(paint, level) + " ",
          time.length() + level.length() + 1,
          page.clean(line.logger())
              + ": "
              + line.message()
              + (line.thrown().isBlank() ? "" : "\n" + line.thrown().strip()),
          "      ");
    }
    if (attempt.logsLeftOut()) {
      page.prose(
          "  ",
          "Only the first " + count(TraceRecords.MAX_LOG_LINES) + " lines are shown.",
          Paint.FAINT);
    }
  }

  private String number(String text) {
    String clean = page.clean(text);
    return " ".repeat(Math.max(1, NUMBER_WIDTH + 1 - clean.length())) + clean;
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}

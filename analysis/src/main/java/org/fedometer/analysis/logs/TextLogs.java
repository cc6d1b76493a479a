package org.fedometer.analysis.logs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.UnsealedData;
import org.fedometer.analysis.logs.RunLogs.Line;
import org.fedometer.analysis.text.Page;
import org.fedometer.analysis.text.Page.Paint;
import org.fedometer.analysis.text.SafeText;
import org.fedometer.analysis.text.TextStyle;
import org.fedometer.store.RunState;
import org.fedometer.store.RunView;
import org.fedometer.store.RunView.RunFile;
import org.fedometer.store.query.Query;
import org.fedometer.store.query.QueryException;

/** Prints a run's logs line by line for a terminal. One thread. */
public final class TextLogs {

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private static final String UNKNOWN_TIME = "(time unknown)         ";
  private static final String INDENT = "    ";

  private static final String AGENTS_LINES =
      "An agent sends Fedora's log lines from WARN. Set another level with attach --log-level;"
          + " with off it sends none.";

  private static final int CHUNK_CHARACTERS = 8192;

  private final TextStyle style;
  private final Appendable out;
  private final Appendable notes;

  private TextLogs(TextStyle style, Appendable out, Appendable notes) {
    this.style = style;
    this.out = out;
    this.notes = notes;
  }

  /**
   * Prints the lines that pass a filter.
   *
   * @param notes receives other output: that there are none, and the log files kept
   * @throws IllegalArgumentException if the filter is invalid; the message is one sentence
   */
  public static void write(
      RunView run, LogFilter filter, TextStyle style, Appendable out, Appendable notes)
      throws IOException, QueryException {
    new TextLogs(style, out, notes).write(run, filter);
  }

  /**
   * Prints one of the log files kept with the run.
   *
   * @param name its path below the run's folder, with or without {@code logs/}
   * @throws IllegalArgumentException if there is none; the message lists the existing ones
   */
  public static void writeFile(RunView run, String name, TextStyle style, Appendable out)
      throws IOException {
    RunFile file = RunLogs.file(run, name);
    try (Reader reader =
        new BufferedReader(new InputStreamReader(run.open(file.path()), StandardCharsets.UTF_8))) {
      char[] chunk = new char[CHUNK_CHARACTERS];
      StringBuilder safe = new StringBuilder();
      int kept = 0;
      int read = reader.read(chunk, 0, chunk.length);
      while (read >= 0) {
        int length = kept + read;
        // A surrogate pair or CR LF split by the chunk's end is processed with the next chunk.
        boolean cut = Character.isHighSurrogate(chunk[length - 1]) || chunk[length - 1] == '\r';
        int complete = cut ? length - 1 : length;
        SafeText.append(safe, new String(chunk, 0, complete), "", style.unicode());
        out.append(safe);
        safe.setLength(0);
        kept = length - complete;
        chunk[0] = chunk[length - 1];
        read = reader.read(chunk, kept, chunk.length - kept);
      }
      SafeText.append(safe, new String(chunk, 0, kept), "", style.unicode());
      out.append(safe);
    }
  }

  private void write(RunView run, LogFilter filter) throws IOException, QueryException {
    long lines;
    boolean any = true;
    boolean agent = false;
    String mayCome = "";
    try (Query query = run.query()) {
      lines = RunLogs.forEach(query, filter, this::print);
      if (lines == 0) {
        any = RunLogs.any(query);
        agent = RunLogs.anyAgent(query);
        mayCome = UnsealedData.message(query);
        if (mayCome.isEmpty() && grows(run)) {
          mayCome = "; those of the last minute may not be sealed yet: try again in a minute";
        }
      }
    }
    Page page = new Page(style);
    if (lines == 0) {
      page.prose(
          "",
          any
              ? "No log line of the run " + run.name() + " matches" + mayCome + "."
              : "The run " + run.name() + " has no log lines" + mayCome + ".",
          Paint.PLAIN);
    }
    if (!any && agent) {
      page.prose("", AGENTS_LINES, Paint.PLAIN);
    }
    List<RunFile> files = RunLogs.files(run);
    if (!files.isEmpty()) {
      page.heading("Log files kept with the run (--file NAME prints one)");
      for (RunFile file : files) {
        page.line("  " + page.clean(file.path()) + "  " + NumberFormats.bytes(file.sizeBytes()));
      }
    }
    notes.append(page.toString());
  }

  /** Returns whether sources may currently send to the run. */
  private static boolean grows(RunView run) throws IOException {
    if (!run.hasDocument()) {
      return true;
    }
    String state = run.document().state();
    return RunState.MONITORING.is(state) || RunState.RUNNING.is(state);
  }

  private void print(Line line) throws IOException {
    Page page = new Page(style);
    Paint paint = LogLevel.isWarningOrAbove(line.level()) ? Paint.WARNING : Paint.PLAIN;
    StringBuilder text = new StringBuilder();
    SafeText.append(text, line.message(), INDENT, style.unicode());
    if (!line.thrown().isBlank()) {
      text.append('\n').append(INDENT);
      SafeText.append(text, line.thrown().strip(), INDENT, style.unicode());
    }
    if (!line.context().isEmpty()) {
      text.append('\n').append(INDENT);
      SafeText.append(text, line.context(), INDENT, style.unicode());
    }
    String level = page.clean(line.level());
    page.line(
        page.paint(Paint.FAINT, time(line.epochNanos()))
            + " "
            + page.paint(paint, level)
            + " ".repeat(Math.max(1, 6 - level.length()))
            + page.clean(line.sourceName())
            + (line.logger().isEmpty() ? "" : " " + page.clean(line.logger()))
            + (line.thread().isEmpty() ? "" : " [" + page.clean(line.thread()) + "]")
            + page.paint(Paint.FAINT, request(line, page))
            + ": "
            + text);
    out.append(page.toString());
  }

  private static String request(Line line, Page page) {
    return line.trace() == 0
        ? ""
        : " (trace "
            + line.trace()
            + (line.pid().isEmpty() ? "" : ", " + page.clean(line.pid()))
            + ")";
  }

  private static String time(Long epochNanos) {
    return epochNanos == null
        ? UNKNOWN_TIME
        : TIME_OF_DAY.format(Instant.ofEpochSecond(0, epochNanos));
  }
}

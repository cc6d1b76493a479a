package org.fedometer.cli.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fedometer.attach.LiveStages;
import org.fedometer.cli.terminal.PlainTable;
import org.fedometer.cli.terminal.StandardStreams;
import org.fedometer.cli.terminal.Terminal;
import org.fedometer.wire.SafeLine;
import org.fedometer.wire.session.AgentReport;

/**
 * Where the figures of {@code top} go: a screen of their own that is drawn anew, blocks of lines,
 * or lines of JSON. One thread uses an instance; {@link #close} leaves the terminal as it was.
 */
final class TopOutput implements AutoCloseable {
  private static final String REQUEST = "http.request";
  private static final String ENTER_SCREEN = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE_SCREEN = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String ERASE_REST_OF_LINE = "\u001b[K";
  private static final String ERASE_BELOW = "\u001b[J";

  private enum Form {
    SCREEN,
    BLOCKS,
    JSON
  }

  private final long pid;
  private final Form form;
  private final Charset charset;
  private final PrintStream out;
  private AgentFacts facts = new AgentFacts(Map.of());
  private boolean begun;

  private TopOutput(long pid, Form form) {
    this.pid = pid;
    this.form = form;
    this.charset = form == Form.JSON ? StandardCharsets.UTF_8 : Terminal.outputCharset();
    this.out =
        new PrintStream(
            form == Form.JSON ? StandardStreams.data() : StandardStreams.painted(charset),
            false,
            charset);
  }

  static TopOutput of(long pid, boolean json) {
    return new TopOutput(
        pid, json ? Form.JSON : Terminal.drawsScreens() ? Form.SCREEN : Form.BLOCKS);
  }

  void facts(Map<String, String> newest) {
    facts = new AgentFacts(newest);
  }

  void show(LiveStages.Interval figures) {
    switch (form) {
      case JSON -> out.println(json(figures));
      case BLOCKS -> {
        out.print(block(figures, Terminal.columns()));
        out.println();
      }
      case SCREEN -> draw(block(figures, Terminal.columns()));
    }
    out.flush();
  }

  /** Whether nobody reads what is printed: the other end of a pipe has closed. */
  boolean isGone() {
    return out.checkError();
  }

  @Override
  public void close() {
    if (begun) {
      out.print(LEAVE_SCREEN);
      out.flush();
    }
  }

  private void draw(String block) {
    if (!begun) {
      out.print(ENTER_SCREEN);
      begun = true;
    }
    StringBuilder screen = new StringBuilder(HOME);
    List<String> lines = block.lines().limit(Terminal.lines() - 1L).toList();
    for (String line : lines) {
      screen.append(cut(line)).append(ERASE_REST_OF_LINE).append('\n');
    }
    out.print(screen.append(ERASE_BELOW));
  }

  private static String cut(String line) {
    return line.length() <= Terminal.columns() ? line : line.substring(0, Terminal.columns());
  }

  private String block(LiveStages.Interval figures, int columns) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream block = new PrintStream(bytes, false, charset);
    head(figures).stream()
        .filter(line -> !line.isEmpty())
        .forEach(line -> block.println(SafeLine.of(line)));
    block.println();
    if (figures.stages().isEmpty()) {
      block.println("no stage ran");
    } else {
      table(figures).print(block, columns, List.of("MEAN MS", "SHARE", "ERRORS/S"));
    }
    block.flush();
    return bytes.toString(charset);
  }

  private List<String> head(LiveStages.Interval figures) {
    return List.of(
        String.format(
            Locale.ROOT,
            "process %d  %s  began %s  %.1f requests/s  %.1f s",
            pid,
            facts.text(AgentReport.STATE),
            facts.began(),
            figures.callsPerSecond(REQUEST),
            figures.seconds()),
        "memory "
            + facts.memory()
            + "  queue "
            + facts.mebibytes(AgentReport.QUEUED_BYTES)
            + " MiB  threads "
            + facts.text(AgentReport.THREADS)
            + "  dropped "
            + facts.text(AgentReport.SAMPLES_DROPPED)
            + " samples, "
            + facts.text(AgentReport.FRAMES_DROPPED)
            + " frames",
        facts.collectorInWords(),
        facts.refusedInWords());
  }

  private static PlainTable<LiveStages.StageFigures> table(LiveStages.Interval figures) {
    return PlainTable.of(figures.stages())
        .left("STAGE", LiveStages.StageFigures::stage)
        .right("CALLS/S", stage -> number("%.1f", stage.callsPerSecond()))
        .right("OWN MS/S", stage -> number("%.1f", stage.ownMillisPerSecond()))
        .right("SHARE", stage -> number("%.1f %%", stage.ownShare() * 100))
        .right("MEAN MS", stage -> number("%.3f", stage.meanMillis()))
        .right("P50 MS", stage -> number("%.3f", stage.p50Millis()))
        .right("P99 MS", stage -> number("%.3f", stage.p99Millis()))
        .right(
            "ERRORS/S",
            stage -> stage.failedPerSecond() == 0 ? "" : number("%.1f", stage.failedPerSecond()));
  }

  private static String number(String format, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
  }

  private String json(LiveStages.Interval figures) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    fields.put("pid", pid);
    fields.put("seconds", figures.seconds());
    fields.put("requestsPerSecond", figures.callsPerSecond(REQUEST));
    fields.put("samplesCounted", figures.samplesCounted());
    fields.put("samplesSeen", figures.samplesSeen());
    fields.put("agent", facts.json());
    fields.put("stages", figures.stages().stream().map(TopOutput::fields).toList());
    try {
      return new ObjectMapper().writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> fields(LiveStages.StageFigures stage) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("stage", stage.stage());
    fields.put("callsPerSecond", stage.callsPerSecond());
    fields.put("errorsPerSecond", stage.failedPerSecond());
    fields.put("ownMillisPerSecond", orNull(stage.ownMillisPerSecond()));
    fields.put("ownShare", orNull(stage.ownShare()));
    fields.put("meanMillis", stage.meanMillis());
    fields.put("p50Millis", orNull(stage.p50Millis()));
    fields.put("p99Millis", orNull(stage.p99Millis()));
    return fields;
  }

  private static Double orNull(double value) {
    return Double.isNaN(value) ? null : value;
  }
}

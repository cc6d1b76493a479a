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
 * Output of {@code top}: a redrawn alternate screen, blocks of lines, or lines of JSON. One thread
 * uses an instance; {@link #close} restores the terminal.
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
  private boolean screenEntered;

  private TopOutput(long pid, Form form) {
    this.pid = pid;
    this.form = form;
    this.charset = form == Form.JSON ? StandardCharsets.UTF_8 : Terminal.outputCharset();
    this.out =
        new PrintStream(
            form == Form.JSON ? StandardStreams.data() : StandardStreams.styled(charset),
            false,
            charset);
  }

  static TopOutput of(long pid, boolean json) {
    return new TopOutput(
        pid, json ? Form.JSON : Terminal.supportsCursor() ? Form.SCREEN : Form.BLOCKS);
  }

  void facts(Map<String, String> newest) {
    facts = new AgentFacts(newest);
  }

  void show(LiveStages.Interval interval) {
    switch (form) {
      case JSON -> out.println(json(interval));
      case BLOCKS -> {
        out.print(block(interval, Terminal.columns()));
        out.println();
      }
      case SCREEN -> draw(block(interval, Terminal.columns()));
    }
    out.flush();
  }

  /** Returns whether the reader of the output pipe has closed it. */
  boolean isClosed() {
    return out.checkError();
  }

  @Override
  public void close() {
    if (screenEntered) {
      out.print(LEAVE_SCREEN);
      out.flush();
    }
  }

  private void draw(String block) {
    if (!screenEntered) {
      out.print(ENTER_SCREEN);
      screenEntered = true;
    }
    StringBuilder screen = new StringBuilder(HOME);
    List<String> lines = block.lines().limit(Terminal.lines() - 1L).toList();
    for (String line : lines) {
      screen.append(truncate(line)).append(ERASE_REST_OF_LINE).append('\n');
    }
    out.print(screen.append(ERASE_BELOW));
  }

  private static String truncate(String line) {
    return line.length() <= Terminal.columns() ? line : line.substring(0, Terminal.columns());
  }

  private String block(LiveStages.Interval interval, int columns) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream block = new PrintStream(bytes, false, charset);
    header(interval).stream()
        .filter(line -> !line.isEmpty())
        .forEach(line -> block.println(SafeLine.of(line)));
    block.println();
    if (interval.stages().isEmpty()) {
      block.println("no stage ran");
    } else {
      table(interval).print(block, columns, List.of("MEAN MS", "SHARE", "ERRORS/S"));
    }
    block.flush();
    return bytes.toString(charset);
  }

  private List<String> header(LiveStages.Interval interval) {
    return List.of(
        String.format(
            Locale.ROOT,
            "process %d  %s  began %s  %.1f requests/s  %.1f s",
            pid,
            facts.text(AgentReport.STATE),
            facts.startedAgo(),
            interval.callsPerSecond(REQUEST),
            interval.seconds()),
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
        facts.collectorText(),
        facts.refusedThreadsText());
  }

  private static PlainTable<LiveStages.StageStatistics> table(LiveStages.Interval interval) {
    return PlainTable.of(interval.stages())
        .left("STAGE", LiveStages.StageStatistics::stage)
        .right("CALLS/S", stage -> number("%.1f", stage.callsPerSecond()))
        .right("SELF MS/S", stage -> number("%.1f", stage.selfMillisPerSecond()))
        .right("SHARE", stage -> number("%.1f %%", stage.selfShare() * 100))
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

  private String json(LiveStages.Interval interval) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
    fields.put("pid", pid);
    fields.put("seconds", interval.seconds());
    fields.put("requestsPerSecond", interval.callsPerSecond(REQUEST));
    fields.put("samplesCounted", interval.samplesCounted());
    fields.put("samplesSeen", interval.samplesSeen());
    fields.put("agent", facts.json());
    fields.put("stages", interval.stages().stream().map(TopOutput::fields).toList());
    try {
      return new ObjectMapper().writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> fields(LiveStages.StageStatistics stage) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("stage", stage.stage());
    fields.put("callsPerSecond", stage.callsPerSecond());
    fields.put("errorsPerSecond", stage.failedPerSecond());
    fields.put("selfMillisPerSecond", orNull(stage.selfMillisPerSecond()));
    fields.put("selfShare", orNull(stage.selfShare()));
    fields.put("meanMillis", stage.meanMillis());
    fields.put("p50Millis", orNull(stage.p50Millis()));
    fields.put("p99Millis", orNull(stage.p99Millis()));
    return fields;
  }

  private static Double orNull(double value) {
    return Double.isNaN(value) ? null : value;
  }
}

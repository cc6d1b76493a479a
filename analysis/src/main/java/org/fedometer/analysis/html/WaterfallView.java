package org.fedometer.analysis.html;

import static org.fedometer.analysis.NumberFormats.duration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fedometer.analysis.NumberFormats;
import org.fedometer.analysis.timeline.RunTimeline;
import org.fedometer.analysis.timeline.RunTimeline.RowKind;
import org.fedometer.analysis.timeline.RunTimeline.SlowIngest;

/**
 * A slow ingest by stages.
 *
 * @param note a caveat; null for none
 */
public record WaterfallView(String title, String note, List<Row> rows) {

  /**
   * @param style class of its bar; null for a stage of the request
   */
  public record Row(
      int depth,
      String name,
      String start,
      String time,
      String self,
      String style,
      String leftPercent,
      String widthPercent) {}

  static WaterfallView of(SlowIngest ingest, int place) {
    double begin = 0;
    double end = ingest.millis();
    for (var row : ingest.rows()) {
      if (row.what() != RowKind.LATER) {
        begin = Math.min(begin, row.start());
        end = Math.max(end, row.end());
      }
    }
    double span = Math.max(end - begin, 1e-6);
    List<Row> rows = new ArrayList<>();
    for (var row : ingest.rows()) {
      double left = Math.max(0, Math.min(100, 100 * (row.start() - begin) / span));
      double width = Math.max(0, Math.min(100 - left, 100 * (row.end() - row.start()) / span));
      rows.add(
          new Row(
              row.depth(),
              name(row),
              duration(row.start() * 1e6),
              duration(row.millis() * 1e6),
              row.self() == null ? "" : duration(row.self() * 1e6),
              style(row),
              percent(left),
              percent(width)));
    }
    return new WaterfallView(
        "%s. %s: %s".formatted(place, ingest.pid(), duration(ingest.millis() * 1e6)),
        note(ingest),
        rows);
  }

  private static String name(RunTimeline.Row row) {
    String name =
        row.calls() > 1 ? row.name() + " × " + NumberFormats.count(row.calls()) : row.name();
    return switch (row.what()) {
      case CLIENT -> name;
      case STAGE -> row.failed() > 0 ? name + " (failed)" : name;
      case THREAD -> name + " (on another thread)";
      case LATER -> name + " (later, with other objects)";
    };
  }

  private static String style(RunTimeline.Row row) {
    if (row.failed() > 0) {
      return "bad";
    }
    return switch (row.what()) {
      case CLIENT -> "client";
      case STAGE -> null;
      case THREAD, LATER -> "other";
    };
  }

  private static String note(SlowIngest ingest) {
    List<String> notes = new ArrayList<>();
    // The first row has the driver's time.
    if (ingest.rows().size() + ingest.more() <= 1) {
      notes.add("No record of it from inside Fedora.");
    }
    switch (ingest.clock()) {
      case CENTRED ->
          notes.add(
              "The offset of the clocks is unknown: Fedora's part is in the middle of the request.");
      case CLOCK_EXCHANGE ->
          notes.add(
              ingest.uncertaintyMillis() == null
                  ? "Fedora's times are matched by clock exchanges."
                  : "Fedora's times are matched by clock exchanges, to within %s."
                      .formatted(duration(ingest.uncertaintyMillis() * 1e6)));
      case SAME_CLOCK, ALONE -> {}
    }
    if (ingest.more() > 0) {
      notes.add(NumberFormats.count(ingest.more(), "row") + " more are not shown.");
    }
    return notes.isEmpty() ? null : String.join(" ", notes);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}

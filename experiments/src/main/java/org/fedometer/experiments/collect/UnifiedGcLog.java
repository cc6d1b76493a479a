package org.fedometer.experiments.collect;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fedometer.experiments.collect.GcLog.Pause;
import org.fedometer.experiments.collect.GcLog.Reading;
import org.fedometer.wire.Counted;

/**
 * Parses a GC log since Java 9. For any collector, each pause ends with one line, {@code
 * [time]...[tags] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 23M->4M(64M) 2.345ms}. Not
 * thread-safe.
 */
final class UnifiedGcLog implements GcLog.Lines {

  /** Phases of ZGC's two generations have a letter before them. */
  private static final Pattern PAUSE =
      Pattern.compile(
          "\\[([^\\]]+)\\].*?\\] ?GC\\(\\d+\\) ((?:\\w: )?Pause .*?)"
              + "(?: (\\d+)M->(\\d+)M\\(\\d+M\\))? (\\d+)[.,](\\d{3})ms");

  private static final String BEGINNING = "GC(";

  private static final String MIDDLE = " Pause ";
  private static final String END = "ms";

  /** Logged once, at the JVM's start. */
  private static final Pattern COLLECTOR =
      Pattern.compile("\\[[^\\]]+\\].*\\[gc(?:,init)? *\\] ?Using (.+)");

  private static final Map<String, String> SHORTER =
      Map.of("The Z Garbage Collector", "ZGC", "Concurrent Mark Sweep", "CMS");

  /** Pauses whose last brackets are the cause; for others, they are at most the kind. */
  private static final Pattern WITH_CAUSE =
      Pattern.compile(
          "(Pause (?:Young|Full|Mixed|Initial Mark).*?) "
              + "\\(((?!Evacuation Failure)(?:[^()]|\\(\\))+)\\)( \\(Evacuation Failure.*)?");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT);

  private static final long NANOS_IN_MILLI = 1_000_000;
  private static final int BYTES_IN_MB_SHIFT = 20;

  private final List<Pause> pauses = new ArrayList<>();
  private long pauseLines;
  private String collector;

  /** True if the JVM's start is before the first pause. */
  private boolean begins;

  UnifiedGcLog(String collectorOrNull) {
    collector = collectorOrNull;
  }

  @Override
  public void accept(String line) {
    if (collector == null || pauseLines == 0) {
      Matcher matcher = COLLECTOR.matcher(line);
      if (matcher.matches()) {
        collector = SHORTER.getOrDefault(matcher.group(1), matcher.group(1));
        begins |= pauseLines == 0;
      }
    }
    // Selects few lines; excludes those of [safepoint], which repeat the same pauses.
    if (!line.endsWith(END) || !line.contains(MIDDLE) || !line.contains(BEGINNING)) {
      return;
    }
    pauseLines++;
    Matcher pause = PAUSE.matcher(line);
    if (pause.matches()) {
      try {
        add(pause);
      } catch (DateTimeException | NumberFormatException e) {
        // Counted above, so that it is reported missing.
      }
    }
  }

  private void add(Matcher pause) {
    long durationNanos =
        Long.parseLong(pause.group(5)) * NANOS_IN_MILLI + Long.parseLong(pause.group(6)) * 1000;
    // The line is written after the pause.
    long endMillis = OffsetDateTime.parse(pause.group(1), TIME).toInstant().toEpochMilli();
    Matcher title = WITH_CAUSE.matcher(pause.group(2));
    boolean cause = title.matches();
    String rest = cause && title.group(3) != null ? title.group(3) : "";
    pauses.add(
        new Pause(
            collector == null ? "unknown" : collector,
            cause ? title.group(1) + rest : pause.group(2),
            cause ? title.group(2) : "",
            endMillis * NANOS_IN_MILLI - durationNanos,
            durationNanos,
            bytes(pause.group(3)),
            bytes(pause.group(4))));
  }

  private static long bytes(String megabytes) {
    return megabytes == null ? 0 : Long.parseLong(megabytes) << BYTES_IN_MB_SHIFT;
  }

  @Override
  public Reading end() {
    List<String> notes =
        pauses.size() < pauseLines
            ? List.of(
                "The table gc has %d of %s of Fedora's log of garbage collections; the rest could not be read."
                    .formatted(pauses.size(), Counted.of(pauseLines, "pause")))
            : List.of();
    return new Reading(collector, !begins && pauseLines > 0, pauses, notes);
  }
}

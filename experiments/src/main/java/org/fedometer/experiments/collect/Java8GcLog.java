package org.fedometer.experiments.collect;

import com.microsoft.gctoolkit.event.GCEvent;
import com.microsoft.gctoolkit.event.MemoryPoolSummary;
import com.microsoft.gctoolkit.event.g1gc.G1GCPauseEvent;
import com.microsoft.gctoolkit.event.generational.GenerationalGCPauseEvent;
import com.microsoft.gctoolkit.event.jvm.JVMEvent;
import com.microsoft.gctoolkit.io.GCLogFile;
import com.microsoft.gctoolkit.jvm.Diarizer;
import com.microsoft.gctoolkit.jvm.Diary;
import com.microsoft.gctoolkit.message.ChannelName;
import com.microsoft.gctoolkit.message.DataSourceParser;
import com.microsoft.gctoolkit.message.JVMEventChannel;
import com.microsoft.gctoolkit.message.JVMEventChannelListener;
import com.microsoft.gctoolkit.parser.GenerationalHeapParser;
import com.microsoft.gctoolkit.parser.PreUnifiedG1GCParser;
import com.microsoft.gctoolkit.parser.jvm.PreUnifiedDiarizer;
import com.microsoft.gctoolkit.time.DateTimeStamp;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fedometer.experiments.collect.GcLog.Pause;
import org.fedometer.experiments.collect.GcLog.Reading;
import org.fedometer.wire.Counted;

/**
 * Parses a GC log up to Java 8, whose format depends on the collector. Calls GCToolKit's parsers
 * directly, line by line: its engine would add Vert.x and threads to a simple loop. Not
 * thread-safe.
 */
final class Java8GcLog implements GcLog.Lines {

  /** Beginning of a pause, not of a concurrent phase. */
  private static final Pattern PAUSE =
      Pattern.compile("\\[(?:Full GC|GC) ?(?:\\(|pause|remark|cleanup|\\[|\\d)");

  private static final long BYTES_IN_KB = 1024;

  /** It reports each unknown line. Referenced, since unreferenced loggers lose their level. */
  private static final Logger GCTOOLKIT = Logger.getLogger("com.microsoft.gctoolkit");

  static {
    GCTOOLKIT.setLevel(Level.OFF);
  }

  private final Events events = new Events();
  private final List<DataSourceParser> parsers;
  private long pauseLines;

  Java8GcLog(List<Path> parts) throws IOException {
    Diary diary = diary(parts.get(0));
    // By name: the jars offer them only to the module path.
    parsers =
        Stream.<DataSourceParser>of(new PreUnifiedG1GCParser(), new GenerationalHeapParser())
            .filter(parser -> parser.accepts(diary))
            .toList();
    for (DataSourceParser parser : parsers) {
      parser.diary(diary);
      parser.publishTo(events);
    }
  }

  /** Returns the log's collector. */
  private static Diary diary(Path part) throws IOException {
    Diarizer diarizer = new PreUnifiedDiarizer();
    try (BufferedReader lines = Files.newBufferedReader(part, StandardCharsets.ISO_8859_1)) {
      String line;
      for (int i = 0;
          i < Diarizer.MAXIMUM_LINES_TO_EXAMINE && (line = lines.readLine()) != null;
          i++) {
        if (diarizer.diarize(line)) {
          break;
        }
      }
    }
    return diarizer.getDiary();
  }

  @Override
  public void accept(String line) {
    if (PAUSE.matcher(line).find()) {
      pauseLines++;
    }
    parsers.forEach(parser -> parser.receive(line));
  }

  @Override
  public Reading end() {
    parsers.forEach(parser -> parser.receive(GCLogFile.END_OF_DATA_SENTINEL));
    // The parsers only log failures, and drop pauses that await the end of a mark.
    List<String> notes =
        events.pauses.size() < pauseLines
            ? List.of(
                "The table gc has %d of %s of Fedora's log of garbage collections; the rest could not be read."
                    .formatted(events.pauses.size(), Counted.of(pauseLines, "pause")))
            : List.of();
    return new Reading(null, false, events.pauses, notes);
  }

  private static final class Events implements JVMEventChannel {
    private final List<Pause> pauses = new ArrayList<>();

    @Override
    public void publish(ChannelName channel, JVMEvent event) {
      if (event instanceof G1GCPauseEvent pause) {
        add("G1", pause, pause.getHeap());
      } else if (event instanceof GenerationalGCPauseEvent pause) {
        add("generational", pause, pause.getHeap());
      }
    }

    private void add(String collector, GCEvent event, MemoryPoolSummary heap) {
      DateTimeStamp start = event.getDateTimeStamp();
      if (!start.hasDateStamp()) {
        return;
      }
      pauses.add(
          new Pause(
              collector,
              event.getGarbageCollectionType().getLabel(),
              event.getGCCause().getLabel(),
              Math.round(start.toEpochInMillis()) * 1_000_000,
              Math.round(event.getDuration() * 1e9),
              heap == null ? 0 : Math.max(0, heap.getOccupancyBeforeCollection() * BYTES_IN_KB),
              heap == null ? 0 : Math.max(0, heap.getOccupancyAfterCollection() * BYTES_IN_KB)));
    }

    @Override
    public void registerListener(JVMEventChannelListener listener) {
      throw new UnsupportedOperationException("it keeps what it is told");
    }

    @Override
    public void close() {
      // Nothing to close.
    }
  }
}

package org.fedometer.collector.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Dictionary;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.Hello;

/** What the journal knows of one source of one run. Belongs to the journal's thread. */
final class Source {
  /** Beyond so many, names are not carried into further segments; their numbers stay. */
  private static final int MAX_CARRIED_NAMES = 100_000;

  private static final int NAMES_PER_FRAME = 1_000;

  final int index;
  final RunJournal run;
  final Hello hello;
  final long firstSeenEpochMillis;
  final ArrayDeque<Frame> held = new ArrayDeque<>();
  private final Map<Integer, String> stages = new HashMap<>();
  private final Map<Integer, String> threads = new HashMap<>();

  /** Newest frame handed to the segment, perhaps not yet on disk. */
  long lastAppended;

  /** Newest frame on disk. */
  long lastDurable;

  long framesMissing;

  /** Below this the source may leave gaps: it has let go of those frames. */
  long firstAvailable = 1;

  /** Said that nothing more comes. */
  boolean finished;

  /** Null while not connected. */
  SourceConnection connection;

  /** A CLOSE_RUN frame that waits for the seal, or null. */
  Frame closing;

  /** Segments that must be sealed first; null before they are known. */
  Set<String> closingAwaits;

  Source(RunJournal run, SegmentSource known) {
    this.run = run;
    this.index = known.index();
    this.hello = known.hello();
    this.firstSeenEpochMillis = known.firstSeenEpochMillis();
    this.lastAppended = known.lastSequence();
    this.lastDurable = known.lastSequence();
    this.framesMissing = known.framesMissing();
  }

  SegmentSource describe() {
    return new SegmentSource(index, hello, lastAppended, framesMissing, firstSeenEpochMillis);
  }

  void learn(FrameType type, Dictionary dictionary) {
    Map<Integer, String> names = type == FrameType.STAGES ? stages : threads;
    dictionary
        .entries()
        .forEach(
            (id, name) -> {
              if (names.size() < MAX_CARRIED_NAMES || names.containsKey(id)) {
                names.put(id, name);
              }
            });
  }

  /** The dictionaries that the next segment needs to stand on its own. */
  List<SegmentWriter.Carried> carried() {
    List<SegmentWriter.Carried> frames = new ArrayList<>();
    carry(FrameType.STAGES, stages, frames);
    carry(FrameType.THREADS, threads, frames);
    return frames;
  }

  private void carry(
      FrameType type, Map<Integer, String> names, List<SegmentWriter.Carried> frames) {
    Dictionary dictionary = new Dictionary();
    int count = 0;
    for (Map.Entry<Integer, String> name : names.entrySet()) {
      dictionary.put(name.getKey(), name.getValue());
      count++;
      if (count % NAMES_PER_FRAME == 0 || count == names.size()) {
        Frame frame = new Frame(type.code(), 0, dictionary.encode());
        frames.add(new SegmentWriter.Carried(index, frame));
        dictionary = new Dictionary();
      }
    }
  }

  String describeForLog() {
    String name = hello.sourceName().isEmpty() ? "" : " " + hello.sourceName();
    return hello.sourceKind() + name + " (" + hello.source() + ")";
  }
}

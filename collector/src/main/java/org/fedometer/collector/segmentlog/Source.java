package org.fedometer.collector.segmentlog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fedometer.collector.log.FailureTracker;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentWriter;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Acknowledgement;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State of one source of one run. For the segment log's thread. */
final class Source {
  private static final Logger LOG = LoggerFactory.getLogger(Source.class);

  /** Limit of names copied to further segments; their numbers stay. */
  static final int MAX_CARRIED_NAMES = 100_000;

  /**
   * Limit of all its names: twice that of an event source, so that all of its numbers are kept.
   * Each new segment gets a copy.
   */
  static final int MAX_CARRIED_CHARS = 8 * 1024 * 1024;

  /** Separates a metric's name and unit. */
  private static final String UNIT = "\0";

  private static final int NAMES_PER_FRAME = 1_000;

  final int index;
  final RunSegmentLog run;
  final Hello hello;
  final long firstSeenEpochMillis;
  private final SegmentSource known;

  /** True if it sends events, so that gaps between sequences are meaningless. */
  final boolean hasSequenceGaps;

  private final Map<FrameType, Map<Integer, String>> dictionaries = new EnumMap<>(FrameType.class);

  private int carriedChars;

  /**
   * Frames after a damaged part, as first and last of each range. The source may still have those
   * in between, which are not counted as missing yet.
   */
  private final TreeMap<Long, Long> beyondDamage = new TreeMap<>();

  /** Newest frame appended to the segment, perhaps not durable yet; those before it are there. */
  long lastAppended;

  long lastDurable;

  long framesMissing;

  /** During recovery: number of frames already counted that may be missing before the next one. */
  long missingAnnounced;

  /** The source has dropped frames below this, so they may be missing. */
  long firstAvailable = 1;

  /** True if the source announced its end and has sent no sample since. */
  boolean finished;

  /**
   * True if it has sent anything since the run was opened, or its unsealed segments have data of
   * it.
   */
  boolean hasSentFrames;

  /** Why its newest failed document was not stored; empty if none failed. */
  String notStored = "";

  /** Null while not connected. */
  SourceConnection connection;

  /** True if it is outside any run and belongs to each day's monitoring run. */
  boolean monitored;

  /** Failures to move to the next day's run. */
  final FailureTracker rolloverFailures = new FailureTracker();

  /** Failures of frames that describe the source; it may send nothing else. */
  private final FailureTracker decodeFailures = new FailureTracker();

  Source(RunSegmentLog run, SegmentSource known) {
    this.run = run;
    this.known = known;
    this.index = known.index();
    this.hello = known.hello();
    this.hasSequenceGaps =
        EventConnection.LOG4J2.equals(hello.attributes().get(EventConnection.TRANSPORT));
    this.firstSeenEpochMillis = known.firstSeenEpochMillis();
    this.lastAppended = known.lastSequence();
    this.lastDurable = known.lastSequence();
    this.framesMissing = known.framesMissing();
  }

  /** Returns the current state, for the segment. */
  SegmentSource describe() {
    return new SegmentSource(index, hello, lastAppended, framesMissing, firstSeenEpochMillis);
  }

  /** Returns the state when the run was opened; always the same object. */
  SegmentSource known() {
    return known;
  }

  // ---- known frames ----

  boolean has(long sequence) {
    if (sequence <= lastAppended) {
      return true;
    }
    Map.Entry<Long, Long> row = beyondDamage.floorEntry(sequence);
    return row != null && sequence <= row.getValue();
  }

  boolean hasFramesBeyondDamage() {
    return !beyondDamage.isEmpty();
  }

  long newestBeyondDamage() {
    return beyondDamage.lastEntry().getValue();
  }

  /** Returns the number of frames missing before this one; 0 if sequences have gaps. */
  long missingBefore(long sequence) {
    if (hasSequenceGaps) {
      return 0;
    }
    long missing = sequence - lastAppended - 1;
    for (Map.Entry<Long, Long> row : beyondDamage.headMap(sequence).entrySet()) {
      missing -= Math.min(row.getValue(), sequence - 1) - row.getKey() + 1;
    }
    return missing;
  }

  /** Records that all frames up to this one are here or counted as missing. */
  void advanceTo(long sequence) {
    lastAppended = Math.max(lastAppended, sequence);
    while (!beyondDamage.isEmpty() && beyondDamage.firstKey() <= lastAppended + 1) {
      lastAppended = Math.max(lastAppended, beyondDamage.pollFirstEntry().getValue());
    }
  }

  /** Records a frame that is here although some before it are not. */
  void addBeyondDamage(long sequence) {
    Map.Entry<Long, Long> before = beyondDamage.floorEntry(sequence - 1);
    if (before != null && before.getValue() == sequence - 1) {
      beyondDamage.put(before.getKey(), sequence);
    } else {
      beyondDamage.put(sequence, sequence);
    }
  }

  // ---- names ----

  /** Reads a frame's information about its source: names of numbers, or the end. */
  void learn(Frame frame) {
    FrameType type = frame.type();
    hasSentFrames |= frame.sequence() > 0;
    try {
      ByteBuffer payload = ByteBuffer.wrap(frame.payload());
      if (type == FrameType.STAGES || type == FrameType.THREADS) {
        learn(type, Dictionary.decode(payload));
      } else if (type == FrameType.METRICS) {
        learn(MetricDictionary.decode(payload));
      } else if (type == FrameType.TOTALS) {
        finished = Totals.decode(payload).last();
      } else if (type == FrameType.SAMPLES) {
        finished = false;
      }
    } catch (MalformedFrameException e) {
      if (decodeFailures.recordFailure(e.getMessage(), System.nanoTime())) {
        LOG.warn("A {} frame of {} cannot be read: {}", type, describeForLog(), e.getMessage());
      }
    }
  }

  private void learn(FrameType type, Dictionary dictionary) {
    dictionary.entries().forEach((id, name) -> keep(type, id, name));
  }

  private void learn(MetricDictionary metrics) {
    metrics
        .entries()
        .forEach((id, metric) -> keep(FrameType.METRICS, id, metric.name() + UNIT + metric.unit()));
  }

  void learnAllOf(Source other) {
    other.dictionaries.forEach((type, names) -> names.forEach((id, name) -> keep(type, id, name)));
  }

  private void keep(FrameType type, int id, String name) {
    Map<Integer, String> names = dictionaries.computeIfAbsent(type, any -> new HashMap<>());
    // The old name is invalid even if the new one does not fit.
    String before = names.remove(id);
    carriedChars -= before == null ? 0 : before.length();
    if (names.size() < MAX_CARRIED_NAMES && carriedChars + name.length() <= MAX_CARRIED_CHARS) {
      names.put(id, name);
      carriedChars += name.length();
    }
  }

  /** Returns the dictionaries that the next segment needs to be self-contained. */
  List<SegmentWriter.Carried> carried() {
    List<SegmentWriter.Carried> frames = new ArrayList<>();
    dictionaries.forEach(
        (type, names) -> {
          if (type == FrameType.METRICS) {
            carryMetrics(names, frames);
          } else {
            carry(type, names, frames);
          }
        });
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

  private void carryMetrics(Map<Integer, String> texts, List<SegmentWriter.Carried> frames) {
    MetricDictionary dictionary = new MetricDictionary();
    int count = 0;
    for (Map.Entry<Integer, String> text : texts.entrySet()) {
      String[] metric = text.getValue().split(UNIT, 2);
      dictionary.put(text.getKey(), metric[0], metric[1]);
      count++;
      if (count % NAMES_PER_FRAME == 0 || count == texts.size()) {
        Frame frame = new Frame(FrameType.METRICS.code(), 0, dictionary.encode());
        frames.add(new SegmentWriter.Carried(index, frame));
        dictionary = new MetricDictionary();
      }
    }
  }

  /** Acknowledges all durable frames, if connected. */
  void acknowledge() {
    if (connection != null) {
      connection.acknowledge(new Acknowledgement(lastDurable, notice()));
    }
  }

  /** Returns its notice; empty if there is none. */
  String notice() {
    String ofRun = run.notice();
    return ofRun.isEmpty() ? notStored : ofRun;
  }

  String describeForLog() {
    String name = hello.sourceName().isEmpty() ? "" : " " + hello.sourceName();
    return hello.sourceKind() + name + " (" + hello.source() + ")";
  }
}

package org.fedometer.collector.measured;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.MetricDictionary;

/**
 * Numbers of one source's names in its frames. Numbers of stages and metrics are assigned here,
 * those of threads by the source. One thread at a time.
 */
final class Names {
  /** Far above any agent's need; each number is reserved for good. */
  static final int MAX_STAGES = 10_000;

  static final int MAX_METRICS = 10_000;

  /** As many as the segment log copies from segment to segment; further threads have no name. */
  static final int MAX_THREADS = 100_000;

  /** Limit of characters, beyond which threads have no name and new stages are refused. */
  static final int MAX_CHARS = 4 * 1024 * 1024;

  private final Map<String, Integer> stages = new HashMap<>();
  private final Map<Integer, String> threads = new HashMap<>();
  private final Map<Metric, Integer> metrics = new HashMap<>();
  private int nextStage;
  private int nextMetric;
  private long chars;

  private Dictionary newStages = new Dictionary();
  private Dictionary newThreads = new Dictionary();
  private MetricDictionary newMetrics = new MetricDictionary();

  private record Metric(String name, String unit) {}

  /** Continues the source's dictionaries in the segment log. */
  void recall(List<Frame> dictionaries) throws MalformedFrameException {
    for (Frame frame : dictionaries) {
      ByteBuffer payload = ByteBuffer.wrap(frame.payload());
      if (frame.type() == FrameType.STAGES) {
        Dictionary.decode(payload).entries().forEach(this::recallStage);
      } else if (frame.type() == FrameType.THREADS) {
        Dictionary.decode(payload).entries().forEach(this::keepThread);
      } else if (frame.type() == FrameType.METRICS) {
        MetricDictionary.decode(payload)
            .entries()
            .forEach((id, metric) -> recallMetric(id, new Metric(metric.name(), metric.unit())));
      }
    }
  }

  private void recallStage(int id, String name) {
    stages.putIfAbsent(name, id);
    nextStage = Math.max(nextStage, id + 1);
    chars += name.length();
  }

  private void recallMetric(int id, Metric metric) {
    metrics.putIfAbsent(metric, id);
    nextMetric = Math.max(nextMetric, id + 1);
    chars += metric.name().length() + metric.unit().length();
  }

  /**
   * Keeps a thread's name. The old name is freed, since some threads are renamed with each request.
   */
  private void keepThread(int id, String name) {
    String before = threads.put(id, name);
    chars += name.length() - (before == null ? 0 : before.length());
  }

  /** Returns a stage's number, a new one for a new name. */
  int stage(String name) throws MalformedEventException {
    Integer known = stages.get(name);
    if (known != null) {
      return known;
    }
    refuseIfTooLong(name, Dictionary.MAX_NAME_BYTES);
    refuseIfTooMany("stages", stages.size() >= MAX_STAGES);
    int id = nextStage++;
    stages.put(name, id);
    chars += name.length();
    newStages.put(id, name);
    return id;
  }

  /**
   * Records a thread's name. Agents forget names of threads not seen for long and send {@code #}
   * and the number, which is ignored.
   */
  void thread(int id, String name) {
    String known = threads.get(id);
    boolean isChanged =
        known == null
            ? threads.size() < MAX_THREADS
            : !name.equals(known) && !name.equals("#" + id);
    if (isChanged && chars <= MAX_CHARS) {
      keepThread(id, name);
      newThreads.put(id, name);
    }
  }

  /** Returns a metric's number, a new one for a new pair of name and unit. */
  int metric(String name, String unit) throws MalformedEventException {
    Metric metric = new Metric(name, unit);
    Integer known = metrics.get(metric);
    if (known != null) {
      return known;
    }
    refuseIfTooLong(name, MetricDictionary.MAX_TEXT_BYTES);
    refuseIfTooLong(unit, MetricDictionary.MAX_TEXT_BYTES);
    refuseIfTooMany("metrics", metrics.size() >= MAX_METRICS);
    int id = nextMetric++;
    metrics.put(metric, id);
    chars += name.length() + unit.length();
    newMetrics.put(id, name, unit);
    return id;
  }

  /** Rejects a long name: truncated, it would not be recognized after a recall. */
  private static void refuseIfTooLong(String name, int maxBytes) throws MalformedEventException {
    boolean surelyShort = name.length() <= maxBytes / 3;
    if (!surelyShort && name.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      throw new MalformedEventException(
          "A name has more than " + maxBytes + " bytes: \"" + name.substring(0, 40) + "...\"");
    }
  }

  private void refuseIfTooMany(String what, boolean many) throws MalformedEventException {
    if (many || chars > MAX_CHARS) {
      throw new MalformedEventException("The source has too many " + what);
    }
  }

  /** Returns dictionaries, of sequence 0, that subsequent frames need. */
  List<Frame> takeNew() {
    if (newStages.entries().isEmpty()
        && newThreads.entries().isEmpty()
        && newMetrics.entries().isEmpty()) {
      return List.of();
    }
    List<Frame> frames = new ArrayList<>();
    if (!newStages.entries().isEmpty()) {
      frames.add(new Frame(FrameType.STAGES.code(), 0, newStages.encode()));
      newStages = new Dictionary();
    }
    if (!newThreads.entries().isEmpty()) {
      frames.add(new Frame(FrameType.THREADS.code(), 0, newThreads.encode()));
      newThreads = new Dictionary();
    }
    if (!newMetrics.entries().isEmpty()) {
      frames.add(new Frame(FrameType.METRICS.code(), 0, newMetrics.encode()));
      newMetrics = new MetricDictionary();
    }
    return frames;
  }
}

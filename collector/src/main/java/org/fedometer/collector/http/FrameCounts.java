package org.fedometer.collector.http;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.fedometer.collector.metrics.Metrics;
import org.fedometer.collector.segmentlog.DurableFrames;
import org.fedometer.store.RunFolder;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Totals;

/**
 * Counts durable frames, and keeps the newest totals of each source of an open run. The segment
 * log's thread adds; any thread reads.
 */
public final class FrameCounts implements DurableFrames {
  /** Limit of names per source; further stages are named by their numbers. */
  private static final int MAX_NAMES = 1_000;

  /** Bearable for Prometheus and the collector; the stages of some 150 sources. */
  private static final int MAX_STAGES = 10_000;

  private static final double NANOS = 1e9;

  private final LongAdder frames = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private final LongAdder logLines = new LongAdder();
  private final Map<Path, Map<UUID, OneSource>> runs = new ConcurrentHashMap<>();

  private static final class OneSource {
    private final Map<Integer, String> stages = new HashMap<>();
    private byte[] totals;
  }

  /**
   * Totals that a source reports for a stage since its start.
   *
   * @param count number of executions
   * @param failed number of executions that threw an exception
   * @param sumDurationNanos sum of durations
   */
  private record StageTotal(
      String run, UUID source, String stage, long count, long failed, long sumDurationNanos) {
    void addTo(Metrics metrics) {
      String[] labels = {"run", run, "source", source.toString(), "stage", stage};
      metrics.count(
          "fedometer_stage_executions",
          "Executions of a stage since the source's start.",
          count,
          labels);
      metrics.count(
          "fedometer_stage_failures",
          "Executions of a stage that ended by an exception.",
          failed,
          labels);
      metrics.count(
          "fedometer_stage_seconds",
          "Time of the executions of a stage, from start to end.",
          sumDurationNanos / NANOS,
          labels);
    }
  }

  @Override
  public void durable(RunFolder run, SegmentSource source, String segment, Frame frame) {
    frames.increment();
    bytes.add(frame.sizeBytes());
    FrameType type = frame.type();
    if (type == FrameType.SAMPLES) {
      samples.add(rowsOf(frame.payload(), SampleDecoder::count));
    } else if (type == FrameType.LOGS) {
      logLines.add(rowsOf(frame.payload(), LogDecoder::count));
    } else if (type == FrameType.STAGES || type == FrameType.TOTALS) {
      remember(sourceOf(run, source), type, frame.payload());
    }
  }

  private interface Count {
    int of(ByteBuffer payload) throws MalformedFrameException;
  }

  private static int rowsOf(byte[] payload, Count rows) {
    try {
      return rows.of(ByteBuffer.wrap(payload));
    } catch (MalformedFrameException e) {
      // Counted when sealed.
      return 0;
    }
  }

  private OneSource sourceOf(RunFolder run, SegmentSource source) {
    return runs.computeIfAbsent(run.path(), path -> new ConcurrentHashMap<>())
        .computeIfAbsent(source.hello().source(), uuid -> new OneSource());
  }

  private static void remember(OneSource source, FrameType type, byte[] payload) {
    synchronized (source) {
      if (type == FrameType.TOTALS) {
        source.totals = payload;
      } else if (source.stages.size() < MAX_NAMES) {
        try {
          source.stages.putAll(Dictionary.decode(ByteBuffer.wrap(payload)).entries());
        } catch (MalformedFrameException e) {
          // Counted when sealed.
        }
      }
    }
  }

  @Override
  public void closed(RunFolder run) {
    runs.remove(run.path());
  }

  void addTo(Metrics metrics) {
    metrics.count("fedometer_frames_durable", "Frames written to disk.", frames.sum());
    metrics.count(
        "fedometer_frame_bytes_durable", "Size of the frames written to disk.", bytes.sum());
    metrics.count(
        "fedometer_samples_durable", "Samples in the frames written to disk.", samples.sum());
    metrics.count(
        "fedometer_log_lines_durable", "Log lines in the frames written to disk.", logLines.sum());
    int[] stages = {0};
    runs.forEach(
        (path, sources) ->
            sources.forEach(
                (uuid, source) ->
                    totalsOf(path.getFileName().toString(), uuid, source)
                        .values()
                        .forEach(
                            total -> {
                              if (stages[0]++ < MAX_STAGES) {
                                total.addTo(metrics);
                              }
                            })));
    metrics.value(
        "fedometer_stages_dropped",
        "Stages beyond the limit of the collector.",
        Math.max(0, stages[0] - MAX_STAGES));
  }

  private static Map<String, StageTotal> totalsOf(String run, UUID uuid, OneSource source) {
    Map<String, StageTotal> byName = new TreeMap<>();
    synchronized (source) {
      if (source.totals == null) {
        return byName;
      }
      try {
        for (Totals.StageTotal total : Totals.decode(ByteBuffer.wrap(source.totals)).stages()) {
          String name = Rollups.nameOf(source.stages, total.stageId());
          byName.merge(
              name,
              new StageTotal(
                  run,
                  uuid,
                  name,
                  nonNegative(total.count()),
                  nonNegative(total.failedCount()),
                  nonNegative(total.sumDurationNanos())),
              FrameCounts::sum);
        }
      } catch (MalformedFrameException e) {
        // Counted when sealed.
      }
    }
    return byName;
  }

  /** Adds totals of two numbers with the same name. */
  private static StageTotal sum(StageTotal a, StageTotal b) {
    return new StageTotal(
        a.run(),
        a.source(),
        a.stage(),
        saturatedAdd(a.count(), b.count()),
        saturatedAdd(a.failed(), b.failed()),
        saturatedAdd(a.sumDurationNanos(), b.sumDurationNanos()));
  }

  /**
   * Returns at least 0: Prometheus would reject the whole scrape for a negative counter, which any
   * source can report.
   */
  private static long nonNegative(long value) {
    return Math.max(0, value);
  }

  private static long saturatedAdd(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}

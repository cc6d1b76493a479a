package org.fedometer.benchmarks.collector;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.fedometer.benchmarks.collector.RecordedIngest.Request;
import org.fedometer.benchmarks.collector.RecordedIngest.Sample;
import org.fedometer.benchmarks.collector.RecordedIngest.Trace;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TraceEncoder;

/**
 * The recorded ingest over and over, each time later and with all times stretched by up to one per
 * cent, more or less: a compressor must not find the durations of the last round again. Nesting
 * stays as it was. For one thread.
 */
final class Replay {
  private static final int SAMPLES_PER_FRAME = 4096;
  private static final double STRETCH = 0.01;

  private final RecordedIngest recorded;
  private final double maxStretch;
  private final long firstStartNanos;
  private final long tracesPerRound;
  private final long objectsPerRound;
  private final Random random = new Random(20_261_121);
  private final SampleEncoder samples = new SampleEncoder();
  private final TraceEncoder traces = new TraceEncoder();
  private final RequestEncoder requests = new RequestEncoder();
  private final Map<Integer, Deque<Long>> finishedDurations = new HashMap<>();
  private long round;

  /** Takes frames in the order in which they are to be sent. */
  interface Target {
    void frame(FrameType type, byte[] payload) throws Exception;
  }

  /**
   * @param firstStartNanos when the first sample of the first round begins
   */
  Replay(RecordedIngest recorded, long firstStartNanos) {
    this(recorded, firstStartNanos, STRETCH);
  }

  /** All durations are those recorded, in every round. */
  static Replay shiftedOnly(RecordedIngest recorded, long firstStartNanos) {
    return new Replay(recorded, firstStartNanos, 0);
  }

  private Replay(RecordedIngest recorded, long firstStartNanos, double maxStretch) {
    this.recorded = recorded;
    this.maxStretch = maxStretch;
    this.firstStartNanos = firstStartNanos;
    this.tracesPerRound =
        1 + recorded.samples.stream().mapToLong(Sample::trace).max().orElseThrow();
    this.objectsPerRound =
        1 + recorded.requests.stream().mapToLong(Request::index).max().orElseThrow();
  }

  int samplesPerRound() {
    return recorded.samples.size();
  }

  void next(Target target) throws Exception {
    double stretch = 1 + maxStretch * (2 * random.nextDouble() - 1);
    long length = (long) ((recorded.endNanos - recorded.startNanos) * (1 + maxStretch));
    long base = firstStartNanos + round * (length + 1_000_000);
    sendSamples(target, stretch, base);
    for (Trace trace : recorded.traces) {
      long number = trace.trace() + round * tracesPerRound;
      traces.add(number, trace.rootStage(), "", traceparent(number), "ingest", trace.failed());
    }
    target.frame(FrameType.TRACES, traces.finish());
    for (Request request : recorded.requests) {
      long index = request.index() + round * objectsPerRound;
      long start = base + (long) ((request.startNanos() - recorded.startNanos) * stretch);
      requests.add(
          index,
          "uspto:" + index,
          traceparent(index),
          request.worker(),
          1,
          start,
          (long) (request.durationNanos() * stretch),
          request.status(),
          request.bytes(),
          "",
          RequestEncoder.INGEST,
          start);
    }
    target.frame(FrameType.REQUESTS, requests.finish());
    round++;
  }

  private void sendSamples(Target target, double stretch, long base) throws Exception {
    finishedDurations.clear();
    int inFrame = 0;
    for (Sample sample : recorded.samples) {
      long start = base + (long) ((sample.startNanos() - recorded.startNanos) * stretch);
      long end =
          base
              + (long)
                  ((sample.startNanos() + sample.durationNanos() - recorded.startNanos) * stretch);
      long durationNanos = end - start;
      long inside = 0;
      Deque<Long> finished =
          finishedDurations.computeIfAbsent(sample.thread(), any -> new ArrayDeque<>());
      for (int i = 0; i < sample.inside(); i++) {
        inside += finished.isEmpty() ? 0 : finished.pop();
      }
      finished.push(durationNanos);
      long selfNanos =
          sample.selfAsPredicted() ? durationNanos - inside : (long) (sample.selfNanos() * stretch);
      samples.add(
          sample.stage(),
          sample.thread(),
          sample.trace() == 0 ? 0 : sample.trace() + round * tracesPerRound,
          start,
          durationNanos,
          selfNanos,
          sample.failed());
      if (++inFrame == SAMPLES_PER_FRAME) {
        target.frame(FrameType.SAMPLES, samples.finish());
        inFrame = 0;
      }
    }
    if (inFrame > 0) {
      target.frame(FrameType.SAMPLES, samples.finish());
    }
  }

  private static String traceparent(long number) {
    return "00-%016x%016x-%016x-01".formatted(0x5eedL, number, number);
  }
}

package org.fedometer.benchmarks.collector;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fedometer.store.segment.SegmentReader;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.session.Dictionary;

/**
 * Samples, traces and requests that agent and driver sent during a real ingest: patents into Fedora
 * 3.8.1 with MPTStore and PostgreSQL, two workers, a busy machine of two cores. A segment of the
 * collector, without documents and without the first 600 objects.
 */
public final class RecordedIngest {
  private static final String RESOURCE = "/org/fedometer/benchmarks/recorded-ingest.segment";

  private static final long FRAME_NANOS = 1_000_000_000;

  final List<Sample> samples = new ArrayList<>();
  final List<Trace> traces = new ArrayList<>();
  final List<Request> requests = new ArrayList<>();
  final Map<Integer, String> stages = new HashMap<>();
  final Map<Integer, String> threads = new HashMap<>();

  /** Of the agent's traces and names. */
  private long otherAgentBytes;

  private int frameOverheadBytes;

  /** When the first sample began and the last one ended, nanoTime of then. */
  final long startNanos;

  final long endNanos;

  /**
   * @param selfAsPredicted the self time is the total less the totals of those inside it, which
   *     came right before
   * @param inside how many came right before
   */
  record Sample(
      int stage,
      int thread,
      long trace,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed,
      boolean selfAsPredicted,
      int inside) {}

  record Trace(long trace, int rootStage, boolean failed) {}

  record Request(
      long index, int worker, long startNanos, long durationNanos, int status, long bytes) {}

  private RecordedIngest(Path segment) throws IOException {
    SegmentReader.read(segment, new Reader());
    startNanos = samples.stream().mapToLong(Sample::startNanos).min().orElseThrow();
    endNanos =
        samples.stream().mapToLong(s -> s.startNanos() + s.durationNanos()).max().orElseThrow();
  }

  /** Bytes of frames of samples, per sample, when one is sent each second, as the agent does. */
  public double sampleBytesOnTheWire() {
    SampleEncoder encoder = new SampleEncoder();
    long bytes = 0;
    long frameEndNanos = startNanos + FRAME_NANOS;
    for (Sample sample : samples) {
      if (sample.startNanos() + sample.durationNanos() - frameEndNanos >= 0
          && encoder.count() > 0) {
        bytes += encoder.finish().length + frameOverheadBytes;
        frameEndNanos = sample.startNanos() + sample.durationNanos() + FRAME_NANOS;
      }
      encoder.add(
          sample.stage(),
          sample.thread(),
          sample.trace(),
          sample.startNanos(),
          sample.durationNanos(),
          sample.selfNanos(),
          sample.failed());
    }
    bytes += encoder.finish().length + frameOverheadBytes;
    return (double) bytes / samples.size();
  }

  /** Bytes of the agent's frames of traces and names, for each sample, as they were recorded. */
  public double otherBytesOnTheWire() {
    return (double) otherAgentBytes / samples.size();
  }

  public int sampleCount() {
    return samples.size();
  }

  public static RecordedIngest load() throws IOException {
    Path copy = Files.createTempFile("recorded-ingest", ".segment");
    try (InputStream recorded = RecordedIngest.class.getResourceAsStream(RESOURCE)) {
      Files.copy(recorded, copy, StandardCopyOption.REPLACE_EXISTING);
      return new RecordedIngest(copy);
    } finally {
      Files.delete(copy);
    }
  }

  private record Finished(long startNanos, long durationNanos) {}

  private final class Reader implements SegmentVisitor {
    private final Map<Integer, Deque<Finished>> finished = new HashMap<>();
    private final Map<Integer, Long> traceOfThread = new HashMap<>();

    @Override
    public void run(String runId, String runName) {
      // There is one.
    }

    @Override
    public void source(SegmentSource source) {
      // Agent and driver; their numbers do not meet.
    }

    @Override
    public void frame(int sourceIndex, Frame frame) throws MalformedFrameException {
      ByteBuffer payload = ByteBuffer.wrap(frame.payload());
      count(frame);
      switch (frame.type()) {
        case STAGES -> stages.putAll(Dictionary.decode(payload).entries());
        case THREADS -> threads.putAll(Dictionary.decode(payload).entries());
        case SAMPLES -> SampleDecoder.decode(payload, this::sample);
        case TRACES ->
            TraceDecoder.decode(
                payload,
                (trace, rootStage, pid, traceparent, operation, failed) ->
                    traces.add(new Trace(trace, rootStage, failed)));
        case REQUESTS ->
            RequestDecoder.decode(
                payload,
                row ->
                    requests.add(
                        new Request(
                            row.objectIndex,
                            row.worker,
                            row.startNanos,
                            row.durationNanos,
                            row.status,
                            row.contentBytes)));
        default -> {
          // Not replayed.
        }
      }
    }

    private void count(Frame frame) {
      frameOverheadBytes = frame.sizeBytes() - frame.payload().length;
      switch (frame.type()) {
        case STAGES, THREADS, TRACES -> otherAgentBytes += frame.sizeBytes();
        default -> {
          // Samples, or the driver's.
        }
      }
    }

    private void sample(
        int stage,
        int thread,
        long trace,
        long start,
        long durationNanos,
        long selfNanos,
        boolean failed) {
      Deque<Finished> before = finished.computeIfAbsent(thread, any -> new ArrayDeque<>());
      if (!Long.valueOf(trace).equals(traceOfThread.put(thread, trace))) {
        before.clear();
      }
      long predicted = durationNanos;
      int inside = 0;
      while (!before.isEmpty() && before.peek().startNanos() - start >= 0) {
        predicted -= before.pop().durationNanos();
        inside++;
      }
      before.push(new Finished(start, durationNanos));
      samples.add(
          new Sample(
              stage,
              thread,
              trace,
              start,
              durationNanos,
              selfNanos,
              failed,
              selfNanos == predicted,
              inside));
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {
      // Not replayed.
    }
  }
}

package org.fedometer.collector.measured;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.fedometer.collector.measured.MeasuredEvent.Flag;
import org.fedometer.collector.measured.MeasuredEvent.Text;
import org.fedometer.collector.measured.MeasuredEvent.Whole;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.record.GcEncoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.SampleEncoder;
import org.fedometer.wire.record.TelemetryEncoder;
import org.fedometer.wire.record.TraceEncoder;
import org.fedometer.wire.session.Document;
import org.fedometer.wire.session.Totals;

/**
 * Makes frames of one source's events. An event's place is its {@code frame} and {@code index}; a
 * frame made here has the place of its last event as its sequence. So whatever part of the agent's
 * frames has become durable, the newest sequence says which events those are, and what comes again
 * is passed over. One thread at a time.
 */
final class MeasuredFrames {
  /** Of an index: more events than fit into the longest frame. */
  static final int INDEX_BITS = 21;

  /** Of the agent's frames. */
  static final long FRAME_LIMIT = 1L << (63 - INDEX_BITS);

  /** Where the agent's own log lies in the run's folder, as on the wire. */
  private static final String LOG_PATH = "logs/agent.log";

  private final Names names;
  private final Consumer<Frame> frames;
  private final SampleEncoder samples = new SampleEncoder();
  private final TraceEncoder traces = new TraceEncoder();
  private final LogEncoder logs = new LogEncoder();
  private final TelemetryEncoder telemetry = new TelemetryEncoder();
  private final GcEncoder collections = new GcEncoder();
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream(0);

  /** Of the frame that is being made; null while there is none. */
  private FrameType type;

  /** Place of the newest event. */
  private long last;

  private Totals totals;

  /**
   * @param lastSequence the newest of its frames that the journal has
   * @param frames take those that are made; of sequence 0 for names, before their first use
   */
  MeasuredFrames(Names names, long lastSequence, Consumer<Frame> frames) {
    this.names = names;
    this.last = lastSequence;
    this.frames = frames;
  }

  /**
   * Takes an event of any kind but {@code hello}; passes over what it does not know or has already.
   *
   * @throws MalformedEventException nothing of it was taken
   */
  void take(MeasuredEvent event) throws MalformedEventException {
    long place =
        (event.whole(Whole.FRAME, FRAME_LIMIT) << INDEX_BITS)
            | event.whole(Whole.INDEX, 1L << INDEX_BITS);
    FrameType own = typeOf(event.text(Text.EVENT));
    if (own == null || place <= last) {
      return;
    }
    if (own != type || isFull()) {
      flush();
    }
    add(own, event);
    type = own;
    last = place;
    if (own == FrameType.TOTALS) {
      // Each is a frame of its own.
      flush();
    }
  }

  private static FrameType typeOf(String event) {
    return switch (event) {
      case "sample" -> FrameType.SAMPLES;
      case "trace" -> FrameType.TRACES;
      case "log" -> FrameType.LOGS;
      case "telemetry" -> FrameType.TELEMETRY;
      case "gc" -> FrameType.GC;
      case "totals" -> FrameType.TOTALS;
      case "agent" -> FrameType.DOCUMENT;
      default -> null;
    };
  }

  private boolean isFull() {
    return switch (type) {
      case SAMPLES -> samples.isFull();
      case TRACES -> traces.isFull();
      case LOGS -> logs.isFull();
      case TELEMETRY -> telemetry.isFull();
      case GC -> collections.isFull();
      case DOCUMENT -> lines.size() > Document.MAX_CONTENT_BYTES / 2;
      default -> true;
    };
  }

  private void add(FrameType own, MeasuredEvent event) throws MalformedEventException {
    switch (own) {
      case SAMPLES -> addSample(event);
      case TRACES ->
          traces.add(
              event.whole(Whole.TRACE),
              names.stage(event.text(Text.ROOT_STAGE)),
              event.textIfAny(Text.PID),
              event.textIfAny(Text.TRACEPARENT),
              event.textIfAny(Text.OPERATION),
              event.flag(Flag.FAILED));
      case LOGS ->
          logs.add(
              event.whole(Whole.AT_NANOS),
              level(event.text(Text.LEVEL)),
              event.whole(Whole.TRACE),
              event.text(Text.LOGGER),
              event.text(Text.THREAD),
              event.text(Text.MESSAGE),
              event.textIfAny(Text.EXCEPTION));
      case TELEMETRY ->
          telemetry.add(
              event.whole(Whole.AT_NANOS),
              names.metric(event.text(Text.METRIC), event.text(Text.UNIT)),
              event.value());
      case GC ->
          collections.add(
              event.text(Text.COLLECTOR),
              event.text(Text.ACTION),
              event.text(Text.CAUSE),
              event.whole(Whole.START_NANOS),
              event.whole(Whole.DURATION_NANOS),
              event.whole(Whole.HEAP_BEFORE_BYTES),
              event.whole(Whole.HEAP_AFTER_BYTES));
      case TOTALS -> totals = totals(event);
      default -> addLine(event.text(Text.MESSAGE));
    }
  }

  private void addSample(MeasuredEvent event) throws MalformedEventException {
    int stage = names.stage(event.text(Text.STAGE));
    int thread = (int) event.whole(Whole.THREAD_ID, 1L << 31);
    String threadName = event.text(Text.THREAD);
    samples.add(
        stage,
        thread,
        event.whole(Whole.TRACE),
        event.whole(Whole.START_NANOS),
        event.whole(Whole.TOTAL_NANOS),
        event.whole(Whole.OWN_NANOS),
        event.flag(Flag.FAILED));
    names.thread(thread, threadName);
  }

  private static LogLevel level(String name) throws MalformedEventException {
    for (LogLevel level : LogLevel.values()) {
      if (level.name().toLowerCase(Locale.ROOT).equals(name)) {
        return level;
      }
    }
    throw new MalformedEventException("A line's level is trace, debug, info, warn, error or fatal");
  }

  private Totals totals(MeasuredEvent event) throws MalformedEventException {
    List<Totals.StageTotal> stages = new ArrayList<>();
    for (MeasuredEvent.StageSums sums : event.stages()) {
      stages.add(
          new Totals.StageTotal(
              names.stage(sums.stage()), sums.count(), sums.failed(), sums.totalNanos()));
    }
    return new Totals(
        stages,
        event.whole(Whole.SAMPLES_DROPPED),
        event.whole(Whole.FRAMES_DROPPED),
        event.whole(Whole.TRACES_DROPPED),
        event.whole(Whole.STAGES_SKIPPED),
        event.whole(Whole.THREADS_REFUSED),
        event.flag(Flag.LAST));
  }

  private void addLine(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    lines.write(bytes, 0, Math.min(bytes.length, Document.MAX_CONTENT_BYTES / 2 - 1));
    lines.write('\n');
  }

  void flush() {
    if (type == null) {
      return;
    }
    names.takeNew().forEach(frames);
    byte[] payload =
        switch (type) {
          case SAMPLES -> samples.finish();
          case TRACES -> traces.finish();
          case LOGS -> logs.finish();
          case TELEMETRY -> telemetry.finish();
          case GC -> collections.finish();
          case TOTALS -> totals.encode();
          default -> document();
        };
    frames.accept(new Frame(type.code(), last, payload));
    type = null;
  }

  private byte[] document() {
    byte[] payload = new Document(LOG_PATH, lines.toByteArray(), true).encode();
    lines.reset();
    return payload;
  }
}

package org.fedometer.collector.measured;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.fedometer.collector.measured.MeasuredEvent.FlagField;
import org.fedometer.collector.measured.MeasuredEvent.IntegerField;
import org.fedometer.collector.measured.MeasuredEvent.TextField;
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
 * Converts one source's events to frames.
 *
 * <p>An event's position is its {@code frame} and {@code index}. A frame's sequence is the position
 * of its last event. The newest durable sequence thus identifies all durable events, and repeated
 * ones are skipped. One thread at a time.
 */
final class MeasuredFrames {
  /** Bits of an index: more events than the longest frame holds. */
  static final int INDEX_BITS = 21;

  /** Limit of the agent's frame numbers. */
  static final long FRAME_LIMIT = 1L << (63 - INDEX_BITS);

  /** Path of the agent's log in the run's folder, as on the wire. */
  private static final String LOG_PATH = "logs/agent.log";

  private final Names names;
  private final Consumer<Frame> frames;
  private final SampleEncoder samples = new SampleEncoder();
  private final TraceEncoder traces = new TraceEncoder();
  private final LogEncoder logs = new LogEncoder();
  private final TelemetryEncoder telemetry = new TelemetryEncoder();
  private final GcEncoder collections = new GcEncoder();
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream(0);

  /** Type of the current frame; null without one. */
  private FrameType type;

  /** Position of the newest event. */
  private long last;

  private Totals totals;

  /**
   * @param lastSequence the newest of its frames in the segment log
   * @param frames receives frames; names have sequence 0 and precede their use
   */
  MeasuredFrames(Names names, long lastSequence, Consumer<Frame> frames) {
    this.names = names;
    this.last = lastSequence;
    this.frames = frames;
  }

  /**
   * Adds an event of any kind but {@code hello}; skips unknown and repeated ones.
   *
   * @throws MalformedEventException if it is invalid; nothing of it is added
   */
  void accept(MeasuredEvent event) throws MalformedEventException {
    long position =
        (event.integer(IntegerField.FRAME, FRAME_LIMIT) << INDEX_BITS)
            | event.integer(IntegerField.INDEX, 1L << INDEX_BITS);
    FrameType own = typeOf(event.text(TextField.EVENT));
    if (own == null || position <= last) {
      return;
    }
    if (own != type || isFull()) {
      flush();
    }
    add(own, event);
    type = own;
    last = position;
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
              event.integer(IntegerField.TRACE),
              names.stage(event.text(TextField.ROOT_STAGE)),
              event.textOrEmpty(TextField.PID),
              event.textOrEmpty(TextField.TRACEPARENT),
              event.textOrEmpty(TextField.OPERATION),
              event.flag(FlagField.FAILED));
      case LOGS ->
          logs.add(
              event.integer(IntegerField.AT_NANOS),
              level(event.text(TextField.LEVEL)),
              event.integer(IntegerField.TRACE),
              event.text(TextField.LOGGER),
              event.text(TextField.THREAD),
              event.text(TextField.MESSAGE),
              event.textOrEmpty(TextField.EXCEPTION));
      case TELEMETRY ->
          telemetry.add(
              event.integer(IntegerField.AT_NANOS),
              names.metric(event.text(TextField.METRIC), event.text(TextField.UNIT)),
              event.value());
      case GC ->
          collections.add(
              event.text(TextField.COLLECTOR),
              event.text(TextField.ACTION),
              event.text(TextField.CAUSE),
              event.integer(IntegerField.START_NANOS),
              event.integer(IntegerField.DURATION_NANOS),
              event.integer(IntegerField.HEAP_BEFORE_BYTES),
              event.integer(IntegerField.HEAP_AFTER_BYTES));
      case TOTALS -> totals = totals(event);
      default -> addLine(event.text(TextField.MESSAGE));
    }
  }

  private void addSample(MeasuredEvent event) throws MalformedEventException {
    int stage = names.stage(event.text(TextField.STAGE));
    int thread = (int) event.integer(IntegerField.THREAD_ID, 1L << 31);
    String threadName = event.text(TextField.THREAD);
    samples.add(
        stage,
        thread,
        event.integer(IntegerField.TRACE),
        event.integer(IntegerField.START_NANOS),
        event.integer(IntegerField.DURATION_NANOS),
        event.integer(IntegerField.SELF_NANOS),
        event.flag(FlagField.FAILED));
    names.thread(thread, threadName);
  }

  private static LogLevel level(String name) throws MalformedEventException {
    for (LogLevel level : LogLevel.values()) {
      if (level.name().toLowerCase(Locale.ROOT).equals(name)) {
        return level;
      }
    }
    throw new MalformedEventException(
        "A line's level must be trace, debug, info, warn, error or fatal");
  }

  private Totals totals(MeasuredEvent event) throws MalformedEventException {
    List<Totals.StageTotal> stages = new ArrayList<>();
    for (MeasuredEvent.StageSums sums : event.stages()) {
      stages.add(
          new Totals.StageTotal(
              names.stage(sums.stage()), sums.count(), sums.failed(), sums.durationNanos()));
    }
    return new Totals(
        stages,
        event.integer(IntegerField.SAMPLES_DROPPED),
        event.integer(IntegerField.FRAMES_DROPPED),
        event.integer(IntegerField.TRACES_DROPPED),
        event.integer(IntegerField.STAGES_SKIPPED),
        event.integer(IntegerField.THREADS_REFUSED),
        event.flag(FlagField.LAST));
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

package org.fedometer.collector.dashboard;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.GcRow;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.LogLevel;
import org.fedometer.wire.record.LogRow;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.RequestEncoder;
import org.fedometer.wire.record.RequestRow;
import org.fedometer.wire.record.SampleConsumer;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.TelemetryConsumer;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Hello;
import org.fedometer.wire.session.Marker;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/**
 * All dashboard data of one run, built from durable frames or from the store. Bounded for any
 * input. For one thread.
 */
final class RunBoard {
  static final int MAX_SOURCES = 1000;

  private static final long NANOS = 1_000_000_000L;

  /** Limit of a source's clock lead. */
  private static final long MAX_SECONDS_AHEAD = 60;

  /** Limit of the age of spooled data at a source's first connection. */
  private static final long MAX_SECONDS_BEFORE = 24 * 3600;

  final Timeline timeline = new Timeline();
  final Stages stages = new Stages();
  final Map<UUID, SourceFacts> sources = new LinkedHashMap<>();
  final NewestEntries<LogLine> logs = new NewestEntries<>(LogLine.MAX_KEPT, LogLine::atEpochMillis);
  final NewestEntries<FailedRequest> errors =
      new NewestEntries<>(FailedRequest.MAX_KEPT, FailedRequest::atEpochMillis);
  final RecentRate recent = new RecentRate();

  private final Clock clock;
  private final SampleConsumer samples = this::addSample;
  private final Consumer<RequestRow> requests = this::addRequest;
  private final Consumer<GcRow> collections = this::addGc;
  private final TelemetryConsumer readings = this::addReading;
  private final Consumer<LogRow> lines = this::addLine;

  /** Successful ingests. */
  long objects;

  /** Name of the newest step, or null. */
  String phase;

  /** Describes missing data, in a sentence; or null. */
  String incomplete;

  /** True while the stored part is being read. */
  boolean loading;

  // Of the current frame:
  private SourceFacts current;
  private long epochOffsetNanos;
  private long earliest;
  private long latest;

  RunBoard(Clock clock) {
    this.clock = clock;
  }

  long nowMillis() {
    return clock.millis();
  }

  /**
   * Returns a source's facts, identified by its own hello; at most {@link #MAX_SOURCES} are kept
   * separately.
   */
  SourceFacts sourceOf(SegmentSource source) {
    UUID uuid = source.hello().source();
    SourceFacts known = sources.get(uuid);
    if (known != null && known.introduction != null) {
      return known;
    }
    if (known == null && sources.size() >= MAX_SOURCES) {
      incomplete = "the run has more than " + MAX_SOURCES + " sources; only the first are shown";
      return null;
    }
    SourceFacts facts =
        new SourceFacts(uuid, source.hello().sourceKind(), source.hello().sourceName(), source);
    sources.put(uuid, facts);
    return facts;
  }

  /**
   * @param values whether values count; else only names are recorded, since the store's tables have
   *     the values
   */
  void add(SegmentSource source, Frame frame, boolean values) {
    current = sourceOf(source);
    if (current == null) {
      return;
    }
    current.seen = true;
    current.lastSeenNanos = System.nanoTime();
    epochOffsetNanos = source.epochOffsetNanos();
    latest = clock.millis() / 1000 + MAX_SECONDS_AHEAD;
    earliest =
        source.hello().sourceKind().equals(Hello.IMPORT)
            ? 0
            : source.firstSeenEpochMillis() / 1000 - MAX_SECONDS_BEFORE;
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    try {
      switch (frame.type()) {
        case STAGES -> current.learnStages(Dictionary.decode(payload).entries());
        case METRICS -> current.learnMetrics(MetricDictionary.decode(payload).entries());
        case TOTALS -> current.update(Totals.decode(payload));
        case MARKER -> phase = Texts.line(Marker.decode(payload).name(), Texts.MAX_NAME_CHARACTERS);
        case CLOCK ->
            current.clockUncertaintyNanos = ClockEstimate.decode(payload).uncertaintyNanos();
        case SAMPLES, REQUESTS, GC, TELEMETRY, LOGS -> {
          if (values) {
            addValues(frame, payload);
          }
        }
        default -> {
          // Not shown.
        }
      }
    } catch (MalformedFrameException e) {
      // Counted when sealed; the readable part counts here too.
    }
  }

  private void addValues(Frame frame, ByteBuffer payload) throws MalformedFrameException {
    switch (frame.type()) {
      case SAMPLES -> SampleDecoder.decode(payload, samples);
      case REQUESTS -> RequestDecoder.decode(payload, requests);
      case GC -> GcDecoder.decode(payload, collections);
      case TELEMETRY -> TelemetryDecoder.decode(payload, readings);
      default -> LogDecoder.decode(payload, lines);
    }
  }

  private void addSample(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    current.counted++;
    int number = current.stageNumber(stageId, stages);
    long end = Math.floorDiv(startNanos + durationNanos + epochOffsetNanos, NANOS);
    if (isPlausible(end)) {
      stages.add(number, durationNanos, selfNanos, failed);
      timeline.addSelfTime(number, end, selfNanos);
    }
  }

  private void addRequest(RequestRow request) {
    current.counted++;
    long endNanos = request.startNanos + request.durationNanos + epochOffsetNanos;
    long end = Math.floorDiv(endNanos, NANOS);
    if (!isPlausible(end)) {
      return;
    }
    boolean failed = !RequestEncoder.succeeded(request.status);
    String name = Texts.line(request.operation, Texts.MAX_NAME_CHARACTERS);
    timeline.addRequest(name, end, request.durationNanos, failed);
    if (failed) {
      errors.add(
          new FailedRequest(
              Math.floorDiv(endNanos, 1_000_000L),
              request.pid,
              name,
              request.status,
              request.attempt,
              request.message));
    } else if (name.equals(Timeline.INGEST)) {
      objects++;
      recent.add(end);
    }
  }

  private void addGc(GcRow collection) {
    long start = Math.floorDiv(collection.startNanos + epochOffsetNanos, NANOS);
    if (isPlausible(start)) {
      timeline.addGc(start, collection.durationNanos, collection.durationNanos);
    }
  }

  private void addReading(long atNanos, int metricId, double value) {
    Metric metric = current.metric(metricId);
    long at = Math.floorDiv(atNanos + epochOffsetNanos, NANOS);
    if (metric == null || !Double.isFinite(value) || !isPlausible(at)) {
      return;
    }
    current.note(metric, value);
    switch (metric.kind()) {
      case GAUGE, MAXIMUM -> timeline.addReading(metric, at, value, 1);
      case COUNTER -> addCounted(metric, at, current.since(metric, atNanos, value));
      case FACT -> {
        // The source has recorded it.
      }
    }
  }

  private void addCounted(Metric metric, long at, double[] since) {
    if (since != null) {
      timeline.addReading(metric, at, since[0], since[1]);
      if (metric == Metric.JVM_CPU) {
        current.cpuCores = since[0] / since[1];
      }
    }
  }

  private void addLine(LogRow line) {
    current.counted++;
    if (line.level.compareTo(LogLevel.WARN) >= 0) {
      logs.add(
          new LogLine(
              Math.floorDiv(line.atNanos + epochOffsetNanos, 1_000_000L),
              current.name,
              line.level.name(),
              line.logger,
              line.message.isBlank() ? line.thrown : line.message));
    }
  }

  /** Rejects times of a wrong clock, which would create buckets of years. */
  private boolean isPlausible(long epochSeconds) {
    return epochSeconds >= earliest && epochSeconds <= latest;
  }

  /** Adds the stored, earlier part; that board is unusable afterwards. */
  void addEarlier(RunBoard earlier) {
    timeline.addAll(earlier.timeline);
    stages.addAll(earlier.stages, earlier.timeline, timeline);
    objects += earlier.objects;
    logs.addEarlier(earlier.logs.all());
    errors.addEarlier(earlier.errors.all());
    earlier.sources.forEach((uuid, stored) -> sources.merge(uuid, stored, SourceFacts::addEarlier));
    if (incomplete == null) {
      incomplete = earlier.incomplete;
    }
  }
}

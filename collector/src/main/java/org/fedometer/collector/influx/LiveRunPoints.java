package org.fedometer.collector.influx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.fedometer.collector.live.KnownNames;
import org.fedometer.collector.live.SourceStages;
import org.fedometer.store.RunFolder;
import org.fedometer.store.rollup.Rollup;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.GcRow;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.RequestRow;
import org.fedometer.wire.record.SampleConsumer;
import org.fedometer.wire.record.SampleDecoder;
import org.fedometer.wire.record.TelemetryConsumer;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.MetricDictionary;

/**
 * Converts one run's frames to points as they arrive.
 *
 * <p>A stage has one point per ten-second interval, regardless of the number of frames. Intervals
 * are kept for a while and resent when more arrives; a resent point never contains less. For one
 * thread.
 */
final class LiveRunPoints {
  /** Ten-second intervals that may still grow: five minutes. */
  private static final int MAX_INTERVALS = 30;

  /** Limit of a source's clock lead, in intervals. */
  private static final int MAX_INTERVALS_AHEAD = 6;

  /** Late intervals that are remembered: a week. */
  private static final int MAX_LATE = 60_480;

  private static final long NANOS = Rollups.SECONDS * 1_000_000_000L;

  private final RunFolder run;
  private final Clock clock;
  private final MissingPoints missingPoints;
  private final Map<UUID, OneSource> sources = new HashMap<>();
  private final Rollups rollups = new Rollups();

  /** Numbers of the known ten-second intervals. */
  private final TreeSet<Long> known = new TreeSet<>();

  private final TreeSet<Long> changed = new TreeSet<>();

  private final SampleConsumer samples = this::addSample;
  private final Consumer<RequestRow> requests = this::addRequest;
  private final Consumer<GcRow> collections = this::addGc;
  private final TelemetryConsumer readings = this::addReading;

  /** Intervals of which only a part arrived here; the store has all. */
  private final TreeSet<Long> late = new TreeSet<>();

  /** Late intervals since {@link #takeLate}, with the time of each one's last arrival. */
  private final TreeMap<Long, Long> lateNow = new TreeMap<>();

  private boolean tooManyLate;

  /** First interval that arrives here completely. */
  private long completeFrom;

  private FileTime documentSeen;

  /** The point sent last; null if none was. */
  private InfluxPoint runPoint;

  // Of the current frame:
  private OneSource current;
  private SegmentSource currentSource;
  private BiConsumer<String, InfluxPoint> out;
  private long lastInterval = Long.MIN_VALUE;
  private boolean lastIsComplete;

  private static final class OneSource {
    private final SourceStages stages = new SourceStages();
    private final KnownNames<MetricDictionary.Metric> metrics =
        new KnownNames<>(metric -> metric.name().length() + metric.unit().length());
  }

  /**
   * @param sealedBefore whether part of the run was sealed before; current intervals may then be
   *     incomplete here
   */
  LiveRunPoints(RunFolder run, boolean sealedBefore, Clock clock, MissingPoints missingPoints) {
    this.run = run;
    this.clock = clock;
    this.missingPoints = missingPoints;
    this.completeFrom = sealedBefore ? thisInterval() + 1 : Long.MIN_VALUE;
  }

  RunFolder folder() {
    return run;
  }

  String name() {
    return run.name();
  }

  private long thisInterval() {
    return Math.floorDiv(clock.millis(), Rollups.SECONDS * 1000);
  }

  /**
   * @param to receives the run's name and its points
   */
  void addFrame(SegmentSource source, Frame frame, BiConsumer<String, InfluxPoint> to) {
    currentSource = source;
    current = sources.computeIfAbsent(source.hello().source(), uuid -> new OneSource());
    out = to;
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    try {
      switch (frame.type()) {
        case STAGES -> current.stages.learn(Dictionary.decode(payload).entries());
        case METRICS -> current.metrics.learn(MetricDictionary.decode(payload).entries());
        case SAMPLES -> {
          current.stages.use(rollups);
          SampleDecoder.decode(payload, samples);
        }
        case REQUESTS -> RequestDecoder.decode(payload, requests);
        case GC -> GcDecoder.decode(payload, collections);
        case TELEMETRY -> TelemetryDecoder.decode(payload, readings);
        default -> {
          // Yields no points.
        }
      }
    } catch (MalformedFrameException e) {
      // Counted when sealed; so is the readable part.
    }
  }

  /**
   * Reports that some frames of the run will not arrive here.
   *
   * @param names whether they included names of stages or metrics, so that nothing can be named
   */
  void missed(boolean names) {
    completeFrom = names ? Long.MAX_VALUE : Math.max(completeFrom, thisInterval() + 1);
    lastInterval = Long.MIN_VALUE;
    forgetBefore(completeFrom);
    missingPoints.report(run.name(), "too much data came at once; some points are missing");
  }

  // ---- stages ----

  private void addSample(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    long end = startNanos + durationNanos + currentSource.epochOffsetNanos();
    if (isComplete(end)) {
      rollups.add(current.stages.numberOf(stageId), end, durationNanos, selfNanos, failed);
    }
  }

  private void addRequest(RequestRow request) {
    long end = request.startNanos + request.durationNanos + currentSource.epochOffsetNanos();
    if (isComplete(end)) {
      rollups.addRequest(request.operation, end, request.durationNanos, request.status);
    }
  }

  /** Returns whether the interval arrives here completely and marks it for sending. Hot path. */
  private boolean isComplete(long endEpochNanos) {
    long interval = Math.floorDiv(endEpochNanos, NANOS);
    if (interval != lastInterval) {
      lastInterval = interval;
      // Intervals of a wrong clock would evict real ones.
      boolean isFuture = interval > thisInterval() + MAX_INTERVALS_AHEAD;
      if (interval >= completeFrom && !isFuture) {
        known.add(interval);
        changed.add(interval);
        keepNewest();
      }
      lastIsComplete = interval >= completeFrom && !isFuture;
      if (isFuture) {
        missingPoints.report(
            run.name(), "some seconds are not sent because they lie in the future");
      } else if (!lastIsComplete) {
        noteLate(interval);
      }
    }
    return lastIsComplete;
  }

  private void noteLate(long interval) {
    if (late.size() < MAX_LATE || late.contains(interval)) {
      late.add(interval);
      lateNow.put(interval, clock.millis());
    } else if (!tooManyLate) {
      tooManyLate = true;
      missingPoints.report(run.name(), "too many late seconds; some are not sent");
    }
  }

  /**
   * Returns the starts of late intervals, in seconds since 1970, whose points must come from the
   * store. Some of their data arrived before the run was opened here, or too long ago.
   *
   * @param delay time without further arrivals, after which the store has all
   * @return possibly empty; each start is returned once, unless more arrives
   */
  SortedSet<Long> takeLate(Duration delay) {
    long latest = clock.millis() - delay.toMillis();
    TreeSet<Long> ready = new TreeSet<>();
    lateNow.forEach(
        (interval, millis) -> {
          if (millis <= latest) {
            ready.add(interval);
          }
        });
    lateNow.keySet().removeAll(ready);
    return beginsOf(ready);
  }

  /** Returns all late intervals since the run was opened. */
  SortedSet<Long> allLate() {
    return beginsOf(late);
  }

  private static SortedSet<Long> beginsOf(TreeSet<Long> intervals) {
    TreeSet<Long> begins = new TreeSet<>();
    intervals.forEach(interval -> begins.add(interval * Rollups.SECONDS));
    return begins;
  }

  private void keepNewest() {
    if (known.size() > MAX_INTERVALS) {
      sendChanged(known.first());
      completeFrom = known.first() + 1;
      forgetBefore(completeFrom);
    }
  }

  private void forgetBefore(long interval) {
    known.headSet(interval).clear();
    changed.headSet(interval).clear();
    rollups.forgetBefore(interval == Long.MAX_VALUE ? interval : interval * Rollups.SECONDS);
  }

  /** Sends changed intervals up to the given one. */
  private void sendChanged(long last) {
    for (Iterator<Long> intervals = changed.headSet(last, true).iterator(); intervals.hasNext(); ) {
      for (Rollup rollup : rollups.beginningAt(intervals.next() * Rollups.SECONDS)) {
        out.accept(run.name(), Points.ofStage(run.name(), rollup));
      }
      intervals.remove();
    }
  }

  // ---- others ----

  private void addGc(GcRow collection) {
    Long begin = Points.epochNanos(collection.startNanos, currentSource.epochOffsetNanos());
    if (begin != null) {
      out.accept(
          run.name(),
          Points.ofGc(
              run.name(),
              currentSource.hello().source().toString(),
              currentSource.hello().sourceName(),
              collection.collector,
              collection.action,
              collection.cause,
              begin,
              collection.durationNanos,
              collection.heapBeforeBytes,
              collection.heapAfterBytes));
    }
  }

  private void addReading(long atNanos, int metricId, double value) {
    MetricDictionary.Metric metric = current.metrics.byNumber().get(metricId);
    Long at = Points.epochNanos(atNanos, currentSource.epochOffsetNanos());
    InfluxPoint point =
        at == null
            ? null
            : Points.ofTelemetry(
                run.name(),
                currentSource.hello().source().toString(),
                currentSource.hello().sourceName(),
                metric == null ? Rollups.METRIC_WITHOUT_NAME + metricId : metric.name(),
                metric == null ? "" : metric.unit(),
                at,
                value);
    if (point != null) {
      out.accept(run.name(), point);
    }
  }

  // ---- periodic work ----

  /** Sends intervals that ended before the grace period, and changes of the run. */
  void tick(Duration grace, BiConsumer<String, InfluxPoint> to) {
    out = to;
    long ended = Math.floorDiv(clock.millis() - grace.toMillis(), Rollups.SECONDS * 1000) - 1;
    sendChanged(ended);
    lastInterval = Long.MIN_VALUE;
    sendRun();
  }

  void close(BiConsumer<String, InfluxPoint> to) {
    out = to;
    sendChanged(Long.MAX_VALUE);
    sendRun();
  }

  /** Sends the run's point once its document is a file. */
  private void sendRun() {
    try {
      FileTime written =
          run.hasDocument() ? Files.getLastModifiedTime(run.documentFile()) : documentSeen;
      if (written == null || written.equals(documentSeen)) {
        return;
      }
      InfluxPoint point = Points.ofRun(run.name(), run.document());
      documentSeen = written;
      if (point != null && !point.equals(runPoint)) {
        runPoint = point;
        out.accept(run.name(), point);
      }
    } catch (IOException e) {
      // Being written, or of a run being deleted: retried in a second.
      documentSeen = null;
    }
  }
}

package org.fedometer.store.seal;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.fedometer.store.Table;
import org.fedometer.store.parquet.PageCompressor;
import org.fedometer.store.rollup.Rollup;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.GcDecoder;
import org.fedometer.wire.record.GcRow;
import org.fedometer.wire.record.LogDecoder;
import org.fedometer.wire.record.LogEncoder;
import org.fedometer.wire.record.LogRow;
import org.fedometer.wire.record.RequestDecoder;
import org.fedometer.wire.record.RequestRow;
import org.fedometer.wire.record.TelemetryConsumer;
import org.fedometer.wire.record.TelemetryDecoder;
import org.fedometer.wire.record.TraceConsumer;
import org.fedometer.wire.record.TraceDecoder;
import org.fedometer.wire.session.ClockEstimate;
import org.fedometer.wire.session.Dictionary;
import org.fedometer.wire.session.Environment;
import org.fedometer.wire.session.Marker;
import org.fedometer.wire.session.MetricDictionary;
import org.fedometer.wire.session.Totals;

/**
 * Writes all of a segment except its samples to files, created with a table's first row. {@link
 * SampleStream} reads the far more numerous samples. Used by one {@link Sealer} for one segment.
 */
final class RawTables implements SegmentVisitor, Closeable {
  static final String THREAD_WITHOUT_NAME = "thread-";

  /** Four days of 60 stages: a source with random times must not fill the disk. */
  private static final long MAX_EARLY_ROLLUPS = 2_000_000;

  /** In a context, where a quotation mark inside a text is escaped by a backslash. */
  private static final String ASSUMED = '"' + LogEncoder.ASSUMED + "\":";

  private static final JsonMapper JSON = new JsonMapper();
  private static final MetricDictionary.Metric NO_METRIC =
      new MetricDictionary().put(0, "", "").entries().get(0);

  private final Path folder;
  private final PageCompressor pages;
  private final Rollups rollups = new Rollups();
  private final Map<Table, TableFile> tables = new EnumMap<>(Table.class);
  private final Map<Integer, RawSource> sources = new TreeMap<>();
  private final SegmentBudget budget = new SegmentBudget();
  private RawSource current;
  private String currentUuid;
  private boolean hasSamples;

  private final Consumer<RequestRow> requestConsumer = this::addRequest;
  private final TraceConsumer traceConsumer = this::addTrace;
  private final Consumer<LogRow> logConsumer = this::addLog;
  private final TelemetryConsumer telemetryConsumer = this::addValue;
  private final Consumer<GcRow> gcConsumer = this::addCollection;

  /**
   * @param folder for the files, named by {@link #fileOf}
   * @param pages not used by other code except between two frames
   */
  RawTables(Path folder, PageCompressor pages) {
    this.folder = folder;
    this.pages = pages;
  }

  Path fileOf(Table table) {
    return folder.resolve(table.tableName() + ".parquet");
  }

  Map<Integer, RawSource> sources() {
    return sources;
  }

  /** Returns rollups of requests, and of the samples that the sample reader adds. */
  Rollups rollups() {
    return rollups;
  }

  boolean hasSamples() {
    return hasSamples;
  }

  long rowsOf(Table table) {
    TableFile file = tables.get(table);
    return file == null ? 0 : file.rows();
  }

  // ---- the segment ----

  @Override
  public void run(String runId, String runName) {
    // The folder has the same data.
  }

  @Override
  public void source(SegmentSource source) {
    sources
        .computeIfAbsent(source.index(), index -> new RawSource(budget.newSource()))
        .introduced(source);
  }

  @Override
  public void document(int sourceIndex, Frame frame, long offset) throws IOException {
    // Already a file of the run's folder.
    sourceOf(sourceIndex).reached(frame.sequence());
  }

  @Override
  public void frame(int sourceIndex, Frame frame) throws IOException {
    RawSource source = sourceOf(sourceIndex);
    if (source != current) {
      current = source;
      currentUuid = source.uuid();
    }
    current.reached(frame.sequence());
    FrameType type = frame.type();
    if (type == null) {
      return;
    }
    try {
      addFrame(type, frame);
    } catch (MalformedFrameException e) {
      // Its CRC is right, so the sender is at fault; the rest of the segment is valid.
      current.noteUnreadable();
    }
    writeRollupsIfMany();
  }

  private RawSource sourceOf(int index) throws IOException {
    RawSource source = sources.get(index);
    if (source == null) {
      throw new IOException(
          "The segment has a frame of source " + index + " before its introduction");
    }
    return source;
  }

  private void addFrame(FrameType type, Frame frame) throws IOException {
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    switch (type) {
      case STAGES -> current.nameStages(Dictionary.decode(payload).entries());
      case THREADS -> current.nameThreads(Dictionary.decode(payload).entries());
      case METRICS -> current.nameMetrics(MetricDictionary.decode(payload).entries());
      case SAMPLES -> hasSamples = true;
      case TRACES -> TraceDecoder.decode(payload, traceConsumer);
      case REQUESTS -> RequestDecoder.decode(payload, requestConsumer);
      case TOTALS -> current.update(frame.sequence(), Totals.decode(payload));
      case ENVIRONMENT -> current.update(frame.sequence(), Environment.decode(payload));
      case LOGS -> LogDecoder.decode(payload, logConsumer);
      case TELEMETRY -> TelemetryDecoder.decode(payload, telemetryConsumer);
      case GC -> GcDecoder.decode(payload, gcConsumer);
      case MARKER -> addMarker(frame.sequence(), Marker.decode(payload));
      case CLOCK -> addClock(ClockEstimate.decode(payload));
      default -> {
        // It has no table.
      }
    }
  }

  // ---- rows ----

  private TableFile row(Table table) throws IOException {
    return file(table).row();
  }

  private TableFile file(Table table) throws IOException {
    TableFile file = tables.get(table);
    if (file == null) {
      file = TableFile.create(table, fileOf(table), pages);
      tables.put(table, file);
    }
    return file;
  }

  private void addRequest(RequestRow request) {
    rollups.addRequest(
        request.operation,
        request.startNanos + request.durationNanos + current.epochOffsetNanos(),
        request.durationNanos,
        request.status);
    try {
      row(Table.REQUESTS)
          .add(currentUuid)
          .add(request.objectIndex)
          .add(request.pid)
          .add(request.traceparent)
          .add(request.worker)
          .add(request.attempt)
          .add(request.startNanos)
          .add(request.durationNanos)
          .add(request.status)
          .add(request.contentBytes)
          .add(request.message)
          .add(request.operation)
          .add(request.intendedStartNanos)
          .end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addTrace(
      long traceId,
      int rootStageId,
      String pid,
      String traceparent,
      String operation,
      boolean failed) {
    try {
      row(Table.TRACES)
          .add(currentUuid)
          .add(traceId)
          .add(Rollups.nameOf(current.stages(), rootStageId))
          .add(pid)
          .add(traceparent)
          .add(failed)
          .add(operation)
          .end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addLog(LogRow line) {
    if (line.context.contains(ASSUMED)) {
      current.noteAssumed();
    }
    try {
      row(Table.LOGS)
          .add(currentUuid)
          .add(line.atNanos)
          .add(line.level.name())
          .add(line.logger)
          .add(line.thread)
          .add(line.traceId)
          .add(line.message)
          .add(line.thrown)
          .add(line.context)
          .end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addValue(long atNanos, int metricId, double value) {
    MetricDictionary.Metric metric = current.metrics().getOrDefault(metricId, NO_METRIC);
    try {
      row(Table.TELEMETRY)
          .add(currentUuid)
          .add(metric == NO_METRIC ? Rollups.METRIC_WITHOUT_NAME + metricId : metric.name())
          .add(metric.unit())
          .add(atNanos)
          .add(value)
          .end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addCollection(GcRow collection) {
    try {
      row(Table.GC)
          .add(currentUuid)
          .add(collection.collector)
          .add(collection.action)
          .add(collection.cause)
          .add(collection.startNanos)
          .add(collection.durationNanos)
          .add(collection.heapBeforeBytes)
          .add(collection.heapAfterBytes)
          .end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addMarker(long sequence, Marker marker) throws IOException {
    row(Table.MARKERS)
        .add(currentUuid)
        .add(sequence)
        .add(marker.name())
        .add(marker.atNanos())
        .end();
  }

  private void addClock(ClockEstimate clock) throws IOException {
    row(Table.CLOCKS)
        .add(currentUuid)
        .add(clock.atNanos())
        .add(clock.offsetNanos())
        .add(clock.uncertaintyNanos())
        .add(clock.bootId())
        .end();
  }

  // ---- the segment's end ----

  /** Completes the tables after all samples have been read. */
  void finish() throws IOException {
    for (RawSource source : sources.values()) {
      addSource(source);
      addTotals(source);
      addEnvironment(source);
    }
    writeRollups();
    for (TableFile file : tables.values()) {
      file.finish();
    }
  }

  /**
   * Drains rollups before they reach their limits: a source that was away overnight sends hours of
   * data in one segment. Call between two frames.
   */
  void writeRollupsIfMany() throws IOException {
    if (rollups.isHalfFull() && rowsOf(Table.ROLLUPS) < MAX_EARLY_ROLLUPS) {
      writeRollups();
      rollups.forgetBefore(Long.MAX_VALUE);
    }
  }

  private void writeRollups() throws IOException {
    for (Rollup rollup : rollups.toList()) {
      LiveRollupWriter.addRow(file(Table.ROLLUPS), rollup);
    }
  }

  private void addSource(RawSource source) throws IOException {
    SegmentSource known = source.introduction();
    row(Table.SOURCES)
        .add(source.uuid())
        .add(source.sequence())
        .add(known.hello().sourceKind())
        .add(known.hello().sourceName())
        .add(JSON.writeValueAsString(new TreeMap<>(known.hello().attributes())))
        .add(known.firstSeenEpochMillis())
        .add(known.epochOffsetNanos())
        .add(known.framesMissing())
        .add(source.framesUnreadable())
        .add(source.samplesDropped())
        .add(source.framesDropped())
        .add(source.finished())
        .add(source.logEventsAssumed())
        .end();
  }

  private void addTotals(RawSource source) throws IOException {
    for (RawSource.StageTotals row : source.totals().values()) {
      int stageId = row.total().stageId();
      row(Table.TOTALS)
          .add(source.uuid())
          .add(row.sequence())
          .add(Rollups.nameOf(source.stages(), stageId))
          .add(row.total().count())
          .add(row.total().failedCount())
          .add(row.total().sumDurationNanos())
          .add(source.samplesDropped())
          .add(source.framesDropped())
          .add(source.finished())
          .add(source.tracesDropped())
          .add(source.stagesSkipped())
          .add(source.threadsRefused())
          .end();
    }
  }

  private void addEnvironment(RawSource source) throws IOException {
    for (Map.Entry<String, RawSource.EnvironmentValue> entry : source.environment().entrySet()) {
      row(Table.ENVIRONMENT)
          .add(source.uuid())
          .add(entry.getValue().sequence())
          .add(entry.getKey())
          .add(entry.getValue().value())
          .end();
    }
  }

  /** Closes all files, even if one fails. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (TableFile file : tables.values()) {
      try {
        file.close();
      } catch (IOException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}

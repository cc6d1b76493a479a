package org.fedometer.store.seal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.fedometer.store.Table;
import org.fedometer.store.rollup.Rollup;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Barrier;
import org.fedometer.wire.ClockEstimate;
import org.fedometer.wire.Dictionary;
import org.fedometer.wire.Environment;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.GcConsumer;
import org.fedometer.wire.GcDecoder;
import org.fedometer.wire.LogConsumer;
import org.fedometer.wire.LogDecoder;
import org.fedometer.wire.LogLevel;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.MetricDictionary;
import org.fedometer.wire.RequestConsumer;
import org.fedometer.wire.RequestDecoder;
import org.fedometer.wire.TelemetryConsumer;
import org.fedometer.wire.TelemetryDecoder;
import org.fedometer.wire.Totals;
import org.fedometer.wire.TraceConsumer;
import org.fedometer.wire.TraceDecoder;

/**
 * Takes everything of a segment but its samples into tables of DuckDB, made when their first row
 * comes. Samples are by far the most; {@link SampleStream} takes them. Used by one {@link Sealer}
 * for one segment.
 */
final class RawTables implements SegmentVisitor, AutoCloseable {
  static final String STAGE_WITHOUT_NAME = "stage-";
  static final String THREAD_WITHOUT_NAME = "thread-";

  private static final JsonMapper JSON = new JsonMapper();
  private static final MetricDictionary.Metric NO_METRIC =
      new MetricDictionary().put(0, "", "").entries().get(0);

  private final DuckDBConnection database;
  private final Rollups rollups;
  private final Map<Table, Appended> tables = new EnumMap<>(Table.class);
  private final Map<Integer, RawSource> sources = new TreeMap<>();
  private RawSource current;
  private String currentUuid;
  private long unreadableFrames;
  private boolean hasSamples;

  private final RequestConsumer requestConsumer = this::addRequest;
  private final TraceConsumer traceConsumer = this::addTrace;
  private final LogConsumer logConsumer = this::addLog;
  private final TelemetryConsumer telemetryConsumer = this::addValue;
  private final GcConsumer gcConsumer = this::addCollection;

  private static final class Appended {
    private final DuckDBAppender appender;
    private long rows;

    Appended(DuckDBAppender appender) {
      this.appender = appender;
    }
  }

  RawTables(DuckDBConnection database, Rollups rollups) {
    this.database = database;
    this.rollups = rollups;
  }

  /** Name of the DuckDB table that takes the rows of a sealed table. */
  static String rawNameOf(Table table) {
    return "raw_" + table.tableName();
  }

  /** In which order the rows are to be written. */
  static String orderOf(Table table) {
    return switch (table) {
      case REQUESTS, GC -> "start_nanos";
      case LOGS, TELEMETRY, BARRIERS, CLOCKS -> "at_nanos";
      case TRACES -> "source, trace";
      case TOTALS -> "source, stage";
      case ENVIRONMENT -> "source, name";
      case SOURCES -> "source";
      case ROLLUPS -> "begin_epoch_seconds, stage";
      case SAMPLES -> throw new IllegalArgumentException("Samples are no raw table");
    };
  }

  Map<Integer, RawSource> sources() {
    return sources;
  }

  /** Whether the segment has a frame of samples at all. */
  boolean hasSamples() {
    return hasSamples;
  }

  long unreadableFrames() {
    return unreadableFrames;
  }

  long rowsOf(Table table) {
    Appended appended = tables.get(table);
    return appended == null ? 0 : appended.rows;
  }

  // ---- the segment ----

  @Override
  public void run(String runId, String runName) {
    // The folder says the same.
  }

  @Override
  public void source(SegmentSource source) {
    sources.computeIfAbsent(source.index(), index -> new RawSource()).introduced(source);
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
      take(type, frame);
    } catch (MalformedFrameException e) {
      // Its CRC fitted, so the sender is at fault; the rest of the segment is as good as ever.
      unreadableFrames++;
      current.noteUnreadable();
    }
  }

  private RawSource sourceOf(int index) throws IOException {
    RawSource source = sources.get(index);
    if (source == null) {
      throw new IOException("The segment has a frame of source " + index + ", not introduced");
    }
    return source;
  }

  private void take(FrameType type, Frame frame) throws IOException {
    ByteBuffer payload = ByteBuffer.wrap(frame.payload());
    switch (type) {
      case STAGES -> current.stages().putAll(Dictionary.decode(payload).entries());
      case THREADS -> current.threads().putAll(Dictionary.decode(payload).entries());
      case METRICS -> current.metrics().putAll(MetricDictionary.decode(payload).entries());
      case SAMPLES -> hasSamples = true;
      case TRACES -> TraceDecoder.decode(payload, traceConsumer);
      case REQUESTS -> RequestDecoder.decode(payload, requestConsumer);
      case TOTALS -> current.take(frame.sequence(), Totals.decode(payload));
      case ENVIRONMENT -> current.take(frame.sequence(), Environment.decode(payload));
      case LOGS -> LogDecoder.decode(payload, logConsumer);
      case TELEMETRY -> TelemetryDecoder.decode(payload, telemetryConsumer);
      case GC -> GcDecoder.decode(payload, gcConsumer);
      case BARRIER -> addBarrier(frame.sequence(), Barrier.decode(payload));
      case CLOCK -> addClock(ClockEstimate.decode(payload));
      default -> {
        // Nothing of it belongs into a table.
      }
    }
  }

  // ---- rows ----

  private DuckDBAppender begin(Table table) throws SQLException {
    Appended appended = tables.get(table);
    if (appended == null) {
      try (Statement statement = database.createStatement()) {
        statement.execute(
            "CREATE OR REPLACE TABLE "
                + rawNameOf(table)
                + " ("
                + String.join(", ", table.columns())
                + ")");
      }
      appended = new Appended(database.createAppender(rawNameOf(table)));
      tables.put(table, appended);
    }
    appended.rows++;
    return appended.appender.beginRow();
  }

  private void addRequest(
      long objectIndex,
      String pid,
      String traceparent,
      int worker,
      int attempt,
      long startNanos,
      long durationNanos,
      int status,
      long contentBytes,
      String message) {
    rollups.addRequest(
        startNanos + durationNanos + current.epochOffsetNanos(), durationNanos, status);
    try {
      begin(Table.REQUESTS)
          .append(currentUuid)
          .append(objectIndex)
          .append(pid)
          .append(traceparent)
          .append(worker)
          .append(attempt)
          .append(startNanos)
          .append(durationNanos)
          .append(status)
          .append(contentBytes)
          .append(message)
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
  }

  private void addTrace(
      long traceId, int rootStageId, String pid, String traceparent, boolean failed) {
    try {
      begin(Table.TRACES)
          .append(currentUuid)
          .append(traceId)
          .append(current.stages().getOrDefault(rootStageId, STAGE_WITHOUT_NAME + rootStageId))
          .append(pid)
          .append(traceparent)
          .append(failed)
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
  }

  private void addLog(
      long atNanos,
      LogLevel level,
      long traceId,
      String logger,
      String thread,
      String message,
      String thrown) {
    try {
      begin(Table.LOGS)
          .append(currentUuid)
          .append(atNanos)
          .append(level.name())
          .append(logger)
          .append(thread)
          .append(traceId)
          .append(message)
          .append(thrown)
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
  }

  private void addValue(long atNanos, int metricId, double value) {
    MetricDictionary.Metric metric = current.metrics().getOrDefault(metricId, NO_METRIC);
    try {
      begin(Table.TELEMETRY)
          .append(currentUuid)
          .append(metric == NO_METRIC ? "metric-" + metricId : metric.name())
          .append(metric.unit())
          .append(atNanos)
          .append(value)
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
  }

  private void addCollection(
      String collector,
      String action,
      String cause,
      long startNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes) {
    try {
      begin(Table.GC)
          .append(currentUuid)
          .append(collector)
          .append(action)
          .append(cause)
          .append(startNanos)
          .append(durationNanos)
          .append(heapBeforeBytes)
          .append(heapAfterBytes)
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
  }

  private void addBarrier(long sequence, Barrier barrier) {
    try {
      begin(Table.BARRIERS)
          .append(currentUuid)
          .append(sequence)
          .append(barrier.name())
          .append(barrier.atNanos())
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
  }

  private void addClock(ClockEstimate clock) {
    try {
      begin(Table.CLOCKS)
          .append(currentUuid)
          .append(clock.atNanos())
          .append(clock.offsetNanos())
          .append(clock.uncertaintyNanos())
          .append(clock.bootId())
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
  }

  // ---- what is known at the segment's end ----

  /** Completes the tables once all samples have been read, too. */
  void finish() throws SQLException, IOException {
    for (RawSource source : sources.values()) {
      addSource(source);
      addTotals(source);
      addEnvironment(source);
    }
    for (Rollup rollup : rollups.toList()) {
      addRollup(rollup);
    }
    for (Appended appended : tables.values()) {
      appended.appender.flush();
    }
  }

  private void addSource(RawSource source) throws SQLException, JsonProcessingException {
    SegmentSource known = source.introduction();
    begin(Table.SOURCES)
        .append(source.uuid())
        .append(source.sequence())
        .append(known.hello().sourceKind())
        .append(known.hello().sourceName())
        .append(JSON.writeValueAsString(new TreeMap<>(known.hello().attributes())))
        .append(known.firstSeenEpochMillis())
        .append(known.epochOffsetNanos())
        .append(known.framesMissing())
        .append(source.framesUnreadable())
        .append(source.samplesDropped())
        .append(source.framesDropped())
        .append(source.finished())
        .endRow();
  }

  private void addTotals(RawSource source) throws SQLException {
    for (RawSource.StageTotals row : source.totals().values()) {
      int stageId = row.total().stageId();
      begin(Table.TOTALS)
          .append(source.uuid())
          .append(row.sequence())
          .append(source.stages().getOrDefault(stageId, STAGE_WITHOUT_NAME + stageId))
          .append(row.total().count())
          .append(row.total().failedCount())
          .append(row.total().sumTotalNanos())
          .append(source.samplesDropped())
          .append(source.framesDropped())
          .append(source.finished())
          .endRow();
    }
  }

  private void addEnvironment(RawSource source) throws SQLException {
    for (Map.Entry<String, RawSource.EnvironmentValue> entry : source.environment().entrySet()) {
      begin(Table.ENVIRONMENT)
          .append(source.uuid())
          .append(entry.getValue().sequence())
          .append(entry.getKey())
          .append(entry.getValue().value())
          .endRow();
    }
  }

  private void addRollup(Rollup rollup) throws SQLException {
    begin(Table.ROLLUPS)
        .append(rollup.beginEpochSeconds())
        .append(rollup.stage())
        .append(rollup.count())
        .append(rollup.failed())
        .append(rollup.sumTotalNanos())
        .append(rollup.sumOwnNanos())
        .append(rollup.minNanos())
        .append(rollup.maxNanos())
        .append(rollup.histogram())
        .endRow();
  }

  /** All are closed, whatever becomes of one: each holds memory of DuckDB. */
  @Override
  public void close() throws SQLException {
    SQLException failure = null;
    for (Map.Entry<Table, Appended> entry : tables.entrySet()) {
      try (entry.getValue().appender;
          Statement statement = database.createStatement()) {
        statement.execute("DROP TABLE IF EXISTS " + rawNameOf(entry.getKey()));
      } catch (SQLException e) {
        failure = failure == null ? e : failure;
      }
    }
    tables.clear();
    if (failure != null) {
      throw failure;
    }
  }

  /** Carries DuckDB's refusal through the decoders, which know of no SQL. */
  static final class AppendFailure extends RuntimeException {
    AppendFailure(SQLException cause) {
      super(cause.getMessage(), cause);
    }
  }
}

package org.fedometer.store.seal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.fedometer.store.Table;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Dictionary;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.RequestConsumer;
import org.fedometer.wire.RequestDecoder;
import org.fedometer.wire.SampleConsumer;
import org.fedometer.wire.SampleDecoder;
import org.fedometer.wire.Totals;
import org.fedometer.wire.TraceConsumer;
import org.fedometer.wire.TraceDecoder;

/**
 * Takes a segment's records into DuckDB tables of numbers, beside the dictionaries that name them,
 * and says how the sealed tables are made of the two. Used by one {@link Sealer} for one segment.
 */
final class RawTables implements SegmentVisitor, AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final DuckDBConnection database;
  private final DuckDBAppender samples;
  private final DuckDBAppender requests;
  private final DuckDBAppender traces;
  private final Map<Integer, RawSource> sources = new TreeMap<>();
  private RawSource current;
  private long sampleCount;
  private long requestCount;
  private long traceCount;
  private long unreadableFrames;

  private final SampleConsumer sampleConsumer = this::addSample;
  private final RequestConsumer requestConsumer = this::addRequest;
  private final TraceConsumer traceConsumer = this::addTrace;

  RawTables(DuckDBConnection database) throws SQLException {
    this.database = database;
    try (Statement statement = database.createStatement()) {
      statement.execute(
          "CREATE TABLE raw_samples (source INTEGER, stage INTEGER, thread INTEGER, trace BIGINT,"
              + " start_nanos BIGINT, total_nanos BIGINT, own_nanos BIGINT, failed BOOLEAN)");
      statement.execute(
          "CREATE TABLE raw_requests (source INTEGER, object_index BIGINT, pid VARCHAR,"
              + " traceparent VARCHAR, worker INTEGER, attempt INTEGER, start_nanos BIGINT,"
              + " duration_nanos BIGINT, status INTEGER, content_bytes BIGINT, message VARCHAR)");
      statement.execute(
          "CREATE TABLE raw_traces (source INTEGER, trace BIGINT, root_stage INTEGER, pid VARCHAR,"
              + " traceparent VARCHAR, failed BOOLEAN)");
      statement.execute(
          "CREATE TABLE raw_totals (source INTEGER, sequence BIGINT, stage INTEGER, count BIGINT,"
              + " failed BIGINT, sum_total_nanos BIGINT, samples_dropped BIGINT,"
              + " frames_dropped BIGINT, last BOOLEAN)");
      statement.execute(
          "CREATE TABLE raw_sources (source INTEGER, uuid VARCHAR, sequence BIGINT, kind VARCHAR,"
              + " name VARCHAR, attributes VARCHAR, first_seen_epoch_millis BIGINT, epoch_offset_nanos BIGINT,"
              + " frames_missing BIGINT, frames_unreadable BIGINT, samples_dropped BIGINT,"
              + " frames_dropped BIGINT, finished BOOLEAN)");
      statement.execute("CREATE TABLE stages (source INTEGER, id INTEGER, name VARCHAR)");
      statement.execute("CREATE TABLE threads (source INTEGER, id INTEGER, name VARCHAR)");
    }
    samples = database.createAppender("raw_samples");
    requests = database.createAppender("raw_requests");
    traces = database.createAppender("raw_traces");
  }

  /**
   * The query that yields a sealed table's rows, in the order in which they are to be written.
   * Samples are sorted before they get their names, which halves the work of sealing; {@link
   * Sealer} sees to it that the joins keep the order.
   */
  static String sealedRowsOf(Table table) {
    return switch (table) {
      case SAMPLES ->
          "SELECT uuid AS source, coalesce(g.name, 'stage-' || r.stage) AS stage,"
              + " coalesce(t.name, 'thread-' || r.thread) AS thread, r.trace, r.start_nanos,"
              + " r.total_nanos, r.own_nanos, r.failed FROM"
              + " (FROM raw_samples ORDER BY start_nanos) r"
              + " JOIN raw_sources s ON s.source = r.source"
              + " LEFT JOIN stages g ON g.source = r.source AND g.id = r.stage"
              + " LEFT JOIN threads t ON t.source = r.source AND t.id = r.thread";
      case REQUESTS ->
          "SELECT s.uuid AS source, r.* EXCLUDE (source) FROM raw_requests r"
              + " JOIN raw_sources s ON s.source = r.source ORDER BY r.start_nanos";
      case TRACES ->
          "SELECT s.uuid AS source, r.trace, coalesce(g.name, 'stage-' || r.root_stage)"
              + " AS root_stage, r.pid, r.traceparent, r.failed FROM raw_traces r"
              + " JOIN raw_sources s ON s.source = r.source"
              + " LEFT JOIN stages g ON g.source = r.source AND g.id = r.root_stage"
              + " ORDER BY s.uuid, r.trace";
      case TOTALS ->
          "SELECT s.uuid AS source, r.sequence, coalesce(g.name, 'stage-' || r.stage) AS stage,"
              + " r.count, r.failed, r.sum_total_nanos, r.samples_dropped, r.frames_dropped, r.last"
              + " FROM raw_totals r JOIN raw_sources s ON s.source = r.source"
              + " LEFT JOIN stages g ON g.source = r.source AND g.id = r.stage"
              + " ORDER BY s.uuid, r.stage";
      case SOURCES ->
          "SELECT uuid AS source, * EXCLUDE (source, uuid) FROM raw_sources ORDER BY uuid";
      case ENVIRONMENT, LOGS, TELEMETRY, GC, BARRIERS, CLOCKS, ROLLUPS ->
          "SELECT " + table.typedNulls() + " WHERE false";
    };
  }

  @Override
  public void run(String runId, String runName) {
    // The folder says the same.
  }

  @Override
  public void source(SegmentSource source) {
    sources.computeIfAbsent(source.index(), RawSource::new).introduced(source);
  }

  @Override
  public void document(int sourceIndex, Frame frame, long offset) throws IOException {
    // Already a file of the run's folder.
    sourceOf(sourceIndex).sequence = frame.sequence();
  }

  @Override
  public void frame(int sourceIndex, Frame frame) throws IOException {
    current = sourceOf(sourceIndex);
    if (frame.sequence() != 0) {
      current.sequence = frame.sequence();
    }
    FrameType type = frame.type();
    if (type == null) {
      return;
    }
    try {
      take(type, frame);
    } catch (MalformedFrameException e) {
      // Its CRC fitted, so the sender is at fault; the rest of the segment is as good as ever.
      unreadableFrames++;
      current.framesUnreadable++;
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
      case STAGES -> current.stages.putAll(Dictionary.decode(payload).entries());
      case THREADS -> current.threads.putAll(Dictionary.decode(payload).entries());
      case SAMPLES -> SampleDecoder.decode(payload, sampleConsumer);
      case TRACES -> TraceDecoder.decode(payload, traceConsumer);
      case REQUESTS -> RequestDecoder.decode(payload, requestConsumer);
      case TOTALS -> current.totals(frame.sequence(), Totals.decode(payload));
      default -> {
        // Nothing of it belongs into a table.
      }
    }
  }

  private void addSample(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long totalNanos,
      long ownNanos,
      boolean failed) {
    try {
      samples
          .beginRow()
          .append(current.index)
          .append(stageId)
          .append(threadId)
          .append(traceId)
          .append(startNanos)
          .append(totalNanos)
          .append(ownNanos)
          .append(failed)
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
    sampleCount++;
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
    try {
      requests
          .beginRow()
          .append(current.index)
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
    requestCount++;
  }

  private void addTrace(
      long traceId, int rootStageId, String pid, String traceparent, boolean failed) {
    try {
      traces
          .beginRow()
          .append(current.index)
          .append(traceId)
          .append(rootStageId)
          .append(pid)
          .append(traceparent)
          .append(failed)
          .endRow();
    } catch (SQLException e) {
      throw new AppendFailure(e);
    }
    traceCount++;
  }

  /** Completes the tables once the segment has been read. */
  void finish() throws SQLException, IOException {
    samples.flush();
    requests.flush();
    traces.flush();
    try (DuckDBAppender totals = database.createAppender("raw_totals");
        DuckDBAppender rows = database.createAppender("raw_sources");
        DuckDBAppender stages = database.createAppender("stages");
        DuckDBAppender threads = database.createAppender("threads")) {
      for (RawSource source : sources.values()) {
        addNames(stages, source.index, source.stages);
        addNames(threads, source.index, source.threads);
        addTotals(totals, source);
        addSource(rows, source);
      }
    }
  }

  private static void addNames(DuckDBAppender target, int source, Map<Integer, String> names)
      throws SQLException {
    for (Map.Entry<Integer, String> entry : names.entrySet()) {
      target
          .beginRow()
          .append(source)
          .append(entry.getKey().intValue())
          .append(entry.getValue())
          .endRow();
    }
  }

  private static void addTotals(DuckDBAppender target, RawSource source) throws SQLException {
    for (StageRow row : source.newestTotals.values()) {
      target
          .beginRow()
          .append(source.index)
          .append(row.sequence)
          .append(row.total.stageId())
          .append(row.total.count())
          .append(row.total.failedCount())
          .append(row.total.sumTotalNanos())
          .append(source.samplesDropped)
          .append(source.framesDropped)
          .append(source.finished)
          .endRow();
    }
  }

  private static void addSource(DuckDBAppender target, RawSource source)
      throws SQLException, JsonProcessingException {
    SegmentSource known = source.introduction;
    target
        .beginRow()
        .append(source.index)
        .append(known.hello().source().toString())
        .append(source.sequence)
        .append(known.hello().sourceKind())
        .append(known.hello().sourceName())
        .append(JSON.writeValueAsString(new TreeMap<>(known.hello().attributes())))
        .append(known.firstSeenEpochMillis())
        .append(0L)
        .append(known.framesMissing())
        .append(source.framesUnreadable)
        .append(source.samplesDropped)
        .append(source.framesDropped)
        .append(source.finished)
        .endRow();
  }

  SealResult result(Path segment, long tornBytes) {
    return new SealResult(
        segment, sampleCount, requestCount, traceCount, unreadableFrames, tornBytes);
  }

  @Override
  public void close() throws SQLException {
    try (samples;
        requests;
        traces) {
      current = null;
    }
  }

  /** Carries DuckDB's refusal through the decoders, which know of no SQL. */
  static final class AppendFailure extends RuntimeException {
    AppendFailure(SQLException cause) {
      super(cause.getMessage(), cause);
    }
  }

  private record StageRow(long sequence, Totals.StageTotal total) {}

  /** What the segment says of one source so far. */
  private static final class RawSource {
    private final int index;
    private final Map<Integer, String> stages = new HashMap<>();
    private final Map<Integer, String> threads = new HashMap<>();
    private final Map<Integer, StageRow> newestTotals = new TreeMap<>();
    private SegmentSource introduction;
    private long sequence;
    private long framesUnreadable;
    private long samplesDropped;
    private long framesDropped;
    private boolean finished;

    RawSource(int index) {
      this.index = index;
    }

    void introduced(SegmentSource source) {
      introduction = source;
      sequence = Math.max(sequence, source.lastSequence());
    }

    void totals(long frameSequence, Totals totals) {
      samplesDropped = totals.samplesDropped();
      framesDropped = totals.framesDropped();
      finished = totals.last();
      for (Totals.StageTotal stage : totals.stages()) {
        newestTotals.put(stage.stageId(), new StageRow(frameSequence, stage));
      }
    }
  }
}

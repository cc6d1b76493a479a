package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentCursor;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.SampleConsumer;
import org.fedometer.wire.SampleDecoder;

/**
 * The samples of a segment as rows that DuckDB pulls, sorted chunk by chunk, without ever being all
 * in memory; on the way they are rolled up. Sources, stages and threads are numbers of {@link
 * Names}, negative for those without a name. Read once, by DuckDB's one thread.
 */
final class SampleStream implements Closeable {
  private static final int NOT_NUMBERED = -2;

  private final Names stages = new Names();
  private final Names threads = new Names();
  private final Rollups rollups;
  private final Map<Integer, OneSource> sources = new HashMap<>();
  private final SegmentCursor cursor;
  private final SampleChunk chunk;
  private final SegmentVisitor frames = new Frames();
  private final SampleConsumer consumer = this::add;
  private OneSource current;
  private final int[] rollupStages;
  private long count;

  /**
   * @param chunk whose content is thrown away
   */
  SampleStream(Path segment, Map<Integer, RawSource> sources, Rollups rollups, SampleChunk chunk)
      throws IOException {
    this.rollups = rollups;
    this.chunk = chunk;
    for (Map.Entry<Integer, RawSource> source : sources.entrySet()) {
      this.sources.put(source.getKey(), new OneSource(source.getKey(), source.getValue()));
    }
    this.cursor = SegmentCursor.open(segment);
    this.rollupStages = new int[stages.list().size()];
    Arrays.fill(rollupStages, NOT_NUMBERED);
    chunk.clear();
  }

  /** Names of the stages in the order of their numbers in the rows. */
  List<String> stages() {
    return stages.list();
  }

  /** Names of the threads in the order of their numbers in the rows. */
  List<String> threads() {
    return threads.list();
  }

  /** How many rows there were; known when all have been pulled. */
  long count() {
    return count;
  }

  /** Tells DuckDB the columns of the rows. */
  static void bind(DuckDBTableFunctionBindInfo info) {
    for (String name : List.of("source", "stage", "thread")) {
      info.addResultColumn(name, DuckDBColumnType.INTEGER);
    }
    for (String name : List.of("trace", "start_nanos", "total_nanos", "children_nanos")) {
      info.addResultColumn(name, DuckDBColumnType.BIGINT);
    }
    info.addResultColumn("failed", DuckDBColumnType.BOOLEAN);
  }

  /** Writes the next rows; none when the segment has come to its end. */
  int writeNext(DuckDBDataChunkWriter target) throws IOException {
    if (!chunk.hasNext()) {
      fill();
    }
    return chunk.writeNext(target);
  }

  private void fill() throws IOException {
    chunk.clear();
    while (!chunk.isFull() && cursor.next(frames)) {
      // Each call adds the samples of one frame, if it has any.
    }
    chunk.sort();
  }

  private void add(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long totalNanos,
      long ownNanos,
      boolean failed) {
    int stage = current.stages.numberOf(stageId);
    chunk.add(
        current.index,
        stage,
        current.threads.numberOf(threadId),
        traceId,
        startNanos,
        totalNanos,
        totalNanos - ownNanos,
        failed);
    rollups.add(
        rollupStage(stage, stageId),
        startNanos + totalNanos + current.epochOffsetNanos,
        totalNanos,
        ownNanos,
        failed);
    count++;
  }

  /** Numbered when it occurs: a source may know far more stages than it uses. */
  private int rollupStage(int stage, int stageId) {
    if (stage < 0) {
      return rollups.stage(RawTables.STAGE_WITHOUT_NAME + stageId);
    }
    if (rollupStages[stage] == NOT_NUMBERED) {
      rollupStages[stage] = rollups.stage(stages.list().get(stage));
    }
    return rollupStages[stage];
  }

  @Override
  public void close() throws IOException {
    cursor.close();
  }

  private final class OneSource {
    private final int index;
    private final RawSource source;
    private final long epochOffsetNanos;
    private final Names.OfSource stages;
    private final Names.OfSource threads;

    OneSource(int index, RawSource source) {
      this.index = index;
      this.source = source;
      this.epochOffsetNanos = source.epochOffsetNanos();
      this.stages = SampleStream.this.stages.add(source.stages());
      this.threads = SampleStream.this.threads.add(source.threads());
    }
  }

  private final class Frames implements SegmentVisitor {
    @Override
    public void run(String runId, String runName) {
      // The folder says the same.
    }

    @Override
    public void source(SegmentSource source) {
      // Known already.
    }

    @Override
    public void frame(int sourceIndex, Frame frame) {
      if (frame.type() == FrameType.SAMPLES) {
        current = sources.get(sourceIndex);
        try {
          SampleDecoder.decode(ByteBuffer.wrap(frame.payload()), consumer);
        } catch (MalformedFrameException e) {
          // Its CRC fitted, so the sender is at fault; what could be read of it stays.
          current.source.noteUnreadable();
        }
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {
      // No sample in it.
    }
  }
}

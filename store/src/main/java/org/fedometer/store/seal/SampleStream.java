package org.fedometer.store.seal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.fedometer.store.rollup.Rollups;
import org.fedometer.store.segment.SegmentCursor;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.store.segment.SegmentVisitor;
import org.fedometer.wire.Frame;
import org.fedometer.wire.FrameType;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.record.SampleConsumer;
import org.fedometer.wire.record.SampleDecoder;

/**
 * Reads the samples of a segment in sorted chunks, without holding all in memory, and adds them to
 * rollups. Sources, stages and threads are numbers of {@link Names}, negative without a name. Read
 * once, by one thread.
 */
final class SampleStream implements Closeable {
  private static final int NOT_NUMBERED = -2;

  private final Names sourceNames = new Names("source-");
  private final Names stages = new Names(Rollups.STAGE_WITHOUT_NAME);
  private final Names threads = new Names(RawTables.THREAD_WITHOUT_NAME);
  private final Rollups rollups;
  private final AfterFrame afterFrame;
  private final Map<Integer, OneSource> sources = new HashMap<>();
  private final SegmentCursor cursor;
  private final SampleChunk chunk;
  private final SegmentVisitor frames = new Frames();
  private final SampleConsumer consumer = this::add;
  private OneSource current;
  private final int[] rollupStages;
  private long count;

  /** Called between frames, to drain rollups before they reach their limits. */
  @FunctionalInterface
  interface AfterFrame {
    void run() throws IOException;
  }

  /**
   * @param rollups receive each sample
   * @param afterFrame may drain {@code rollups}
   * @param chunk its content is discarded
   */
  SampleStream(
      Path segment,
      Map<Integer, RawSource> sources,
      Rollups rollups,
      AfterFrame afterFrame,
      SampleChunk chunk)
      throws IOException {
    this.rollups = rollups;
    this.afterFrame = afterFrame;
    this.chunk = chunk;
    for (Map.Entry<Integer, RawSource> source : sources.entrySet()) {
      this.sources.put(source.getKey(), new OneSource(source.getValue()));
    }
    this.cursor = SegmentCursor.open(segment);
    this.rollupStages = new int[stages.count()];
    Arrays.fill(rollupStages, NOT_NUMBERED);
    chunk.clear();
  }

  Names sources() {
    return sourceNames;
  }

  Names stages() {
    return stages;
  }

  Names threads() {
    return threads;
  }

  long count() {
    return count;
  }

  /** Fills the chunk with the next samples and sorts them; returns false if there are none. */
  boolean next() throws IOException {
    chunk.clear();
    while (!chunk.isFull() && cursor.next(frames)) {
      // Each call adds the samples of one frame, if it has any.
    }
    chunk.sort();
    return chunk.count() > 0;
  }

  private void add(
      int stageId,
      int threadId,
      long traceId,
      long startNanos,
      long durationNanos,
      long selfNanos,
      boolean failed) {
    int stage = current.stages.numberOf(stageId);
    chunk.add(
        current.number,
        stage,
        current.threads.numberOf(threadId),
        traceId,
        startNanos,
        durationNanos,
        durationNanos - selfNanos,
        failed);
    rollups.add(
        rollupStage(stage, stageId),
        startNanos + durationNanos + current.epochOffsetNanos,
        durationNanos,
        selfNanos,
        failed);
    count++;
  }

  /** Numbered on first use: a source may name far more stages than it uses. */
  private int rollupStage(int stage, int stageId) {
    if (stage < 0) {
      return rollups.stage(Rollups.STAGE_WITHOUT_NAME + stageId);
    }
    if (rollupStages[stage] == NOT_NUMBERED) {
      rollupStages[stage] = rollups.stage(stages.nameOf(stage));
    }
    return rollupStages[stage];
  }

  @Override
  public void close() throws IOException {
    cursor.close();
  }

  private final class OneSource {
    private final int number;
    private final RawSource source;
    private final long epochOffsetNanos;
    private final Names.SourceNames stages;
    private final Names.SourceNames threads;

    OneSource(RawSource source) {
      this.number = sourceNames.add(Map.of(0, source.uuid())).numberOf(0);
      this.source = source;
      this.epochOffsetNanos = source.epochOffsetNanos();
      this.stages = SampleStream.this.stages.add(source.stages());
      this.threads = SampleStream.this.threads.add(source.threads());
    }
  }

  private final class Frames implements SegmentVisitor {
    @Override
    public void run(String runId, String runName) {
      // The folder has the same data.
    }

    @Override
    public void source(SegmentSource source) {
      // Known already.
    }

    @Override
    public void frame(int sourceIndex, Frame frame) throws IOException {
      if (frame.type() == FrameType.SAMPLES) {
        current = sources.get(sourceIndex);
        try {
          SampleDecoder.decode(ByteBuffer.wrap(frame.payload()), consumer);
        } catch (MalformedFrameException e) {
          // Its CRC is right, so the sender is at fault; samples decoded before stay.
          current.source.noteUnreadable();
        }
        afterFrame.run();
      }
    }

    @Override
    public void document(int sourceIndex, Frame frame, long offset) {
      // It has no samples.
    }
  }
}

package org.fedometer.wire.session;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.fedometer.wire.MalformedFrameException;
import org.fedometer.wire.PayloadReader;
import org.fedometer.wire.PayloadWriter;

/**
 * Exact sums of a source since its start: the payload of {@code FrameType.TOTALS}. They count every
 * execution of a stage, including those whose sample was dropped. The newest frame replaces earlier
 * ones. Immutable.
 */
public final class Totals {
  private final List<StageTotal> stages;
  private final long samplesDropped;
  private final long framesDropped;
  private final long tracesDropped;
  private final long stagesSkipped;
  private final long threadsRefused;
  private final boolean last;

  /**
   * @param stages one for each executed stage
   * @param samplesDropped samples dropped by a full ring, since the source's start
   * @param framesDropped frames dropped by the client's full memory, since the source's start
   * @param tracesDropped traces dropped by a full ring, since the source's start
   * @param stagesSkipped executions of stages nested too deep to be timed, since the source's start
   * @param threadsRefused threads not recorded, since there were too many
   * @param last true if no frame follows: the source ends orderly
   */
  public Totals(
      List<StageTotal> stages,
      long samplesDropped,
      long framesDropped,
      long tracesDropped,
      long stagesSkipped,
      long threadsRefused,
      boolean last) {
    this.stages = Collections.unmodifiableList(new ArrayList<>(stages));
    this.samplesDropped = samplesDropped;
    this.framesDropped = framesDropped;
    this.tracesDropped = tracesDropped;
    this.stagesSkipped = stagesSkipped;
    this.threadsRefused = threadsRefused;
    this.last = last;
  }

  public List<StageTotal> stages() {
    return stages;
  }

  public long samplesDropped() {
    return samplesDropped;
  }

  public long framesDropped() {
    return framesDropped;
  }

  public long tracesDropped() {
    return tracesDropped;
  }

  /** They are in no sum and no sample. */
  public long stagesSkipped() {
    return stagesSkipped;
  }

  /** Their work is in no sum and no sample. */
  public long threadsRefused() {
    return threadsRefused;
  }

  public boolean last() {
    return last;
  }

  public byte[] encode() {
    PayloadWriter out = new PayloadWriter();
    out.flag(last);
    out.varint(samplesDropped);
    out.varint(framesDropped);
    out.varint(tracesDropped);
    out.varint(stagesSkipped);
    out.varint(threadsRefused);
    out.varint(stages.size());
    for (StageTotal stage : stages) {
      out.varint(stage.stageId);
      out.varint(stage.count);
      out.varint(stage.failedCount);
      out.varint(stage.sumDurationNanos);
    }
    return out.toByteArray();
  }

  /**
   * @throws MalformedFrameException also for trailing bytes, and for a stage that the constructor
   *     of {@link StageTotal} would reject
   */
  public static Totals decode(ByteBuffer payload) throws MalformedFrameException {
    PayloadReader in = new PayloadReader(payload);
    boolean last = in.flag();
    long samplesDropped = in.varint();
    long framesDropped = in.varint();
    long tracesDropped = in.varint();
    long stagesSkipped = in.varint();
    long threadsRefused = in.varint();
    int count = in.count("stages", 4);
    List<StageTotal> stages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      stages.add(
          new StageTotal(in.varintInt("A stage's number"), in.varint(), in.varint(), in.varint()));
    }
    in.expectEnd();
    return new Totals(
        stages, samplesDropped, framesDropped, tracesDropped, stagesSkipped, threadsRefused, last);
  }

  public static final class StageTotal {
    private final int stageId;
    private final long count;
    private final long failedCount;
    private final long sumDurationNanos;

    /**
     * @param stageId number of the stage in the source's dictionary
     * @param count finished executions
     * @param failedCount executions that ended by an exception
     * @param sumDurationNanos sum of the durations
     */
    public StageTotal(int stageId, long count, long failedCount, long sumDurationNanos) {
      if (stageId < 0) {
        throw new IllegalArgumentException("A stage's number must be 0 or more: " + stageId);
      }
      this.stageId = stageId;
      this.count = count;
      this.failedCount = failedCount;
      this.sumDurationNanos = sumDurationNanos;
    }

    public int stageId() {
      return stageId;
    }

    public long count() {
      return count;
    }

    public long failedCount() {
      return failedCount;
    }

    public long sumDurationNanos() {
      return sumDurationNanos;
    }
  }
}

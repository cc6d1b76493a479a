package org.fedometer.analysis;

import java.util.List;
import org.fedometer.store.RunDocument.Phase;

/**
 * Which samples belong to the ingest: those that start in the phase {@code ingest}, and those of
 * the stages {@code triples.*} that start in the phase {@code drain} too, since triples are written
 * late. The rest of the drain is this tool counting triples and reading objects back, which is not
 * the ingest. Bounds are readings of {@code System.nanoTime()}, both inclusive.
 *
 * @param ingestEndNanos the ingest ends; {@link Long#MAX_VALUE} where it has not
 * @param drainEndNanos the drain ends, or {@link #ingestEndNanos} where there was none
 */
public record IngestWindow(long startNanos, long ingestEndNanos, long drainEndNanos) {

  /** Everything belongs: a monitoring run has no phases. */
  public static final IngestWindow ALL =
      new IngestWindow(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Nothing belongs: the run ended before it ingested. */
  public static final IngestWindow NONE =
      new IngestWindow(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);

  /**
   * The window of a run with these phases, {@link #NONE} where none of them is the ingest.
   *
   * @param phasesOrNull as in {@code run.json}, which may be somebody else's: what has no name is
   *     passed over
   */
  public static IngestWindow of(List<Phase> phasesOrNull) {
    if (phasesOrNull == null) {
      return NONE;
    }
    long start = Long.MAX_VALUE;
    long ingestEnd = Long.MIN_VALUE;
    long drainEnd = Long.MIN_VALUE;
    for (Phase phase : phasesOrNull) {
      if (phase == null) {
        continue;
      }
      if (Phase.INGEST.equals(phase.name())) {
        start = Math.min(start, phase.startNanos());
        ingestEnd = Math.max(ingestEnd, end(phase));
      } else if (Phase.DRAIN.equals(phase.name())) {
        drainEnd = Math.max(drainEnd, end(phase));
      }
    }
    return ingestEnd == Long.MIN_VALUE
        ? NONE
        : new IngestWindow(start, ingestEnd, Math.max(ingestEnd, drainEnd));
  }

  public boolean ingestEnded() {
    return ingestEndNanos != Long.MAX_VALUE;
  }

  /** Whether there was a drain, and it has ended. */
  public boolean drained() {
    return drainEndNanos > ingestEndNanos && drainEndNanos != Long.MAX_VALUE;
  }

  /** A phase that is still going on, or was cut off, has no end after its start. */
  private static long end(Phase phase) {
    return phase.endNanos() > phase.startNanos() ? phase.endNanos() : Long.MAX_VALUE;
  }
}

package org.fedometer.analysis;

import java.util.List;
import org.fedometer.store.RunDocument.Phase;

/**
 * Defines the samples that belong to the ingest: those that start in the phase {@code ingest}, and
 * those of stages {@code triples.*} that start in the phase {@code drain}, since triples are
 * written late. The rest of the drain is Fedometer's own work, counting triples and reading objects
 * back. Bounds are readings of {@code System.nanoTime()}, both inclusive.
 *
 * @param ingestEndNanos end of the ingest; {@link Long#MAX_VALUE} if it has not ended
 * @param drainEndNanos end of the drain, or {@link #ingestEndNanos} without one
 */
public record IngestWindow(long startNanos, long ingestEndNanos, long drainEndNanos) {

  /** Contains everything: a monitoring run has no phases. */
  public static final IngestWindow ALL =
      new IngestWindow(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Contains nothing: the run ended before its ingest. */
  public static final IngestWindow NONE =
      new IngestWindow(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);

  /**
   * Returns the window of a run with these phases, {@link #NONE} without an ingest.
   *
   * @param phasesOrNull as in {@code run.json}, possibly foreign: phases without a name are ignored
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

  /** Returns whether there was a drain that has ended. */
  public boolean drained() {
    return drainEndNanos > ingestEndNanos && drainEndNanos != Long.MAX_VALUE;
  }

  /** Returns the end of a phase; an active or truncated one has none after its start. */
  private static long end(Phase phase) {
    return phase.endNanos() > phase.startNanos() ? phase.endNanos() : Long.MAX_VALUE;
  }
}

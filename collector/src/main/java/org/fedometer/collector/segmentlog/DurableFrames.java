package org.fedometer.collector.segmentlog;

import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;

/**
 * Learns of every frame as soon as it is on disk, for what is to be known before it is sealed.
 *
 * <p>Called on the journal's thread after the frames have been acknowledged, at recovery on the
 * thread that starts the journal. All sources wait meanwhile: who has much to do copies what it
 * needs and goes on elsewhere. What it throws is logged and does no harm.
 */
public interface DurableFrames {
  DurableFrames NONE = (run, source, segment, frame) -> {};

  /**
   * A frame is on disk: one that has just come, or one of a segment that an earlier collector left.
   *
   * @param source that sent it; the same object for all its frames while the run is open, so what
   *     it says of sequences is of the time when the run was opened
   * @param segment name of the file in the run's segments
   * @param frame not to be changed; sequence 0 for dictionaries taken over, at recovery and in the
   *     first segment of a day's monitoring run, and for those of an {@link EventConnection}
   */
  void durable(RunFolder run, SegmentSource source, String segment, Frame frame);

  /** What the segment held can be asked of the run's tables from now on. */
  default void sealed(RunFolder run, String segment) {}

  /** The run has been put away; should it be opened again, its dictionaries come again. */
  default void closed(RunFolder run) {}

  /** Tells this one first, then the other, whatever becomes of this one. */
  default DurableFrames and(DurableFrames other) {
    DurableFrames one = this;
    return new DurableFrames() {
      @Override
      public void durable(RunFolder run, SegmentSource source, String segment, Frame frame) {
        try {
          one.durable(run, source, segment, frame);
        } finally {
          other.durable(run, source, segment, frame);
        }
      }

      @Override
      public void sealed(RunFolder run, String segment) {
        try {
          one.sealed(run, segment);
        } finally {
          other.sealed(run, segment);
        }
      }

      @Override
      public void closed(RunFolder run) {
        try {
          one.closed(run);
        } finally {
          other.closed(run);
        }
      }
    };
  }
}

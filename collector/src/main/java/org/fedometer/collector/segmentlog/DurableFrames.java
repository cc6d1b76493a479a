package org.fedometer.collector.segmentlog;

import org.fedometer.store.RunFolder;
import org.fedometer.store.segment.SegmentSource;
import org.fedometer.wire.Frame;

/**
 * Observes each frame as soon as it is durable, for data needed before sealing.
 *
 * <p>Called on the segment log's thread after the acknowledgement, or during recovery on the
 * starting thread. It blocks all sources, so longer work must be copied to another thread.
 * Exceptions are logged and ignored.
 */
public interface DurableFrames {
  DurableFrames NONE = (run, source, segment, frame) -> {};

  /**
   * Reports a durable frame, new or from an earlier collector's segment.
   *
   * @param source its source, the same object while the run is open; its sequences are those of
   *     when the run was opened
   * @param segment file name of the segment
   * @param frame not to be changed. Sequence 0 for copied dictionaries, at recovery and in the
   *     first segment of a day's monitoring run, and for those of an {@link EventConnection}
   */
  void durable(RunFolder run, SegmentSource source, String segment, Frame frame);

  /** Reports that the segment's content is now in the run's tables. */
  default void sealed(RunFolder run, String segment) {}

  /** Reports that the run was closed; if reopened, its dictionaries are repeated. */
  default void closed(RunFolder run) {}

  /** Returns an observer that calls this one, then the other, even if this one throws. */
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

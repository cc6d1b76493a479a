package org.fedometer.store.segment;

import java.io.IOException;
import org.fedometer.wire.Frame;

/** Takes the records of a segment in order, on the reading thread. */
public interface SegmentVisitor {
  /** First record of each segment. */
  void run(String runId, String runName) throws IOException;

  /** Comes before the source's first frame; comes again when more is known of the source. */
  void source(SegmentSource source) throws IOException;

  /**
   * @param sourceIndex as introduced before
   * @param frame sequence 0 where it only repeats what earlier segments held (dictionaries)
   */
  void frame(int sourceIndex, Frame frame) throws IOException;

  /**
   * @param frame holds a {@link org.fedometer.wire.session.Document}
   * @param offset where in the file an appended piece begins; 0 for a replacing one
   */
  void document(int sourceIndex, Frame frame, long offset) throws IOException;
}

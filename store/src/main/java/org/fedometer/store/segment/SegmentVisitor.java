package org.fedometer.store.segment;

import java.io.IOException;
import org.fedometer.wire.Frame;

/** Accepts the records of a segment in order, on the reading thread. */
public interface SegmentVisitor {
  /** First record of each segment. */
  void run(String runId, String runName) throws IOException;

  /** Precedes the source's first frame; repeated when its data changes. */
  void source(SegmentSource source) throws IOException;

  /**
   * @param sourceIndex as introduced before
   * @param frame sequence 0 if it only repeats earlier segments (dictionaries)
   */
  void frame(int sourceIndex, Frame frame) throws IOException;

  /**
   * @param frame holds a {@link org.fedometer.wire.session.Document}
   * @param offset start of an appended piece in the file; 0 for a replacing one
   */
  void document(int sourceIndex, Frame frame, long offset) throws IOException;
}

package org.fedometer.collector.segmentlog;

import java.util.List;
import org.fedometer.wire.Frame;

/**
 * A connected source that sends single events, which the collector converts to frames. The
 * collector assigns numbers to names and defines them in dictionaries of sequence 0 before their
 * use.
 *
 * <p>Its sequences increase with arbitrary gaps, so they do not reveal the number of frames. The
 * attribute {@link #TRANSPORT} of its {@link org.fedometer.wire.session.Hello} marks the source
 * permanently.
 */
public interface EventConnection extends SourceConnection {
  /** Name of the attribute that each such source must have. */
  String TRANSPORT = "transport";

  String LOG4J2 = "log4j2";

  /**
   * Reports the stored state of the source, before the welcome. On the segment log's thread; must
   * not block.
   *
   * @param lastSequence newest accepted frame, 0 if none: it and all before it are here, but
   *     perhaps not durable
   * @param dictionaries numbers of names
   */
  void recall(long lastSequence, List<Frame> dictionaries);
}

package org.fedometer.collector.segmentlog;

import java.util.List;
import org.fedometer.wire.Frame;

/**
 * A connected source that tells single events, of which the collector makes frames itself. It knows
 * no numbers for names: the collector gives them, and tells the journal what they stand for by
 * dictionaries of sequence 0, before a frame that uses them.
 *
 * <p>Sequences of such a source grow, and leave out what they like: how many frames it had cannot
 * be told by them. An attribute of its {@link org.fedometer.wire.session.Hello}, {@link
 * #TRANSPORT}, says so for as long as the source is known.
 */
public interface EventConnection extends SourceConnection {
  /** Name of the attribute that each such source must have. */
  String TRANSPORT = "transport";

  String LOG4J2 = "log4j2";

  /**
   * What is here of the source already, said before the welcome. The journal's thread calls;
   * nothing here blocks.
   *
   * @param lastSequence newest frame that was taken, 0 if none: it and those before it are here,
   *     though perhaps not on disk yet
   * @param dictionaries the numbers that stand for names
   */
  void recall(long lastSequence, List<Frame> dictionaries);
}

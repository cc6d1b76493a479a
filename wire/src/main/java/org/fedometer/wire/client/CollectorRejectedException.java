package org.fedometer.wire.client;

import java.io.IOException;
import org.fedometer.wire.session.Rejected;

/**
 * Thrown if a collector rejects a connection; the message is one sentence with the collector and
 * the reason.
 */
public final class CollectorRejectedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean temporary;

  /**
   * @param collector the start of a sentence
   */
  public CollectorRejectedException(String collector, Rejected rejected) {
    super(collector + " refuses: " + rejected.reason());
    this.temporary = rejected.temporary();
  }

  /** Creates a permanent rejection. */
  CollectorRejectedException(String sentence) {
    super(sentence);
    this.temporary = false;
  }

  /**
   * Returns whether the same HELLO may be accepted later, for instance after the collector
   * restarts.
   */
  public boolean isTemporary() {
    return temporary;
  }
}

package org.fedometer.wire.client;

import java.io.IOException;
import org.fedometer.wire.session.Rejected;

/** A collector does not let somebody in; the message is one sentence that says which, and why. */
public final class CollectorRejectedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean temporary;

  /** {@code collector} is as a sentence begins with it. */
  public CollectorRejectedException(String collector, Rejected rejected) {
    super(collector + " refuses: " + rejected.reason());
    this.temporary = rejected.temporary();
  }

  /** Of a refusal that is final. */
  CollectorRejectedException(String sentence) {
    super(sentence);
    this.temporary = false;
  }

  /** Whether the same may be welcome later, for instance when the collector has restarted. */
  public boolean isTemporary() {
    return temporary;
  }
}

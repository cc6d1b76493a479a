package org.fedometer.wire.client;

import java.io.IOException;
import org.fedometer.wire.session.Refused;

/** A collector does not let somebody in; the message is one sentence that says which, and why. */
public final class CollectorRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean passing;

  /** {@code collector} is as a sentence begins with it. */
  public CollectorRefusedException(String collector, Refused refused) {
    super(collector + " refuses: " + refused.reason());
    this.passing = refused.passing();
  }

  /** Of a refusal that is final. */
  CollectorRefusedException(String sentence) {
    super(sentence);
    this.passing = false;
  }

  /** Whether the same may be welcome later, for instance when the collector has restarted. */
  public boolean isPassing() {
    return passing;
  }
}

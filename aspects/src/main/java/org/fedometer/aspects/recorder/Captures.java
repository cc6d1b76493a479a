package org.fedometer.aspects.recorder;

/**
 * Captured lines of Fedora's log and flushes of triples, buffered from Fedora's threads until the
 * agent's drainer removes them.
 *
 * <p>The agent's threads control one switch for all captures; while it is off, nothing is kept.
 */
public final class Captures {

  private static volatile Captures current;

  private final FedoraLog log;
  private final TripleFlushes flushes = new TripleFlushes();

  /**
   * @param log flushes are captured even if its level is {@link FedoraLog#OFF}
   */
  public Captures(FedoraLog log) {
    this.log = log;
  }

  /** Sends captures to {@code target} from now on, {@code null} for none; any thread. */
  public static void setCurrent(Captures target) {
    current = target;
  }

  /** Returns null while capturing is off; any thread. */
  public static Captures current() {
    return current;
  }

  public FedoraLog log() {
    return log;
  }

  public TripleFlushes flushes() {
    return flushes;
  }
}

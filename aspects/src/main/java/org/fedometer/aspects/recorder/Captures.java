package org.fedometer.aspects.recorder;

/**
 * Where captures leave what they take down on Fedora's threads, until the agent's drainer takes it:
 * lines of Fedora's log, and flushes of triples.
 *
 * <p>One switch is for all of them, thrown by the agent's threads; while it is off nothing is kept.
 */
public final class Captures {

  private static volatile Captures current;

  private final FedoraLog log;
  private final TripleFlushes flushes = new TripleFlushes();

  /**
   * @param log where its level is {@link FedoraLog#OFF}, flushes are kept all the same
   */
  public Captures(FedoraLog log) {
    this.log = log;
  }

  /** What is captured goes to {@code target} from now on, {@code null} for nowhere; any thread. */
  public static void setCurrent(Captures target) {
    current = target;
  }

  /** Null while nothing is captured; any thread. */
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

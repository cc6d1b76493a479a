package org.fcrepo.server.storage.translation;

/**
 * Stand-in with a name that the agent weaves: MooBench's recursive method without work, in three
 * dresses.
 */
public final class DOTranslatorImpl {

  private long spentNanos;

  /** Woven by the agent. */
  public int serialize(int depth) {
    return depth > 1 ? serialize(depth - 1) : depth;
  }

  /** Not woven: what the loop and the calls cost by themselves. */
  public int bare(int depth) {
    return depth > 1 ? bare(depth - 1) : depth;
  }

  /** Not woven: the least that a timed call can cost. */
  public int twoClocks(int depth) {
    long start = System.nanoTime();
    try {
      return depth > 1 ? twoClocks(depth - 1) : depth;
    } finally {
      spentNanos += System.nanoTime() - start;
    }
  }

  /** Keeps the clocks' results alive. */
  public long spentNanos() {
    return spentNanos;
  }
}

package org.trippi.impl.base;

/** Stand-in with the name and shape of Trippi's, for the agent to weave. */
public class ConcurrentTriplestoreWriter {

  private final int updates;

  public ConcurrentTriplestoreWriter() {
    this(42);
  }

  /**
   * @param updates in the buffer; below 10 the triplestore rejects them
   */
  public ConcurrentTriplestoreWriter(int updates) {
    this.updates = updates;
  }

  public int getBufferSize() {
    return updates;
  }

  public void flushBuffer() {
    if (updates < 10) {
      throw new IllegalStateException(
          "Error updating triples", new IllegalArgumentException("value too long"));
    }
    System.out.println("flushed");
  }
}

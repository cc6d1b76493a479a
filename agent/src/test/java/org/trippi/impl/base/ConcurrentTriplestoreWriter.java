package org.trippi.impl.base;

/** Stand-in with the name and shape of Trippi's, for the agent to weave. */
public class ConcurrentTriplestoreWriter {

  public void flushBuffer() {
    System.out.println("flushed");
  }
}

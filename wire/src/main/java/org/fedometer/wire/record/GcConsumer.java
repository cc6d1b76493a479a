package org.fedometer.wire.record;

/** Takes the garbage collections of a frame, one after the other, on the decoding thread. */
@FunctionalInterface
public interface GcConsumer {
  /**
   * @param collector such as {@code G1 Young Generation}
   * @param action such as {@code end of minor GC}
   * @param cause such as {@code Allocation Failure}
   * @param startNanos {@code System.nanoTime()} at its start
   * @param durationNanos from start to end
   * @param heapBeforeBytes in use before it
   * @param heapAfterBytes in use after it
   */
  void collection(
      String collector,
      String action,
      String cause,
      long startNanos,
      long durationNanos,
      long heapBeforeBytes,
      long heapAfterBytes);
}

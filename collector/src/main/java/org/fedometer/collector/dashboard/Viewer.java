package org.fedometer.collector.dashboard;

/** A viewer of a run. The dashboard's thread calls; methods do not block. */
public interface Viewer {
  /**
   * Sends an event.
   *
   * @param event a complete event of an event stream; not modified
   * @return false if the viewer has left, or was too slow and is disconnected
   */
  boolean send(byte[] event);

  /** Reports that no events follow. */
  void end();
}

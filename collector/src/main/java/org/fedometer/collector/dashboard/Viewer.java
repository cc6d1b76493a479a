package org.fedometer.collector.dashboard;

/** Somebody who looks on at a run. The dashboard's thread calls; nothing here blocks. */
public interface Viewer {
  /**
   * @param event whole, as an event stream has it; not to be changed
   * @return false when the viewer has gone, or was too slow and has been cut off
   */
  boolean send(byte[] event);

  /** Nothing comes any more. */
  void end();
}

package org.fedometer.agent.core.ship;

import org.fedometer.wire.FrameType;

/** Receives copies of the frames for the collector; called on the drainer's thread. */
public interface FrameListener {

  /**
   * Accepts one durable frame; names come before their numbers. Returns at once and throws nothing.
   *
   * @param payload read-only
   */
  void onFrame(FrameType type, byte[] payload);
}

package org.fedometer.agent.core.ship;

import org.fedometer.wire.FrameType;

/** Takes copies of the frames that go to the collector; called on the drainer's thread. */
public interface FrameListener {

  /**
   * One durable frame; names come before the numbers that they explain. Returns at once and throws
   * nothing.
   *
   * @param payload not to be written to
   */
  void onFrame(FrameType type, byte[] payload);
}

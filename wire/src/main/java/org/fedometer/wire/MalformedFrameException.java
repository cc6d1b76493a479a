package org.fedometer.wire;

import java.io.IOException;

/**
 * Bytes that are not what {@code docs/developers/protocol.md} says: thrown by every decoder, on any
 * thread.
 */
public final class MalformedFrameException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedFrameException(String message) {
    super(message);
  }
}

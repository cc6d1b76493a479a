package org.fedometer.wire;

import java.io.IOException;

/**
 * Thrown by every decoder, on any thread, for bytes that violate {@code
 * docs/developers/protocol.md}.
 */
public final class MalformedFrameException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedFrameException(String message) {
    super(message);
  }
}

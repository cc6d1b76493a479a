package org.fedometer.collector.measured;

import java.io.IOException;

/** Thrown if an event violates {@code docs/developers/protocol.md}; the message is one sentence. */
final class MalformedEventException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedEventException(String message) {
    super(message);
  }
}

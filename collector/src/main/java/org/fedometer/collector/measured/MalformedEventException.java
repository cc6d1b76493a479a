package org.fedometer.collector.measured;

import java.io.IOException;

/** An event that is not what {@code docs/developers/protocol.md} says; one sentence. */
final class MalformedEventException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedEventException(String message) {
    super(message);
  }
}

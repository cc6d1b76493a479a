package org.fedometer.collector.measured;

import java.io.IOException;

/** An event that is not what {@code docs/log4j2.md} says; one sentence. */
final class MalformedEventException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedEventException(String message) {
    super(message);
  }
}

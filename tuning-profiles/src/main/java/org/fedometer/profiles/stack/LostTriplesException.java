package org.fedometer.profiles.stack;

import java.io.IOException;
import java.util.List;

/**
 * Thrown if a stack has ended, and Fedora could not write triples of acknowledged objects. The
 * message has the number and the cause.
 */
public final class LostTriplesException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient List<String> ended;

  LostTriplesException(String message, List<String> ended) {
    super(message);
    this.ended = List.copyOf(ended);
  }

  /** Returns what was ended all the same, such as {@code Fedora (pid 4711)}. */
  public List<String> ended() {
    return ended;
  }
}

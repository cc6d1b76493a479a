package org.fedometer.attach;

import java.io.IOException;

/** A JVM could not be reached; the message says why and what to do, in words for the user. */
public sealed class AttachException extends IOException permits AgentRejectedException {
  private static final long serialVersionUID = 1L;

  AttachException(String message) {
    super(message);
  }

  AttachException(String message, Throwable cause) {
    super(message, cause);
  }
}

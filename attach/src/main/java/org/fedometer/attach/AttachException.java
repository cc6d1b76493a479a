package org.fedometer.attach;

import java.io.IOException;

/** A JVM could not be reached; the message has the reason and the remedy, for users. */
public sealed class AttachException extends IOException permits AgentRejectedException {
  private static final long serialVersionUID = 1L;

  AttachException(String message) {
    super(message);
  }

  AttachException(String message, Throwable cause) {
    super(message, cause);
  }
}

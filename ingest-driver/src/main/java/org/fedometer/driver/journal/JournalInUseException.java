package org.fedometer.driver.journal;

import java.io.IOException;

/** Thrown if another process writes the journal. */
public final class JournalInUseException extends IOException {

  private static final long serialVersionUID = 1L;

  JournalInUseException(String message) {
    super(message);
  }
}

package org.fedometer.driver;

import java.io.IOException;

/** Fedora answered a question with an error. */
public final class FedoraRefusalException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int status;

  FedoraRefusalException(String what, FedoraAnswer answer) {
    super(what + ": Fedora answered " + answer.describe());
    this.status = answer.status();
  }

  /** HTTP status of the answer. */
  public int status() {
    return status;
  }
}

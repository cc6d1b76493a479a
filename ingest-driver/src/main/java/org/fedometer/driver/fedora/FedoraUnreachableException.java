package org.fedometer.driver.fedora;

import java.io.IOException;

/** Thrown if no connection to Fedora could be made: nothing was sent. */
public final class FedoraUnreachableException extends IOException {

  private static final long serialVersionUID = 1L;

  FedoraUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}

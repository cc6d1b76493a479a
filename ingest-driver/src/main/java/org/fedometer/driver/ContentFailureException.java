package org.fedometer.driver;

import java.io.IOException;

/**
 * The dataset could not produce what was to be sent; neither Fedora nor the network is to blame.
 */
final class ContentFailureException extends IOException {

  private static final long serialVersionUID = 1L;

  ContentFailureException(Throwable cause) {
    super(
        "The dataset could not produce this object: "
            + (cause.getMessage() == null ? cause.toString() : cause.getMessage()),
        cause);
  }
}

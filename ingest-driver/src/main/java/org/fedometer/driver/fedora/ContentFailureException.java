package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.fedometer.wire.FailureText;

/**
 * Thrown if the dataset could not produce what was to be sent; neither Fedora nor the network
 * failed.
 */
public final class ContentFailureException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param cause exception of the dataset; an {@code UncheckedIOException} is reported by its cause
   */
  public ContentFailureException(Throwable cause) {
    super("The dataset could not produce this object: " + message(cause), cause);
  }

  private static String message(Throwable cause) {
    Throwable bare = cause instanceof UncheckedIOException unchecked ? unchecked.getCause() : cause;
    return FailureText.of(bare);
  }
}

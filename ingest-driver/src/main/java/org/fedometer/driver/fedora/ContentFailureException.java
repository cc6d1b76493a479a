package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.fedometer.wire.FailureText;

/**
 * The dataset could not produce what was to be sent; neither Fedora nor the network is to blame.
 */
public final class ContentFailureException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param cause what producing it threw; of an {@code UncheckedIOException} the words of what is
   *     within it are told
   */
  public ContentFailureException(Throwable cause) {
    super("The dataset could not produce this object: " + message(cause), cause);
  }

  private static String message(Throwable cause) {
    Throwable bare = cause instanceof UncheckedIOException unchecked ? unchecked.getCause() : cause;
    return FailureText.of(bare);
  }
}

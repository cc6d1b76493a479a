package org.fedometer.driver;

import java.net.SocketTimeoutException;
import java.util.Locale;

/** Turns failures and figures into words for a user. */
final class Words {

  private Words() {}

  static String of(Throwable e) {
    if (e instanceof SocketTimeoutException) {
      return "no answer in time: " + e.getMessage();
    }
    String message = e.getMessage();
    return FedoraMessages.cut(
        message == null || message.isBlank() ? e.getClass().getSimpleName() : message.strip());
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, nanos < 10_000_000_000L ? "%.1f s" : "%.0f s", nanos / 1e9);
  }
}

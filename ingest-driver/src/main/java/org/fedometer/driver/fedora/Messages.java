package org.fedometer.driver.fedora;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import org.fedometer.wire.FailureText;

/** Formats failures and durations for a user. Stateless, thread-safe. */
public final class Messages {

  private Messages() {}

  /** Returns a failure's message, or its kind if it has none; one line, truncated. */
  public static String of(Throwable e) {
    if (e instanceof SocketTimeoutException) {
      return "no answer in time: " + e.getMessage();
    }
    return FedoraMessages.cut(FailureText.of(e).strip());
  }

  /** Formats seconds, such as {@code 2.5 s}; without decimals from 10 s on. */
  public static String seconds(long nanos) {
    return String.format(Locale.ROOT, nanos < 10_000_000_000L ? "%.1f s" : "%.0f s", nanos / 1e9);
  }

  /**
   * Formats a duration in the largest unit without a fraction, such as {@code 3 d}, {@code 90 s}.
   */
  public static String duration(Duration time) {
    long millis = time.toMillis();
    if (millis % 1000 != 0) {
      return millis + " ms";
    }
    long seconds = millis / 1000;
    return seconds % 86_400 == 0
        ? seconds / 86_400 + " d"
        : seconds % 3600 == 0
            ? seconds / 3600 + " h"
            : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}

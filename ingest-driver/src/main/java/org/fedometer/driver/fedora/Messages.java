package org.fedometer.driver.fedora;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import org.fedometer.wire.FailureText;

/** Turns failures and figures into words for a user. Stateless, any thread. */
public final class Messages {

  private Messages() {}

  /** What a failure says, or of what kind it is if it says nothing; one line, cut if it is long. */
  public static String of(Throwable e) {
    if (e instanceof SocketTimeoutException) {
      return "no answer in time: " + e.getMessage();
    }
    return FedoraMessages.cut(FailureText.of(e).strip());
  }

  /** In seconds, such as {@code 2.5 s}; without decimals from 10 s on. */
  public static String seconds(long nanos) {
    return String.format(Locale.ROOT, nanos < 10_000_000_000L ? "%.1f s" : "%.0f s", nanos / 1e9);
  }

  /** In the largest unit that needs no fraction, such as {@code 3 d}, {@code 90 s}. */
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

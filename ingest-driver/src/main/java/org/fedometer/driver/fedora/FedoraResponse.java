package org.fedometer.driver.fedora;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Fedora said to one request.
 *
 * @param status HTTP status
 * @param message Fedora's own words without markup, at most {@link FedoraMessages#MAX_LENGTH}
 *     characters; empty if it said nothing
 * @param plain whether they came as plain text
 * @param retryAfter how long the answer asks to wait before the next attempt; zero if it does not
 */
public record FedoraResponse(int status, String message, boolean plain, Duration retryAfter) {

  /** What is said of an object that is not stored, by Akubra and by the storage before it. */
  private static final Pattern NOT_STORED =
      Pattern.compile(
          "not found in low-level storage: ([^\\s,]+)|no path in db registry for \\[([^\\]\\s]+)");

  public FedoraResponse {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(retryAfter, "retryAfter");
  }

  /**
   * Whether somebody else may have given it in Fedora's place: Tomcat knows no Fedora while the
   * webapp is loaded anew, a webapp on its way out no objects, a proxy does not reach it. Fedora's
   * own 404 (3.3 to 3.8.1) is plain text and names the object; the pages of those others are HTML,
   * or name nothing.
   *
   * @param pid of the object that the request was about, or empty
   */
  public boolean mayBeFromProxy(String pid) {
    if (status != 404) {
      return status == 502 || status == 503 || status == 504;
    }
    boolean namesObject =
        !pid.isEmpty() && message.contains(pid) || pidNotStored(message).isPresent();
    return !(plain && namesObject);
  }

  public static Optional<String> pidNotStored(String text) {
    Matcher matcher = NOT_STORED.matcher(text);
    if (!matcher.find()) {
      return Optional.empty();
    }
    return Optional.of(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
  }

  public String describe() {
    if (!message.isEmpty()) {
      return status + ", " + message;
    }
    return status >= 500
        ? status + " without a message; Fedora says why in its log only"
        : status + " without a message";
  }
}

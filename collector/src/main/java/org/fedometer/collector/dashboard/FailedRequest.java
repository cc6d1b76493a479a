package org.fedometer.collector.dashboard;

/**
 * A failed request of the driver.
 *
 * @param atEpochMillis time of the response, or of giving up
 * @param pid object
 * @param operation such as {@code ingest}
 * @param status HTTP status, 0 without a response
 * @param attempt 1 for the first
 * @param message error message, bounded
 */
record FailedRequest(
    long atEpochMillis, String pid, String operation, int status, int attempt, String message) {
  static final int MAX_KEPT = 100;

  FailedRequest {
    pid = Texts.line(pid, Texts.MAX_NAME_CHARACTERS);
    operation = Texts.line(operation, Texts.MAX_NAME_CHARACTERS);
    message = Texts.lines(message, Texts.MAX_MESSAGE_CHARACTERS);
  }
}

package org.fedometer.collector.dashboard;

/**
 * A request of the driver that failed.
 *
 * @param atEpochMillis when it was answered, or given up
 * @param pid object
 * @param operation such as {@code ingest}
 * @param status HTTP status, 0 without an answer
 * @param attempt 1 for the first
 * @param message what went wrong, bounded
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

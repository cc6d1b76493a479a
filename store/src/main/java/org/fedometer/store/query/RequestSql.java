package org.fedometer.store.query;

import org.fedometer.wire.record.RequestEncoder;

/**
 * Definitions of successful, measured and late requests, as SQL conditions over the table {@code
 * requests}, common to all figures. Pure.
 */
public final class RequestSql {
  /** Fedora executed the request; {@link #succeeded} in SQL. */
  public static final String SUCCEEDED = "status BETWEEN 200 AND 299";

  /** Successful with plausible times, which a damaged row lacks. */
  public static final String MEASURED =
      SUCCEEDED + " AND duration_nanos >= 0 AND start_nanos IS NOT NULL";

  /** Measured ingests. */
  public static final String INGESTED = "operation = 'ingest' AND " + MEASURED;

  /**
   * Sent a millisecond or more after the intended start: timed waits wake up a tenth of that late.
   * In a closed model no request is late, whatever its operation and outcome.
   */
  public static final String LATE = "start_nanos - intended_start_nanos >= 1000000";

  private RequestSql() {}

  /** Returns whether a request succeeded by its HTTP status; 0 means no response. */
  public static boolean succeeded(int status) {
    return RequestEncoder.succeeded(status);
  }
}

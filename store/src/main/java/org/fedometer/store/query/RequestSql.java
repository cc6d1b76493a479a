package org.fedometer.store.query;

import org.fedometer.wire.record.RequestEncoder;

/**
 * What is meant by a request that succeeded, was measured or came late, as conditions of SQL over
 * the table {@code requests}: the same in every figure. Pure.
 */
public final class RequestSql {
  /** Fedora has done what it was asked for; {@link #succeeded} in SQL. */
  public static final String SUCCEEDED = "status BETWEEN 200 AND 299";

  /** The same, and its times are there and can be: a damaged row has none that say anything. */
  public static final String MEASURED =
      SUCCEEDED + " AND duration_nanos >= 0 AND start_nanos IS NOT NULL";

  /** The same of ingests. */
  public static final String INGESTED = "operation = 'ingest' AND " + MEASURED;

  /**
   * It was sent a millisecond or more after it was due: threads that wait for a time wake up a
   * tenth of this after it. In a closed model no request is late, whatever it was for and however
   * it ended.
   */
  public static final String LATE = "start_nanos - intended_start_nanos >= 1000000";

  private RequestSql() {}

  /** Whether a request succeeded, by its HTTP status; 0 is no answer. */
  public static boolean succeeded(int status) {
    return RequestEncoder.succeeded(status);
  }
}

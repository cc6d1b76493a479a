package org.fedometer.store.query;

/** A failed query; the message is one sentence for the user. */
public final class QueryException extends Exception {
  public QueryException(String message) {
    super(message);
  }

  public QueryException(String message, Throwable cause) {
    super(message, cause);
  }
}

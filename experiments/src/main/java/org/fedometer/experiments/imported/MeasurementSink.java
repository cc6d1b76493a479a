package org.fedometer.experiments.imported;

import java.io.IOException;

/** Takes the requests of a file one after the other, on the reading thread. */
@FunctionalInterface
public interface MeasurementSink {
  /**
   * @param number of the request in the file, from 0
   * @param operation what it set out to do; {@code ingest} of ingests
   * @param worker number of the worker that sent it, from 0; 0 where that is not known
   * @param startNanos nanoseconds since 1970
   * @param durationNanos until the answer was there, never negative
   * @param status 200 to 299 if it succeeded, else the HTTP status, or 0 where there is none
   * @param message what went wrong, or what else is known of the answer; usually empty
   */
  void measured(
      long number,
      String operation,
      int worker,
      long startNanos,
      long durationNanos,
      int status,
      String message)
      throws IOException;
}

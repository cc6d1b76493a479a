package org.fedometer.experiments.imported;

import java.io.IOException;

/** Accepts the requests of a file in order, on the reading thread. */
@FunctionalInterface
public interface MeasurementSink {
  /**
   * @param number of the request in the file, from 0
   * @param operation of the request; {@code ingest} for ingests
   * @param worker number of the worker that sent it, from 0; 0 if unknown
   * @param startNanos nanoseconds since 1970
   * @param durationNanos time until the response, never negative
   * @param status 200 to 299 on success, else the HTTP status, or 0 if there is none
   * @param message error, or further information on the response; usually empty
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

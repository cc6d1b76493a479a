package org.fedometer.experiments.imported;

import java.io.IOException;

/** Reads one file format to its end, once, on one thread. */
interface MeasurementReader {
  /**
   * Passes on the measurements, and notes invalid lines.
   *
   * @throws UnreadableMeasurementsException if the file has another format, or the rest is not
   *     reliable
   */
  void read(Requests requests) throws IOException;
}

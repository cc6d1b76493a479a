package org.fedometer.experiments.imported;

import java.io.IOException;

/** Reads one form of file to its end, once, on one thread. */
interface MeasurementReader {
  /**
   * Hands out what is measured. Lines that are broken go into the notebook.
   *
   * @throws UnreadableMeasurementsException this is no such file, or nothing behind a place in it
   *     can be trusted
   */
  void read(Requests requests) throws IOException;
}

package org.fedometer.driver.fedora;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes one object's FOXML, the same bytes each time, since a retry writes it again. Called on the
 * sending thread.
 */
@FunctionalInterface
public interface FoxmlSource {

  /** Writes the whole document to {@code out}, in pieces of bounded size, and leaves it open. */
  void writeTo(OutputStream out) throws IOException;
}

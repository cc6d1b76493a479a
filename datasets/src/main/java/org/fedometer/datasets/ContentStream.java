package org.fedometer.datasets;

import java.io.IOException;
import java.io.InputStream;

/**
 * Bytes of one managed datastream. Can be opened any number of times, by any thread; each opening
 * gives the same bytes.
 */
public interface ContentStream {

  /** Datastream identifier in Fedora: {@code FULLTEXT}, {@code PDF}, {@code IMAGE}. */
  String id();

  /** Label of the datastream. */
  String label();

  /** Media type such as {@code text/xml}. */
  String mediaType();

  /** Length in bytes, known without reading. */
  long sizeBytes();

  /** Opens the bytes from the start; the caller closes. */
  InputStream open() throws IOException;
}

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

  String label();

  String mediaType();

  /** Length in bytes, known without reading. */
  long sizeBytes();

  /** The caller closes. */
  InputStream open() throws IOException;
}

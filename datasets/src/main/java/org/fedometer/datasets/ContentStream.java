package org.fedometer.datasets;

import java.io.IOException;
import java.io.InputStream;

/**
 * Content of one managed datastream. Any thread may open it any number of times, with the same
 * bytes each time.
 */
public interface ContentStream {

  /** Returns the datastream identifier in Fedora: {@code FULLTEXT}, {@code PDF}, {@code IMAGE}. */
  String id();

  String label();

  String mediaType();

  /** Returns the length in bytes, known without reading. */
  long sizeBytes();

  /** Opens the content; the caller closes it. */
  InputStream open() throws IOException;
}

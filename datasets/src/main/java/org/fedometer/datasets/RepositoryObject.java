package org.fedometer.datasets;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;

/** One object that Fedora is asked to hold, and what must be there afterwards. For one thread. */
public sealed interface RepositoryObject permits ComposedObject, PackagedObject {

  String pid();

  /** At most 255 characters. */
  String label();

  /**
   * Managed content whose bytes are known, in order: what a verification reads back. Identifiers
   * differ.
   */
  List<ContentStream> content();

  default long contentBytes() {
    long bytes = 0;
    for (ContentStream stream : content()) {
      bytes += stream.sizeBytes();
    }
    return bytes;
  }

  /** Every datastream that Fedora must list, DC and RELS-EXT included where they must be there. */
  Set<String> datastreamIds();

  /** Triples that Fedora 3.8.1 puts into its resource index for this object alone. */
  int triples();

  /** No content is read for it. */
  long foxmlBytes();

  /**
   * Writes the object as FOXML 1.1; does not close the stream. Can be called any number of times.
   *
   * @throws IOException if the stream fails, or content cannot be read or has not the length that
   *     it promised
   */
  void writeFoxml(OutputStream out) throws IOException;
}

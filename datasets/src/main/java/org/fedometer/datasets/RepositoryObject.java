package org.fedometer.datasets;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;

/** An object for Fedora, and its required state there. For one thread. */
public sealed interface RepositoryObject permits ComposedObject, PackagedObject {

  String pid();

  /** Returns the label, at most 255 characters. */
  String label();

  /**
   * Returns managed content with known bytes, in order, for the verification. Identifiers differ.
   */
  List<ContentStream> content();

  default long contentBytes() {
    long bytes = 0;
    for (ContentStream stream : content()) {
      bytes += stream.sizeBytes();
    }
    return bytes;
  }

  /** Returns every datastream that Fedora must list, including DC and RELS-EXT if required. */
  Set<String> datastreamIds();

  /**
   * Returns the number of triples that Fedora 3.8.1 puts into its resource index for this object
   * alone.
   */
  int triples();

  /** Returns the length of the FOXML without reading content. */
  long foxmlBytes();

  /**
   * Writes the object as FOXML 1.1; does not close the stream. May be called any number of times.
   *
   * @throws IOException if the stream fails, or content cannot be read or has the wrong length
   */
  void writeFoxml(OutputStream out) throws IOException;
}

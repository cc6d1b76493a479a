package org.fedometer.datasets;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;

/**
 * One object that Fedora is asked to hold, and what must be there afterwards. Made by a {@link
 * Dataset}; used by one thread.
 */
public sealed interface RepositoryObject permits ComposedObject, PackagedObject {

  /** Fedora's identifier, {@code namespace:name}. */
  String pid();

  /** The object's label, at most 255 characters. */
  String label();

  /**
   * Managed content whose bytes are known, in order: what a verification reads back. Identifiers
   * differ.
   */
  List<ContentStream> content();

  /** Bytes of {@link #content()} together. */
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

  /** Bytes that {@link #writeFoxml} writes; no content is read for it. */
  long foxmlBytes();

  /**
   * Writes the object as FOXML 1.1, in which form Fedora takes it in one request; does not close
   * the stream. Can be called any number of times.
   *
   * @throws IOException if the stream fails, or content cannot be read or has not the length that
   *     it promised
   */
  void writeFoxml(OutputStream out) throws IOException;
}

package org.fedometer.datasets.foxml;

/**
 * Statements that Fedora reads from a datastream. Receives the document's parts in order; for one
 * thread.
 */
sealed interface Metadata permits DublinCore, Relationships, MethodMap {

  void start(MetadataElement element) throws UnusableFoxmlException;

  /** Adds text, possibly in pieces. */
  void text(String text) throws UnusableFoxmlException;

  void end(String name) throws UnusableFoxmlException;

  /** Ends the document, after the last element. */
  void end() throws UnusableFoxmlException;

  /**
   * Returns the bytes of the longest literal or URI as stored by a triplestore; 0 if there is none.
   */
  int maxLiteralBytes();
}

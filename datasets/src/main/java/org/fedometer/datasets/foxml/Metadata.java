package org.fedometer.datasets.foxml;

/** What Fedora reads a datastream for. Gets the document's parts in order; for one thread. */
sealed interface Metadata permits DublinCore, Relationships, MethodMap {

  void start(MetadataElement element) throws UnusableFoxmlException;

  /** May come in pieces. */
  void text(String text) throws UnusableFoxmlException;

  void end(String name) throws UnusableFoxmlException;

  /** After the last element. */
  void end() throws UnusableFoxmlException;

  /** Bytes of the longest literal or URI as a triplestore keeps it; 0 if there is none. */
  int maxLiteralBytes();
}

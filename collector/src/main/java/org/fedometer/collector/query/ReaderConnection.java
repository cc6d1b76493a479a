package org.fedometer.collector.query;

import org.fedometer.wire.session.QueryResult;

/** A connected reader. Any thread; methods never block. */
public interface ReaderConnection {

  /** Returns whether the reader keeps up; data sent otherwise waits in memory. */
  boolean isWritable();

  void send(QueryResult result);

  /** Returns the reader's address, for logs. */
  String peer();
}

package org.fedometer.collector.query;

import org.fedometer.wire.session.QueryResult;

/** A connected reader as {@link QueryService} sees it. Any thread; nothing here blocks. */
public interface ReaderConnection {

  /** Whether it takes more at the moment; what is sent all the same waits in memory. */
  boolean isWritable();

  void send(QueryResult result);

  /** Address of the reader, for logs. */
  String peer();
}

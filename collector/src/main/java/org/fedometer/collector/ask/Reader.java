package org.fedometer.collector.ask;

import org.fedometer.wire.session.Answer;

/** A connected reader as {@link Asking} sees it. Any thread; nothing here blocks. */
public interface Reader {

  /** Whether it takes more at the moment; what is sent all the same waits in memory. */
  boolean isWritable();

  void answer(Answer answer);

  /** Address of the reader, for logs. */
  String peer();
}

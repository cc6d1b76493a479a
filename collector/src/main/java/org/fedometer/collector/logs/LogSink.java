package org.fedometer.collector.logs;

/** Receives events as they are read, on the reading thread. */
@FunctionalInterface
public interface LogSink {
  /** Receives an event; the object is reused after the call. */
  void event(LogEvent event);
}

package org.fedometer.collector.logs;

/** Takes events as they are read. On the thread that reads. */
@FunctionalInterface
public interface LogSink {
  /** The event is the same object each time: it changes after the call. */
  void event(LogEvent event);
}

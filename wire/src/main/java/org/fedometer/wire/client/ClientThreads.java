package org.fedometer.wire.client;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.wire.FailureText;

/** What a client's threads have in common: how they are made, and how they outlive any failure. */
final class ClientThreads {
  static final IOException OUT_OF_MEMORY = new IOException("out of memory");

  private static final long ERROR_PAUSE_NANOS = 1_000_000_000;

  private ClientThreads() {}

  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    // Not the creator's: inside Fedora's JVM that could be a web application's.
    thread.setContextClassLoader(CollectorClient.class.getClassLoader());
    // The JVM would print a stack trace, and standard error may be Fedora's.
    thread.setUncaughtExceptionHandler(
        (ended, error) ->
            System.err.println(
                "fedometer: " + ended.getName() + " ended: " + FailureText.inOneLine(error)));
    return thread;
  }

  /** Needs no memory where there is none. */
  static IOException unexpected(Throwable e) {
    return e instanceof OutOfMemoryError
        ? OUT_OF_MEMORY
        : new IOException("Unexpected: " + FailureText.of(e), e);
  }

  /** Short of memory, most likely: a later attempt may find more, the very next one would not. */
  static void pauseAfterError() {
    LockSupport.parkNanos(ERROR_PAUSE_NANOS);
  }
}

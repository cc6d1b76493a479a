package org.fedometer.wire.client;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.fedometer.wire.FailureText;

/** Creation and error handling of a client's threads. */
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

  /** Needs no memory after an {@link OutOfMemoryError}. */
  static IOException unexpected(Throwable e) {
    return e instanceof OutOfMemoryError
        ? OUT_OF_MEMORY
        : new IOException("Unexpected: " + FailureText.of(e), e);
  }

  /** The likely cause is low memory: a later attempt may find more, an immediate one would not. */
  static void pauseAfterError() {
    LockSupport.parkNanos(ERROR_PAUSE_NANOS);
  }
}

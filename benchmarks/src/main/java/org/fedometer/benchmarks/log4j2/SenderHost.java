package org.fedometer.benchmarks.log4j2;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;

/**
 * A program that logs by a stock SocketAppender, in its own process with no more than Log4j2 in it:
 * events as Fedora would log them, some with a context, few with an exception.
 */
final class SenderHost {
  private static final int EVENTS_PER_EXCEPTION = 200;

  private SenderHost() {}

  /** Argument: how many events. Log4j2 finds its configuration by its own system property. */
  public static void main(String[] arguments) {
    int events = Integer.parseInt(arguments[0]);
    Logger server = LogManager.getLogger("org.fcrepo.server.storage.DefaultDOManager");
    Logger index = LogManager.getLogger("org.fcrepo.server.resourceIndex.ResourceIndexImpl");
    for (int event = 0; event < events; event++) {
      if (event % EVENTS_PER_EXCEPTION == 0) {
        server.error(
            "Could not read patent:" + event,
            new IllegalStateException("No such object: " + event));
      } else if (event % 2 == 0) {
        ThreadContext.put("pid", "patent:" + event);
        server.info("Committing ingest of patent:{}, {} datastreams", event, event % 7);
        ThreadContext.clearMap();
      } else {
        index.debug("Updating the triples of \"patent:{}\": {} added", event, event % 90);
      }
    }
    LogManager.shutdown();
  }
}

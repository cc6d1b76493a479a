package org.fedometer.collector;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;

/**
 * Main program of a JVM that has Log4j2 and nothing of Fedometer: logs the same events by one
 * configuration after the other. A configuration's name begins each message and is the logger's.
 */
public final class Log4jSender {
  static final int EVENTS = 40;
  static final String TEXT = "gr\u00fc\u00dfe an die \ud83e\udd89,\nauch \"hier\" \\ \u65e5\u672c";

  private Log4jSender() {}

  public static void main(String[] configurations) throws Exception {
    for (String configuration : configurations) {
      Path file = Path.of(configuration);
      String name = file.getFileName().toString().replace(".xml", "");
      // Contexts are distinguished by class loaders.
      try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
        var context = LogManager.getContext(loader, false, file.toUri());
        send(context.getLogger("org.example." + name), name);
        LogManager.shutdown(context);
      }
    }
  }

  private static void send(Logger logger, String name) {
    Thread.currentThread().setName("sender-of-" + name);
    for (int i = 0; i < EVENTS; i++) {
      ThreadContext.put("user", "n\u00e4me " + i);
      ThreadContext.put("session", "s\"" + i);
      String message = name + " " + i + " " + TEXT;
      switch (i % 4) {
        case 0 -> logger.info(message);
        case 1 -> logger.warn(message);
        case 2 -> logger.debug(message);
        default -> logger.error(message, failure(i));
      }
    }
    ThreadContext.clearAll();
  }

  private static Exception failure(int number) {
    Exception failure =
        new IllegalStateException("outer " + number, new RuntimeException("inner\n" + number));
    failure.addSuppressed(new UnsupportedOperationException("beside"));
    return failure;
  }
}

package org.fedometer.collector;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Main program of a JVM that has Logback and nothing of Fedometer: logs an event for each byte on
 * its standard input.
 */
public final class LogbackSender {
  private LogbackSender() {}

  public static void main(String[] none) throws IOException {
    Logger logger = LoggerFactory.getLogger("org.example.logback");
    for (int i = 0; System.in.read() >= 0; i++) {
      logger.info("serialised {}", i);
    }
  }
}

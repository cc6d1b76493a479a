package org.fedometer.collector;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Main program of a JVM that has Logback and nothing of Fedometer. */
public final class LogbackSender {
  private LogbackSender() {}

  public static void main(String[] none) throws InterruptedException {
    Logger logger = LoggerFactory.getLogger("org.example.logback");
    for (int i = 0; i < 20; i++) {
      logger.info("serialised {}", i);
      Thread.sleep(50);
    }
  }
}

package org.apache.log4j;

import ch.qos.logback.classic.Level;

/** Stand-in with the name and shape of log4j's, for the agent to weave. */
public class Category {

  private final String name;

  public Category(String name) {
    this.name = name;
  }

  public void callAppenders(LoggingEvent event) {
    // As little as in logback's.
  }

  public String name() {
    return name;
  }

  /** Has what the agent looks for in log4j's events. */
  public record LoggingEvent(String message) {
    public Level getLevel() {
      return Level.WARN;
    }

    public String getLoggerName() {
      return "old";
    }

    public String getRenderedMessage() {
      return message;
    }

    public Object getThrowableInformation() {
      return null;
    }
  }
}
